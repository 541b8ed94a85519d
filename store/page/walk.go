package page

import "bytes"

// A frame is a page on the way from the root to the page being read: the
// children that are still to come, copied out of it, so that the page itself
// need not be held.
type frame struct {
	at   place
	leaf bool // the children are roots of buckets, their keys the names
	kids []kid
	keys []byte // of the children, one behind the other
	next int
	room int  // what it may take in memory
	full bool // there were more children
}

// A kid is one child of a frame. A key of length 0 could not be read.
type kid struct {
	page     uint64
	key, len uint32
}

const (
	kidSize   = 16
	frameSize = 192 // about what an empty frame takes, its path included

	// maxHeld bounds the open path. Healthy trees are some levels deep, and
	// each level of nested buckets takes about 300 bytes.
	maxHeld = 64 << 20
)

// add appends a child; key is copied. What would not fit into room is left out.
func (f *frame) add(page uint64, key []byte) {
	if f.size()+kidSize+len(key) > f.room {
		f.full = true
		return
	}
	f.kids = append(f.kids, kid{page, uint32(len(f.keys)), uint32(len(key))})
	f.keys = append(f.keys, key...)
}

// key returns the key of child i, nil if it could not be read.
func (f *frame) key(i int) []byte {
	k := f.kids[i]
	if k.len == 0 {
		return nil
	}
	return f.keys[k.key:][:k.len:k.len]
}

// size is about what the frame takes in memory.
func (f *frame) size() int { return frameSize + len(f.kids)*kidSize + len(f.keys) }

// child returns the place of child i: of a branch a part of its keys, of a leaf
// a bucket and all keys.
func (f *frame) child(i int) place {
	p := place{page: f.kids[i].page, from: f.at.page}
	if f.leaf {
		p.bucket = &path{f.at.bucket, f.key(i)}
		return p
	}
	p.bucket, p.lo, p.hi = f.at.bucket, f.key(i), f.at.hi
	if i+1 < len(f.kids) {
		// A branch out of order is reported once, not again by each child.
		if next := f.key(i + 1); next != nil && bytes.Compare(p.lo, next) < 0 {
			p.hi = next
		}
	}
	return p
}

// walk visits the tree in key order, buckets where they stand.
func (c *checker) walk(root uint64) error {
	c.visit(place{page: root, from: uint64(c.res.Metas.Live)}, true)
	return c.finish()
}

// finish visits what lies below the pages on the stack. There is no recursion:
// how deep it goes is up to the file.
func (c *checker) finish() error {
	for steps := 0; len(c.stack) > 0; steps++ {
		if steps%64 == 0 {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			if c.split != nil && (c.split.bad.Load() || c.unwell()) {
				return nil
			}
			c.progress(false)
		}
		f := &c.stack[len(c.stack)-1]
		if f.next == len(f.kids) {
			c.held -= f.size()
			*f = frame{}
			c.stack = c.stack[:len(c.stack)-1]
			continue
		}
		f.next++
		c.visit(f.child(f.next-1), f.leaf)
	}
	return nil
}

// visit reads one page and puts it on the stack if it has children. What is
// wrong with it is reported, and the walk goes on with what stands beside it.
func (c *checker) visit(at place, root bool) {
	h, ok := c.open(at, flagBranch|flagLeaf)
	if !ok {
		return
	}
	n := node{branch: h.flags == flagBranch, count: int(h.count)}
	n.top = !n.branch && at.bucket == nil
	switch {
	case !n.fits(c.node.size):
		c.fault(at, KindPageCount, Error, "%d elements do not fit", n.count)
		return
	case n.count == 0 && n.branch:
		c.fault(at, KindPageCount, Error, "a branch without elements")
		return
	case n.count == 1 && n.branch:
		// bbolt panics when it wants to merge the only child with a sibling.
		c.fault(at, KindPageCount, Error, "a branch with one element")
	case n.count == 0 && !root:
		c.fault(at, KindPageCount, Error, "an empty leaf under a branch")
		return
	}
	f := &c.kids
	*f = frame{at: at, leaf: !n.branch, room: maxHeld - c.held}
	if n.branch {
		f.kids = make([]kid, 0, n.count)
	}
	x := scan{c: c, s: &c.node, node: n, at: at, kids: f}
	if end, ok := x.run(); ok {
		c.slack(at, h, end)
	}
	if f.full {
		c.fault(at, KindTooDeep, Error, "with %d pages open above it there are too many children to go on", len(c.stack))
		return
	}
	if len(f.kids) == 0 {
		return
	}
	c.held += f.size()
	c.stack = append(c.stack, *f)
}

// slack compares the end of a page's last element with its run. If that lies
// behind the first page it is not looked at: it would cost one more read a leaf,
// for bytes that nothing uses.
func (c *checker) slack(at place, h header, end int64) {
	if want := (end+c.ps-1)/c.ps - 1; int64(h.overflow) != want {
		c.fault(at, KindOverflow, Oddity, "%d overflow pages where %d would do", h.overflow, want)
	}
	if end < int64(len(c.node.head)) && !zero(c.node.head[end:]) {
		c.fault(at, KindSlack, Oddity, "bytes behind the last element are not zero")
	}
}

// zeros is what slack is compared with, a piece at a time.
var zeros [4096]byte

// zero reports whether b is all zeros.
func zero(b []byte) bool {
	for len(b) > len(zeros) {
		if !bytes.Equal(b[:len(zeros)], zeros[:]) {
			return false
		}
		b = b[len(zeros):]
	}
	return bytes.Equal(b, zeros[:len(b)])
}

// onPath reports whether a page is open, so that reaching it again is a cycle.
func (c *checker) onPath(id uint64) bool {
	for i := range c.stack {
		if c.stack[i].at.page == id {
			return true
		}
	}
	return false
}
