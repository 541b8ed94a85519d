package store

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// A lister is what can be walked.
type lister interface {
	Walk(fn func(Item) error, enter func(*Bucket) error) error
}

// listed writes all that a walk sees, a line each.
func listed(t testing.TB, w lister) []string {
	t.Helper()
	var lines []string
	err := w.Walk(func(it Item) error {
		lines = append(lines, fmt.Sprintf("%s/%s = %q", it.Bucket.Encoded, EncodeName(it.Key), it.Value))
		return nil
	}, func(b *Bucket) error {
		lines = append(lines, fmt.Sprintf("%s/ seq %d depth %d path %q", b.Encoded, b.Sequence, b.Depth, b.Path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// openPages opens a file to be read by pages.
func openPages(t testing.TB, path string, o Options) *Pages {
	t.Helper()
	p, err := OpenPages(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// Of a sound file the pages read by hand hold what bbolt sees, also if it is
// looked at anew for each leaf.
func TestPagesAreAsBoltSees(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 7 {
		m := randomModel(r)
		path := newDB(t, &bolt.Options{PageSize: 1024 << i}, func(tx *bolt.Tx) error {
			if err := many(1+i*60, 10<<i)(tx); err != nil {
				return err
			}
			return m.write(tx)
		})
		db := open(t, path)
		v, err := db.View()
		if err != nil {
			t.Fatal(err)
		}
		want := listed(t, v)
		for _, live := range []bool{false, true} {
			p := openPages(t, path, Options{Live: live})
			if got := listed(t, p); !slices.Equal(got, want) {
				t.Errorf("file %d, live %v: %s", i, live, firstDifference(got, want))
			}
			if list, more := p.Problems(); len(list)+more > 0 {
				t.Errorf("file %d, live %v: problems %v", i, live, list)
			}
		}
		w := forgetful{openPages(t, path, Options{Live: true})}
		if got := listed(t, w); !slices.Equal(got, want) {
			t.Errorf("file %d, looked at anew: %s", i, firstDifference(got, want))
		}
		v.Close()
	}
}

// forgetful finds the file written to after every third item.
type forgetful struct{ *Pages }

func (p forgetful) Walk(fn func(Item) error, enter func(*Bucket) error) error {
	w := pageWalk{p: p.Pages, enter: enter, limit: 1 << 10}
	n := 0
	w.fn = func(it Item) error {
		if n++; n%3 == 0 {
			w.moved()
			w.tries = 0
		}
		return fn(it)
	}
	w.push(level{chain: chain{info: &Bucket{}}})
	return w.run()
}

func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("%d lines, want %d; missing is %.300s", len(got), len(want), want[i])
		case i >= len(want):
			return fmt.Sprintf("%d lines, want %d; too many is %.300s", len(got), len(want), got[i])
		case got[i] != want[i]:
			return fmt.Sprintf("line %d is %.300s, want %.300s", i, got[i], want[i])
		}
	}
	return "none"
}

// The same of files that bbolt 1.3 made.
func TestPagesOfBolt13(t *testing.T) {
	packed, err := filepath.Glob("page/testdata/bolt13/*.db.gz")
	if err != nil || len(packed) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range packed {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		path := filepath.Join(t.TempDir(), "a.db")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := open(t, path).View()
		if err != nil {
			t.Fatal(err)
		}
		want := listed(t, v)
		v.Close()
		for _, live := range []bool{false, true} {
			if got := listed(t, openPages(t, path, Options{Live: live})); !slices.Equal(got, want) || len(got) < 60 {
				t.Errorf("%s, live %v: %s", name, live, firstDifference(got, want))
			}
		}
	}
}

func TestPagesWalkBucket(t *testing.T) {
	path := newDB(t, nil, plain)
	for _, live := range []bool{false, true} {
		p := openPages(t, path, Options{Live: live})
		var got []string
		err := p.WalkBucket(names("chats"), func(it Item) error {
			got = append(got, it.Bucket.Encoded+"/"+string(it.Key))
			return nil
		})
		if err != nil || strings.Join(got, " ") != "chats/1 chats/2 chats/3" {
			t.Errorf("live %v: %q, %v", live, got, err)
		}
		for _, missing := range [][][]byte{names("chat"), names("chats", "1"), names("chats", "deep", "x"), names("zz")} {
			if err := p.WalkBucket(missing, nil); err != ErrNoBucket {
				t.Errorf("live %v, %q: %v", live, missing, err)
			}
		}
	}
}

// Single values, and parts of buckets, are as a view has them.
func TestPagesGet(t *testing.T) {
	path := newDB(t, &bolt.Options{PageSize: 1024}, func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("b"))
		if err == nil {
			err = b.SetSequence(17)
		}
		return errors.Join(err, plain(tx), many(100, 300)(tx))
	})
	db := open(t, path)
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for _, live := range []bool{false, true} {
		p := openPages(t, path, Options{Live: live})
		err := p.Together(func(one Reader) error {
			for _, r := range []Reader{p, one} {
				compareReaders(t, r, v)
			}
			return ErrStale
		})
		if err != ErrStale {
			t.Errorf("live %v: %v", live, err)
		}
		n := 0
		err = p.WalkFrom(names("b"), []byte("k00049x"), func(it Item) error {
			if string(it.Key) != key(50+n) {
				t.Errorf("key %q", it.Key)
			}
			n++
			return nil
		})
		if n != 50 || err != nil {
			t.Errorf("%d keys, %v", n, err)
		}
	}
}

func compareReaders(t *testing.T, r, v Reader) {
	t.Helper()
	for _, path := range [][][]byte{nil, names("b"), names("chats"), names("chats", "deep"), names("chats", "deep", "deeper"), names("no"), names("b", "no")} {
		got, ok := r.Sequence(path)
		if want, exists := v.Sequence(path); len(path) > 0 && (got != want || ok != exists) {
			t.Errorf("sequence of %q is %d, %v, want %d, %v", path, got, ok, want, exists)
		}
		for _, key := range []string{"", "0", "1", "2", "3", "4", "b", "deep", "k00000", "k00050", "k00050x", "k00099", "z", "\x00\xff"} {
			got, ok := r.Get(path, []byte(key))
			want, exists := v.Get(path, []byte(key))
			if !bytes.Equal(got, want) || ok != exists {
				t.Errorf("%q %q is %.20q, %v, want %.20q, %v", path, key, got, ok, want, exists)
			}
		}
	}
}
