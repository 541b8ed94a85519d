// Bolt13 makes small databases with bbolt 1.3, which wrote most of the files
// that there are, for the tests of package page: all page sizes, both ways to
// keep the list of free pages in memory, and with and without that list in the
// file. It is a module of its own, since a module can have only one bbolt 1.
//
//	go generate ./store/page
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bolt13 FOLDER")
		os.Exit(2)
	}
	if err := makeAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bolt13:", err)
		os.Exit(1)
	}
}

// makeAll makes a file for each page size, kind of freelist and way to store
// it.
func makeAll(dir string) error {
	temp, err := os.MkdirTemp("", "bolt13-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for size := 1 << 10; size <= 1<<16; size <<= 1 {
		for _, kind := range []bolt.FreelistType{bolt.FreelistArrayType, bolt.FreelistMapType} {
			for _, stored := range []bool{true, false} {
				name := fmt.Sprintf("%d-%s-stored.db.gz", size, kind)
				if !stored {
					name = fmt.Sprintf("%d-%s-none.db.gz", size, kind)
				}
				o := bolt.Options{PageSize: size, FreelistType: kind, NoFreelistSync: !stored, NoSync: true}
				b, err := makeOne(filepath.Join(temp, name), o)
				if err == nil {
					err = pack(filepath.Join(dir, name), b)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return nil
}

// makeOne makes a database with a bit of all that there is: leaves below a
// branch, overflow, nested and inline buckets, free pages.
func makeOne(path string, o bolt.Options) ([]byte, error) {
	db, err := bolt.Open(path, 0o600, &o)
	if err != nil {
		return nil, err
	}
	for _, step := range []func(*bolt.Tx) error{grow, shrink, grow, drop} {
		if err := db.Update(step); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func grow(tx *bolt.Tx) error {
	size := tx.DB().Info().PageSize
	return errors.Join(
		fill(tx, 120, size/20, "chat"),
		fill(tx, 3, 2*size, "large"),
		fill(tx, 2, 10, "small"),
		fill(tx, 0, 0, "empty"),
		fill(tx, 30, size/10, "outer", "inner"),
		fill(tx, 4, 10, "outer"),
		fill(tx, 30, size/10, "dropped"),
	)
}

// fill puts n values of some size into a bucket.
func fill(tx *bolt.Tx, n, size int, path ...string) error {
	b, err := tx.CreateBucketIfNotExists([]byte(path[0]))
	for _, name := range path[1:] {
		if err == nil {
			b, err = b.CreateBucketIfNotExists([]byte(name))
		}
	}
	for i := 0; i < n && err == nil; i++ {
		err = b.Put(fmt.Appendf(nil, "key-%04d", i), bytes.Repeat([]byte{'a' + byte(i%26)}, size))
	}
	return err
}

func shrink(tx *bolt.Tx) error {
	for i := 10; i < 90; i++ {
		if err := tx.Bucket([]byte("chat")).Delete(fmt.Appendf(nil, "key-%04d", i)); err != nil {
			return err
		}
	}
	return nil
}

func drop(tx *bolt.Tx) error { return tx.DeleteBucket([]byte("dropped")) }

// pack writes a file compressed, without a name or a time in it.
func pack(path string, b []byte) error {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o644)
}
