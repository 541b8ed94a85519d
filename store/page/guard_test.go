package page

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime/debug"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// maxWalk bounds a walk by bbolt, which does not end on a cycle.
const maxWalk = 1 << 17

// errEndless says that a walk met more keys than a test's file can hold.
var errEndless = errors.New("no end of keys")

// guarded turns panics, and faults in the mapping, into an error.
func guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return do()
}

// onDisk writes a file for bbolt to open. It is removed by the caller: there
// are too many to keep until the end of a test.
func onDisk(tb testing.TB, b []byte) string {
	tb.Helper()
	f, err := os.CreateTemp("", "page-guard-*.db")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(b); err != nil {
		tb.Fatal(err)
	}
	return f.Name()
}

// walkWithBolt reads every key and the ends of every value by way of bbolt.
func walkWithBolt(tb testing.TB, b []byte) error {
	tb.Helper()
	path := onDisk(tb, b)
	defer os.Remove(path)
	return guarded(func() error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
		if err != nil {
			return err
		}
		defer db.Close()
		n := 0
		return db.View(func(tx *bolt.Tx) error {
			return tx.ForEach(func(name []byte, b *bolt.Bucket) error { return walkBucket(b, &n) })
		})
	})
}

func walkBucket(b *bolt.Bucket, n *int) error {
	sum := 0
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if *n++; *n > maxWalk {
			return errEndless
		}
		for _, ch := range k {
			sum += int(ch)
		}
		for i := 0; i < len(v); i += 512 {
			sum += int(v[i])
		}
		if len(v) > 0 {
			sum += int(v[len(v)-1])
		}
		if v != nil {
			continue
		}
		if child := b.Bucket(k); child != nil {
			if err := walkBucket(child, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeWithBolt puts keys into every bucket, deletes others, and returns the
// file as bbolt leaves it.
func writeWithBolt(tb testing.TB, b []byte) (after []byte, err error) {
	tb.Helper()
	round := func(n int) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error { return touch(tx, n) }
	}
	return changeWithBolt(tb, b, round(0), round(1), round(2))
}

// changeWithBolt runs transactions on a file and returns it as bbolt leaves it.
func changeWithBolt(tb testing.TB, b []byte, steps ...func(*bolt.Tx) error) (after []byte, err error) {
	tb.Helper()
	path := onDisk(tb, b)
	defer os.Remove(path)
	err = guarded(func() error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true, NoGrowSync: true, Timeout: time.Second})
		if err != nil {
			return err
		}
		defer db.Close()
		for _, step := range steps {
			if err := db.Update(step); err != nil {
				return err
			}
		}
		return db.Close()
	})
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// touch changes something in each bucket of the top level.
func touch(tx *bolt.Tx, round int) error {
	return tx.ForEach(func(_ []byte, b *bolt.Bucket) error { return touchBucket(b, round, 0) })
}

// touchBucket deletes the first key, and in the second round most of them, puts
// others, and does so in the buckets inside.
func touchBucket(b *bolt.Bucket, round, depth int) error {
	var drop, inside [][]byte
	for k, v := range keys(b) {
		switch {
		case v == nil:
			inside = append(inside, k)
		case len(drop) == 0 || round == 1 && len(drop) < 500 && k[len(k)-1]%8 != 0:
			drop = append(drop, k)
		}
	}
	for _, k := range drop {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	for _, key := range []string{"a", "k0100", "zz"} {
		if err := b.Put(fmt.Appendf(nil, "%s-%d", key, round), make([]byte, 3000)); err != nil {
			return err
		}
	}
	for _, k := range inside {
		if child := b.Bucket(k); child != nil && depth < 10 {
			if err := touchBucket(child, round, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// keys goes through a bucket, a bounded number of keys of it, with copies of
// the keys.
func keys(b *bolt.Bucket) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		n, c := 0, b.Cursor()
		for k, v := c.First(); k != nil && n < maxWalk; k, v = c.Next() {
			if n++; !yield(bytes.Clone(k), v) {
				return
			}
		}
	}
}
