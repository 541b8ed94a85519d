package page

import "bytes"

const (
	elemSize     = 16
	bucketSize   = 16
	maxKeySize   = 32768
	flagIsBucket = 1
)

// A node says what a span holds.
type node struct {
	branch bool
	inline bool // an inline bucket
	top    bool // a leaf of the top level
	count  int
}

// fits reports whether the table of elements lies inside size bytes. bbolt
// keeps count 0xFFFF for long freelists.
func (n node) fits(size int64) bool {
	return n.count < 0xFFFF && n.table() <= size
}

// table returns where the table of elements ends.
func (n node) table() int64 { return headerSize + elemSize*int64(n.count) }

// An element is one element of a node, its key at kpos in the span, its value
// from kend to end.
type element struct {
	flags           uint32
	page            uint64
	kpos, kend, end int64
}

// parseElement reads an element of 16 bytes that lies at off in its span.
func parseElement(b []byte, off int64, branch bool) element {
	_ = b[elemSize-1]
	if branch {
		kpos := off + int64(native.Uint32(b))
		kend := kpos + int64(native.Uint32(b[4:]))
		return element{page: native.Uint64(b[8:]), kpos: kpos, kend: kend, end: kend}
	}
	kpos := off + int64(native.Uint32(b[4:]))
	kend := kpos + int64(native.Uint32(b[8:]))
	return element{
		flags: native.Uint32(b),
		kpos:  kpos, kend: kend, end: kend + int64(native.Uint32(b[12:])),
	}
}

// check compares an element with the end of the one before it and the size of
// its span. It returns what is wrong with it, an empty kind if nothing is.
func (e *element) check(end, size int64) (kind, what string) {
	switch ksize := e.kend - e.kpos; {
	case ksize == 0:
		return KindKeySize, "has no key"
	case ksize > maxKeySize:
		return KindKeySize, "has too long a key"
	case e.kpos < end:
		return KindElement, "begins inside the table or the element before"
	case e.end > size:
		return KindElement, "ends outside of the page"
	}
	return "", ""
}

// A scan goes through the elements of a node whose table fits, and appends the
// children to kids.
//
// An element must not begin before the end of the one in front of it. That is
// how all writers lay them, and it bounds what is read by the size of the span.
type scan struct {
	c    *checker
	s    *span
	node node
	at   place
	kids *frame

	i    int    // the element
	end  int64  // where the last sound one ends
	prev []byte // its key
	// broken says that an element was passed over, unordered that keys do not
	// increase, gap that there is room between elements. Each is reported
	// once.
	broken, unordered, gap bool
}

// run scans all elements. It returns where the last one ends and whether the
// layout is as writers make it.
func (x *scan) run() (end int64, ok bool) {
	x.end = x.node.table()
	for ; x.i < x.node.count; x.i++ {
		off := headerSize + elemSize*int64(x.i)
		b, err := x.s.at(off, elemSize)
		if err != nil {
			return x.unreadable(err)
		}
		e := parseElement(b, off, x.node.branch)
		if kind, what := e.check(x.end, x.s.size); kind != "" {
			x.pass(e, kind, what)
			continue
		}
		x.gap = x.gap || e.kpos > x.end
		x.end = e.end
		key, err := x.s.at(e.kpos, e.kend-e.kpos)
		if err != nil {
			return x.unreadable(err)
		}
		x.order(key)
		x.prev = x.s.keep(key, e.kpos)
		if x.node.branch {
			x.kids.add(e.page, key)
		} else if e.flags != 0 || x.node.top {
			x.entry(e)
		}
	}
	if x.prev != nil && x.at.hi != nil && bytes.Compare(x.prev, x.at.hi) >= 0 {
		x.fault(KindKeyRange, Error, "the last key is greater than the branch above allows")
	}
	if x.gap && !x.broken {
		x.fault(KindGap, Oddity, "unused bytes between keys and values")
	}
	return x.end, !x.broken && !x.unordered && !x.gap
}

// order compares a key with the one before it, or, if it is the first, with
// what the branch above says.
func (x *scan) order(key []byte) {
	if x.prev != nil {
		if !x.unordered && bytes.Compare(x.prev, key) >= 0 {
			x.unordered = true
			x.fault(KindKeyOrder, Error, "the key of element %d of %d is not greater than the one before", x.i, x.node.count)
		}
		return
	}
	if x.at.lo == nil {
		return
	}
	switch d := bytes.Compare(key, x.at.lo); {
	case d < 0:
		x.fault(KindKeyRange, Error, "the first key is smaller than the branch above allows")
	case d > 0 && !x.broken:
		// bbolt looks for a page in its parent by the page's first key. If it
		// is not there, a write leaves the old entry beside a new one, and
		// two pages with the same keys.
		x.fault(KindSeparator, Error, "the first key is not the key of the branch above")
	}
}

// pass reports the first broken element. What a branch has below it is visited
// all the same: the page id lies in the table.
func (x *scan) pass(e element, kind, what string) {
	if !x.broken {
		x.broken = true
		x.fault(kind, Error, "element %d of %d %s", x.i, x.node.count, what)
	}
	if x.node.branch {
		x.kids.add(e.page, nil)
	}
}

// unreadable reports that the system failed, and ends the scan.
func (x *scan) unreadable(err error) (end int64, ok bool) {
	x.fault(KindUnreadable, Error, "%v", err)
	return x.end, false
}

// fault reports a problem of the node.
func (x *scan) fault(kind string, sev Severity, format string, args ...any) {
	x.c.fault(x.at, kind, sev, format, args...)
}
