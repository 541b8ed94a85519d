package page

import (
	"fmt"
	"io"
)

// A Tree reads the pages that one meta leads to, each by pread and checked
// before anything in it is used, so that what is whole in a damaged file can
// be read, and so can a file that somebody writes to. It gives each page out
// once, so that a walk ends on any file. It serves one goroutine.
type Tree struct {
	Root uint64
	// Size is how many bytes of the file the tree can lie in.
	Size int64

	r    io.ReaderAt
	ps   int64
	hwm  uint64
	have uint64 // whole pages in the file
	used bitset
}

// Tree returns the tree of the meta that counts, in a file of size bytes. m
// must have one.
func (m *Metas) Tree(r io.ReaderAt, size int64) *Tree {
	live := &m.Meta[m.Live]
	t := &Tree{Root: live.Root, r: r, ps: int64(m.PageSize), hwm: live.Pages}
	t.have = uint64(size / t.ps)
	n := min(t.hwm, t.have)
	t.Size = int64(n) * t.ps
	t.used = newBitset(n)
	return t
}

// Same reads both metas again and reports whether they are byte for byte those
// of m.
//
// A transaction of bbolt never writes to a page that the one before it reaches,
// and its meta is the last that it writes. So if both metas are the same after
// some pages were read as before, none of those pages was written meanwhile:
// that would have been by the transaction after the next, behind the meta of
// the next.
func (m *Metas) Same(r io.ReaderAt) (bool, error) {
	var b [metaSize]byte
	for i := range m.Meta {
		off := int64(i*m.PageSize) + headerSize
		if n, err := r.ReadAt(b[:], off); n < len(b) {
			if err == io.EOF {
				return false, nil // it was cut short
			}
			return false, fmt.Errorf("read meta at %d: %w", off, err)
		}
		if b != m.Meta[i].Raw {
			return false, nil
		}
	}
	return true, nil
}

// A Fault says why a page, or a part of it, is not what it should be.
type Fault struct {
	Kind   string
	Detail string
}

func faultf(kind, format string, args ...any) *Fault {
	return &Fault{kind, fmt.Sprintf(format, args...)}
}

// Node reads the head of a page, a branch or a leaf, and the places of its
// elements. With a fault there is no node.
func (t *Tree) Node(id uint64) (*Node, *Fault) {
	switch {
	case id < 2 || id >= t.hwm:
		return nil, faultf(KindPageBound, "page %d is named, the high water mark is %d", id, t.hwm)
	case id >= t.have:
		return nil, faultf(KindTruncated, "the file ends before it")
	case t.used.has(id):
		return nil, faultf(KindReachedTwo, "it is in use elsewhere")
	}
	t.used.add(id, id+1)
	n := &Node{ID: id, r: t.r, off: int64(id) * t.ps, head: make([]byte, t.ps)}
	if got, err := t.r.ReadAt(n.head, n.off); got < len(n.head) {
		return nil, faultf(KindUnreadable, "read %d bytes at %d: %v", len(n.head), n.off, err)
	}
	h := parseHeader(n.head)
	run := uint64(h.overflow) + 1
	switch {
	case h.id != id:
		return nil, faultf(KindPageID, "its header says page %d", h.id)
	case h.flags != flagBranch && h.flags != flagLeaf:
		return nil, faultf(KindPageType, "flags %#x where a branch or leaf is wanted", h.flags)
	case id+run > t.hwm:
		return nil, faultf(KindOverflow, "%d overflow pages pass the high water mark %d", h.overflow, t.hwm)
	case id+run > t.have:
		return nil, faultf(KindTruncated, "the file ends inside its %d overflow pages", h.overflow)
	}
	if _, two := t.used.first(id+1, id+run); two {
		return nil, faultf(KindReachedTwo, "a page of its run is in use elsewhere")
	}
	t.used.add(id, id+run)
	n.Branch, n.size = h.flags == flagBranch, int64(run)*t.ps
	return n, n.parse(int(h.count))
}
