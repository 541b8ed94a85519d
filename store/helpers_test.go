package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

var ctx = context.Background()

// childVar names what a test runs in a process of its own.
const childVar = "STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVar); name != "" {
		if err := runChild(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// newDB makes a database by bbolt itself, and has it checked by bbolt when the
// test is over.
func newDB(t testing.TB, o *bolt.Options, fn func(tx *bolt.Tx) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	update(t, path, o, fn)
	t.Cleanup(func() { checkWithBolt(t, path) })
	return path
}

// update is what the app does to its database.
func update(t testing.TB, path string, o *bolt.Options, fn func(tx *bolt.Tx) error) {
	t.Helper()
	if o == nil {
		o = &bolt.Options{}
	}
	o.Timeout = time.Second
	db, err := bolt.Open(path, 0o600, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Update(fn); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkWithBolt runs bbolt's own check, which knows nothing of ours.
func checkWithBolt(t testing.TB, path string) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		t.Errorf("bbolt cannot open %s: %v", path, err)
		return
	}
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() { // has to be drained
			t.Errorf("bbolt check of %s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// dump writes all buckets, sequences, keys and values as text.
func dump(t testing.TB, path string) string {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var b strings.Builder
	var bucket func(indent string, x *bolt.Bucket) error
	bucket = func(indent string, x *bolt.Bucket) error {
		return x.ForEach(func(k, v []byte) error {
			if v != nil {
				fmt.Fprintf(&b, "%s%q = %q\n", indent, k, v)
				return nil
			}
			nested := x.Bucket(k)
			fmt.Fprintf(&b, "%s%q seq %d\n", indent, k, nested.Sequence())
			return bucket(indent+"  ", nested)
		})
	}
	if err := db.View(func(tx *bolt.Tx) error { return bucket("", tx.Cursor().Bucket()) }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A snapshot is a file's bytes and times.
type snapshot struct {
	bytes []byte
	mtime time.Time
}

func snap(t testing.TB, path string) snapshot {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot{b, st.ModTime()}
}

// wantUntouched fails unless the file is as it was.
func wantUntouched(t testing.TB, path string, was snapshot) {
	t.Helper()
	now := snap(t, path)
	if !bytes.Equal(now.bytes, was.bytes) {
		t.Errorf("%s has other bytes than before", path)
	}
	if !now.mtime.Equal(was.mtime) {
		t.Errorf("%s was modified at %v, before it was %v", path, now.mtime, was.mtime)
	}
}

// files lists a folder.
func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func wantFiles(t testing.TB, dir string, want ...string) {
	t.Helper()
	if got := files(t, dir); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("folder holds %q, want %q", got, want)
	}
}

// wantError fails unless err is an *Error of that code that tells how to go on
// in one line, and matches the sentinel.
func wantError(t testing.TB, err error, code string, sentinel error, words ...string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v (%T), want an *Error of code %s", err, err, code)
	}
	if e.Code != code {
		t.Errorf("code of %q is %s, want %s", e, e.Code, code)
	}
	if sentinel != nil && !errors.Is(err, sentinel) {
		t.Errorf("%q does not match %q", e, sentinel)
	}
	if strings.Contains(e.Error(), "\n") {
		t.Errorf("%q is more than a line", e)
	}
	for _, w := range words {
		if !strings.Contains(e.Error(), w) {
			t.Errorf("%q does not say %q", e, w)
		}
	}
}

// open opens for reading and closes when the test is over.
func open(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// begin opens for writing, up to the exclusive lock.
func begin(t testing.TB, path string) *Writer {
	t.Helper()
	db, err := Open(path, Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	w, err := db.Begin(ctx, BeginOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// names makes a path of strings.
func names(path ...string) [][]byte {
	var out [][]byte
	for _, n := range path {
		out = append(out, []byte(n))
	}
	return out
}

// put fills a bucket, made with all above it, from pairs of key and value.
func put(tx *bolt.Tx, path [][]byte, pairs ...string) error {
	b := tx.Cursor().Bucket()
	for _, n := range path {
		var err error
		if b, err = b.CreateBucketIfNotExists(n); err != nil {
			return err
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		if err := b.Put([]byte(pairs[i]), []byte(pairs[i+1])); err != nil {
			return err
		}
	}
	return nil
}

// plain is a small database as an app writes it.
func plain(tx *bolt.Tx) error {
	if err := put(tx, names("chats"), "1", "one", "2", "two", "3", ""); err != nil {
		return err
	}
	return put(tx, names("chats", "deep", "deeper"), "\x00\xff", "bin\x00ary")
}
