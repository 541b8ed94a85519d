package page

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A sound file, which is what nearly all are, is checked by several goroutines,
// each with a checker and a set of pages of its own, so that they share nothing
// that is written to. They report nothing: their answer is that all is well, or
// that it is not. What is not well is for the walk by one goroutine to tell,
// whose reports, order and memory are those of a file that was never split.

const (
	maxSplit = 8
	// From so many bytes of file on it is worth it, and up to so many each
	// goroutine's set of pages is small.
	splitFrom = 16 << 20
	splitTo   = 1 << 40
	// partsEach is how many parts of the tree each goroutine gets, so that
	// they end at about the same time.
	partsEach = 16
)

// A part is a page to begin at; root tells that it is the root of a bucket.
type part struct {
	at   place
	root bool
}

// A split is a walk by several checkers.
type split struct {
	parts []part
	next  atomic.Int64  // the part that is to be taken next
	done  atomic.Uint64 // pages that all have read
	bad   atomic.Bool   // something is not well, so there is no need to go on
}

// splits is how many goroutines are worth while.
func (c *checker) splits() int {
	if c.opts.split > 0 {
		return c.opts.split
	}
	if size := int64(c.used.n) * c.ps; size < splitFrom || size > splitTo || c.ps > maxWindow {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), maxSplit)
}

// walkSplit walks the tree by several goroutines. If all is well, c is as after
// a walk of its own. If not, ok is false and c is as before.
func (c *checker) walkSplit(root uint64) (ok bool, err error) {
	n := c.splits()
	if n < 2 {
		return false, nil
	}
	s := &split{}
	s.done.Store(c.done)
	scout := c.fork(s)
	scout.opts.Progress = nil
	enough := n * partsEach
	if c.opts.split > 0 {
		enough = n
	}
	s.parts = scout.scout(root, enough)
	if scout.unwell() {
		return false, nil
	}
	all := []*checker{scout}
	for range min(n, len(s.parts)) {
		w := c.fork(s)
		w.held = scout.held // for the pages above a part
		all = append(all, w)
	}
	if err := s.run(all[1:]); err != nil {
		return false, err
	}
	return c.join(all), nil
}

// run lets each worker take parts, the first one in the calling goroutine,
// which is Progress's.
func (s *split) run(workers []*checker) error {
	errs := make([]error, len(workers))
	var wg sync.WaitGroup
	defer wg.Wait() // also if Progress panics
	for i, w := range workers {
		if i > 0 {
			w.opts.Progress = nil
			wg.Go(func() { errs[i] = w.takeParts() })
		}
	}
	if len(workers) > 0 {
		errs[0] = workers[0].takeParts()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// fork makes a checker for the same file, which has seen no page so far.
func (c *checker) fork(s *split) *checker {
	f := *c
	f.split = s
	f.report = func(Problem) {}
	f.res = Result{Metas: c.res.Metas}
	f.used = newBitset(c.used.n)
	f.win = window{r: c.r, limit: c.win.limit, buf: make([]byte, len(c.win.buf))}
	f.node, f.inline, f.kids = span{}, span{}, frame{}
	f.done, f.told = 0, c.told
	return &f
}

// scout goes down from the root level by level until there are enough parts,
// or none.
func (c *checker) scout(root uint64, enough int) []part {
	parts := []part{{place{page: root, from: uint64(c.res.Metas.Live)}, true}}
	for len(parts) > 0 && len(parts) < enough && !c.unwell() {
		var below []part
		for _, p := range parts {
			c.visit(p.at, p.root)
			if len(c.stack) == 0 {
				continue
			}
			f := c.stack[0]
			c.stack = c.stack[:0]
			for i := range f.kids {
				below = append(below, part{f.child(i), f.leaf})
			}
		}
		parts = below
	}
	return parts
}

// takeParts walks one part after the other until all are taken.
func (c *checker) takeParts() error {
	for {
		i := c.split.next.Add(1) - 1
		if i >= int64(len(c.split.parts)) || c.split.bad.Load() {
			return nil
		}
		p := c.split.parts[i]
		c.visit(p.at, p.root)
		if err := c.finish(); err != nil {
			return err
		}
		if c.unwell() {
			c.split.bad.Store(true)
			return nil
		}
	}
}

// unwell reports whether c has met a problem.
func (c *checker) unwell() bool { return c.res.Errors+c.res.Oddities > 0 }

// join takes in what all checkers have seen if no one has met a problem and no
// page was seen by two.
func (c *checker) join(all []*checker) bool {
	used := c.used.clone()
	for _, w := range all {
		if w.unwell() || !used.unite(&w.used) {
			return false
		}
	}
	c.used = used
	for _, w := range all {
		c.res.Reachable += w.res.Reachable
		c.done += w.res.Reachable
		c.told = max(c.told, w.told)
	}
	return true
}
