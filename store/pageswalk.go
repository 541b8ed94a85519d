package store

import (
	"context"
	"time"

	"boltmend/store/page"
)

const (
	// atOnce bounds what is read of a leaf in one piece, but for a value that
	// is larger.
	atOnce = 64 << 10
	// maxOpen bounds what a walk holds: the pages on the way from the root.
	maxOpen = 128 << 20
	// leastTries is how often a leaf is tried before it is passed over.
	leastTries = 10
)

// A pageWalk is one walk of a [Pages]. It looks and then acts: what it saw
// counts only if the file was not written to while it looked.
type pageWalk struct {
	p       *Pages
	ctx     context.Context
	fn      func(Item) error
	enter   func(*Bucket) error
	shallow bool // nested buckets are passed over
	quiet   bool // what cannot be read is not reported
	base    int  // the level that the walk is about
	limit   int  // bounds what is read of a leaf in one piece

	looking bool // state is what the levels are read from
	state   state
	levels  []level
	paths   int // bytes of Encoded of the levels
	open    int // bytes of the pages that the levels hold

	tries int       // in a row for nothing
	since time.Time // when something last came of it
	bound []byte    // where the leaf that was looked for ends, if that is known
	over  bool
	lost  bool // the bucket that the walk is about is not there
}

// A level is one bucket that the walk is in.
type level struct {
	chain
	root   uint64
	inline *page.Node
	// sought tells that steps lead to where the walk is. They are pages from
	// the bucket's root down, the last one a leaf.
	sought bool
	steps  []step
	rest   []page.Entry // read and not yet dealt with
	pos    position
}

// A position is a key that the walk goes on from; the zero value is the
// beginning.
type position struct {
	key    []byte
	behind bool // the key itself was dealt with
}

// A step is a page on the way down, and the keys that the page above promises.
type step struct {
	node   *page.Node
	next   int
	lo, hi []byte
	said   bool // that its keys are not in order
}

// A found is what was seen by looking: entries of a leaf, or the end of the
// bucket, or that a bucket which the walk was in is no more; and what was wrong.
type found struct {
	level   int
	entries []page.Entry
	end     bool
	gone    bool
	faults  []problem
}

// A problem is a fault and where it is.
type problem struct {
	page.Fault
	page   uint64
	lo, hi []byte
}

// Walk is [View.Walk] over what can be read.
func (p *Pages) Walk(fn func(Item) error, enter func(*Bucket) error) error {
	w := pageWalk{p: p, fn: fn, enter: enter, limit: atOnce}
	w.push(level{chain: chain{info: &Bucket{}}})
	return w.run()
}

func (w *pageWalk) push(l level) {
	w.levels = append(w.levels, l)
	w.paths += len(l.info.Encoded)
}

// pop leaves the innermost bucket; the last one ends the walk.
func (w *pageWalk) pop() {
	last := len(w.levels) - 1
	if last == w.base {
		w.over = true
		return
	}
	w.close(&w.levels[last])
	w.paths -= len(w.levels[last].info.Encoded)
	w.levels[last] = level{}
	w.levels = w.levels[:last]
}

// close gives up the pages of a level.
func (w *pageWalk) close(l *level) {
	for _, s := range l.steps {
		w.open -= s.node.Held()
	}
	l.steps = nil
}

func (w *pageWalk) run() error {
	w.ctx, w.since = w.p.opts.context(), time.Now()
	for !w.over {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		f, err := w.look()
		if err != nil {
			return err
		}
		still, err := w.p.still(w.state)
		if err != nil {
			return err
		}
		if !still {
			w.moved()
			continue
		}
		if err := w.act(f); err != nil {
			return err
		}
	}
	return nil
}

// moved forgets what was read, since the file was written to meanwhile. Where
// that has come to nothing for too long, the leaf is passed over.
func (w *pageWalk) moved() {
	w.p.retries.Add(1)
	w.looking = false
	for i := range w.levels {
		w.levels[i].sought, w.levels[i].steps, w.levels[i].rest = false, nil, nil
	}
	w.open = 0
	w.tries++
	if w.tries < leastTries || time.Since(w.since) < w.p.opts.LockWait {
		return
	}
	l := &w.levels[len(w.levels)-1]
	w.p.passed.Add(1)
	w.say(l, problem{page.Fault{Kind: KindBusy, Detail: "passed over, since it was written to without pause"}, 0, l.pos.key, w.bound}, Passed)
	if w.bound == nil { // the last leaf of the bucket, or not known which
		w.pop()
	} else {
		l.pos = position{w.bound, false}
	}
	w.came()
}

// came notes that something came of looking.
func (w *pageWalk) came() { w.tries, w.since, w.bound = 0, time.Now(), nil }
