package store

import (
	"bytes"
	"errors"
	"os"
	"time"
)

var _ Reader = (*Pages)(nil)

// WalkBucket is [View.WalkBucket] over what can be read.
func (p *Pages) WalkBucket(path [][]byte, fn func(Item) error) error {
	return p.WalkFrom(path, nil, fn)
}

// WalkFrom is WalkBucket for the keys from one on.
func (p *Pages) WalkFrom(path [][]byte, from []byte, fn func(Item) error) error {
	w := pageWalk{p: p, fn: fn, limit: atOnce}
	return w.bucket(path, from)
}

// errEnough ends a walk that has what it wants.
var errEnough = errors.New("enough")

// Get is [View.Get] over what can be read.
func (p *Pages) Get(path [][]byte, key []byte) (value []byte, ok bool) {
	w := pageWalk{p: p}
	w.fn = func(it Item) error {
		if bytes.Equal(it.Key, key) {
			value, ok = it.Value, true
		}
		return errEnough
	}
	w.bucket(path, key) // what cannot be read is not there
	return value, ok
}

// Sequence is [View.Sequence] over what can be read.
func (p *Pages) Sequence(path [][]byte) (seq uint64, ok bool) {
	w := pageWalk{p: p, fn: func(Item) error { return errEnough }}
	err := w.bucket(path, nil)
	if err != nil && err != errEnough || len(path) == 0 {
		return 0, false
	}
	return w.levels[w.base].info.Sequence, true
}

// bucket walks one bucket from a key on, and reports nothing of what it cannot
// read.
func (w *pageWalk) bucket(path [][]byte, from []byte) error {
	w.shallow, w.quiet, w.base = true, true, len(path)
	w.push(level{chain: chain{info: &Bucket{}}})
	for _, name := range path {
		above := &w.levels[len(w.levels)-1]
		above.pos = position{name, true}
		w.push(level{chain: above.child(name, 0)})
	}
	if len(from) > 0 {
		w.levels[w.base].pos = position{from, false}
	}
	err := w.run()
	if err == nil && w.lost {
		return ErrNoBucket
	}
	return err
}

// Together runs fn on a reader of one state of the file. If the app has written
// to what fn read, it runs fn again, on the newest state: only what the last
// run saw counts. After Options.LockWait without a quiet moment it returns
// ErrLocked.
func (p *Pages) Together(fn func(Reader) error) error {
	if !p.opts.Live {
		return fn(p)
	}
	began := time.Now()
	for try := 1; ; try++ {
		s, err := p.look(p.opts.context())
		if err != nil {
			return err
		}
		one := &Pages{name: p.name, path: p.path, opts: Options{Context: p.opts.Context}, files: []*os.File{s.file}, fixed: s.metas}
		err = fn(one)
		still, failed := p.still(s)
		switch {
		case failed != nil:
			return failed
		case still:
			return err
		}
		p.retries.Add(1)
		if err := p.opts.context().Err(); err != nil {
			return err
		}
		if try >= leastTries && time.Since(began) >= p.opts.LockWait {
			return &Error{Code: CodeLocked, Path: p.path, Msg: "database is written to without pause"}
		}
	}
}
