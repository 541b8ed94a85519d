package store

import (
	"bytes"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// A View is a read transaction. It sees one state however long it is open, and
// may be used by several goroutines at once. Every slice that it gives out
// lies in the mapped file: it is valid until Close, must not be written to,
// and is to be read inside a [Guard].
type View struct {
	rows
	metas   page.Metas
	release func()
}

// View begins a read transaction. Several may be open at once; all see the
// same state. All have to be closed before [DB.Begin] and [DB.Close].
func (db *DB) View() (*View, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.bolt == nil {
		return nil, usageError(db.id.Path, "the database is closed")
	}
	v, err := newView(db.bolt, db.id.Path, db.metas)
	if err != nil {
		return nil, err
	}
	db.views++
	v.release = func() {
		db.mu.Lock()
		db.views--
		db.mu.Unlock()
	}
	return v, nil
}

func newView(b *bolt.DB, path string, m page.Metas) (*View, error) {
	v := &View{metas: m}
	v.path = path
	err := guardBolt(path, func() (err error) {
		v.tx, err = b.Begin(false)
		return err
	})
	if err != nil {
		return nil, ioError(path, "begin to read", err)
	}
	return v, nil
}

// Close ends the transaction. Closing twice does nothing.
func (v *View) Close() error {
	if v.tx == nil {
		return nil
	}
	err := v.tx.Rollback()
	v.tx = nil
	v.release()
	return err
}

// Total returns the bytes that a walk goes through at most: the file up to the
// last page in use.
func (v *View) Total() int64 { return v.tx.Size() }

// rows reads buckets and values inside one transaction, be it a view's or the
// one that a batch is written in.
type rows struct {
	tx   *bolt.Tx
	path string
	err  atomic.Pointer[error]
}

// Err returns why a lookup could not be done, if one could not: a lookup that
// runs into damage says that there is nothing.
func (r *rows) Err() error {
	if p := r.err.Load(); p != nil {
		return *p
	}
	return nil
}

// try runs a lookup, and keeps what goes wrong for Err.
func (r *rows) try(fn func()) {
	err := guardBolt(r.path, func() error { fn(); return nil })
	if err != nil {
		r.err.CompareAndSwap(nil, &err)
	}
}

// bucket finds a bucket; no names are the root. It returns nil if there is none.
func (r *rows) bucket(path [][]byte) *bolt.Bucket {
	b := r.tx.Cursor().Bucket()
	for _, name := range path {
		if b = b.Bucket(name); b == nil {
			return nil
		}
	}
	return b
}

// Get returns the value of a key. ok is false if the bucket or the key does
// not exist, or if the key names a bucket.
func (r *rows) Get(path [][]byte, key []byte) (value []byte, ok bool) {
	value, state := r.look(path, key)
	return value, state == isValue
}

// What is found under a key.
const (
	noBucket = iota // the bucket does not exist
	isAbsent
	isValue
	isBucket
)

func (r *rows) look(path [][]byte, key []byte) (value []byte, state int) {
	r.try(func() {
		b := r.bucket(path)
		if b == nil {
			return
		}
		k, v := b.Cursor().Seek(key)
		switch {
		case k == nil || !bytes.Equal(k, key):
			state = isAbsent
		case v == nil:
			state = isBucket
		default:
			value, state = v, isValue
		}
	})
	return value, state
}

// Sequence returns a bucket's sequence. ok is false if it does not exist.
func (r *rows) Sequence(path [][]byte) (seq uint64, ok bool) {
	r.try(func() {
		if b := r.bucket(path); b != nil {
			seq, ok = b.Sequence(), true
		}
	})
	return seq, ok
}

// Near returns up to up values of a bucket before a key, and up to down behind
// it, the nearest first.
func (r *rows) Near(path [][]byte, key []byte, up, down int) (before, behind []Item) {
	r.try(func() {
		b := r.bucket(path)
		if b == nil {
			return
		}
		info := &Bucket{Path: path, Depth: len(path), Encoded: EncodePath(path)}
		c := b.Cursor()
		k, v := c.Seek(key)
		if bytes.Equal(k, key) {
			k, v = c.Next()
		}
		for ; k != nil && len(behind) < down; k, v = c.Next() {
			if v != nil {
				behind = append(behind, Item{info, k, v})
			}
		}
		if k, _ = c.Seek(key); k == nil {
			k, v = c.Last()
		} else {
			k, v = c.Prev()
		}
		for ; k != nil && len(before) < up; k, v = c.Prev() {
			if v != nil {
				before = append(before, Item{info, k, v})
			}
		}
	})
	return before, behind
}
