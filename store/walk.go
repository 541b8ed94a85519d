package store

import (
	"errors"
	"runtime/debug"

	bolt "go.etcd.io/bbolt"
)

// An Item is one value. Key and Value are valid until the view closes.
type Item struct {
	Bucket *Bucket
	Key    []byte
	Value  []byte
}

// SkipBucket is what enter returns so that a walk passes over the bucket and
// all that is in it.
//
//lint:ignore ST1012 it is no failure, and named like fs.SkipDir
var SkipBucket = errors.New("skip this bucket")

// maxPaths bounds the bytes of the paths that one walk holds: a file made for
// it could nest buckets so deep, with names so long, that their paths alone
// filled the memory.
const maxPaths = 256 << 20

// Walk calls fn for each value of each bucket to any depth, in key order, a
// nested bucket where its name stands. enter, if not nil, is called as a
// bucket is entered, before its items. An error of either ends the walk and is
// returned. A page that cannot be read ends it with ErrDamaged, also if fn or
// enter came upon it.
func (v *View) Walk(fn func(Item) error, enter func(*Bucket) error) error {
	w := walker{fn: fn, enter: enter, path: v.path}
	return w.guard(func() error {
		root := v.tx.Cursor()
		w.push(root.Bucket(), root, chain{info: &Bucket{}})
		return w.run()
	})
}

// WalkBucket calls fn for each value of one bucket in key order; nested
// buckets are passed over. It returns ErrNoBucket if there is no such bucket.
func (r *rows) WalkBucket(path [][]byte, fn func(Item) error) error {
	w := walker{fn: fn, path: r.path}
	return w.guard(func() error {
		b := r.bucket(path)
		if b == nil {
			return ErrNoBucket
		}
		info := &Bucket{Path: path, Sequence: b.Sequence(), Depth: len(path), Encoded: EncodePath(path)}
		c := b.Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			if v == nil {
				continue
			}
			if err := w.call(func() error { return fn(Item{info, k, v}) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// A walker goes through buckets with a stack of its own, so that no depth of
// nesting overflows the goroutine's.
type walker struct {
	fn     func(Item) error
	enter  func(*Bucket) error
	path   string // of the database, for errors
	stack  []frame
	paths  int  // bytes of Encoded on the stack
	inside bool // a callback runs
}

type frame struct {
	chain
	bolt    *bolt.Bucket
	cursor  *bolt.Cursor
	started bool
}

// guard turns faults, and panics of bbolt, into damage. A panic of a callback
// that is no fault is its caller's.
func (w *walker) guard(fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			if w.inside && !isFault(r) {
				panic(r)
			}
			err = faultError(w.path, r)
		}
	}()
	return fn()
}

func (w *walker) call(fn func() error) error {
	w.inside = true
	err := fn()
	w.inside = false
	return err
}

func (w *walker) push(b *bolt.Bucket, c *bolt.Cursor, at chain) {
	w.stack = append(w.stack, frame{chain: at, bolt: b, cursor: c})
	w.paths += len(at.info.Encoded)
}

func (w *walker) pop() {
	last := len(w.stack) - 1
	w.paths -= len(w.stack[last].info.Encoded)
	w.stack[last] = frame{}
	w.stack = w.stack[:last]
}

func (w *walker) run() error {
	for len(w.stack) > 0 {
		f := &w.stack[len(w.stack)-1]
		var k, v []byte
		if f.started {
			k, v = f.cursor.Next()
		} else {
			f.started = true
			k, v = f.cursor.First()
		}
		switch {
		case k == nil:
			w.pop()
		case v == nil:
			if err := w.descend(f, k); err != nil {
				return err
			}
		default:
			w.inside = true
			err := w.fn(Item{f.info, k, v})
			w.inside = false
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// descend enters the bucket of that name in f.
func (w *walker) descend(f *frame, name []byte) error {
	b := f.bolt.Bucket(name)
	if b == nil {
		return &Error{Code: CodeDamaged, Path: w.path, Msg: "bucket " + EncodeName(name) + " cannot be opened"}
	}
	at := f.child(name, b.Sequence())
	if w.paths+len(at.info.Encoded) > maxPaths {
		return &Error{Code: CodeDamaged, Path: w.path, Msg: "buckets are nested deeper than memory is meant for"}
	}
	if w.enter != nil {
		err := w.call(func() error { return w.enter(at.info) })
		if err == SkipBucket {
			return nil
		}
		if err != nil {
			return err
		}
	}
	w.push(b, b.Cursor(), at)
	return nil
}
