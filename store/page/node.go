package page

import (
	"bytes"
	"fmt"
	"io"
)

// A Node is a page of a tree with its overflow, or an inline bucket. Of what
// lies behind the page's head nothing is kept: values can be large.
type Node struct {
	ID     uint64 // 0 for an inline bucket
	Branch bool
	// Broken is the first element that points out of the page or into
	// others, nil if none does. Such elements have no key and no value.
	Broken *Fault

	r     io.ReaderAt
	off   int64 // of the node in r
	size  int64
	head  []byte // its first bytes
	elems []element
	keys  [][]byte // of a branch
}

const (
	// maxKeys bounds the keys of one branch: healthy ones fill a page.
	maxKeys = 64 << 20
	// maxValue is the largest value that is read, half of what bbolt takes:
	// a file of holes can claim many of any size.
	maxValue = 1 << 30
)

// parse reads the table of elements.
func (n *Node) parse(count int) *Fault {
	shape := node{branch: n.Branch, count: count}
	if !shape.fits(n.size) || n.Branch && count == 0 {
		return faultf(KindPageCount, "%d elements cannot be", count)
	}
	table, err := n.bytes(headerSize, shape.table()-headerSize)
	if err != nil {
		return faultf(KindUnreadable, "%v", err)
	}
	n.elems = make([]element, count)
	end := shape.table()
	for i := range n.elems {
		e := parseElement(table[elemSize*i:], headerSize+elemSize*int64(i), n.Branch)
		kind, what := e.check(end, n.size)
		if kind == "" && e.end-e.kend > maxValue {
			kind, what = KindElement, "is larger than is read"
		}
		if kind == "" {
			end = e.end
		} else {
			if n.Broken == nil {
				n.Broken = faultf(kind, "element %d of %d %s", i, count, what)
			}
			e.kpos, e.kend, e.end = 0, 0, 0
		}
		n.elems[i] = e
	}
	if n.Branch {
		return n.readKeys()
	}
	return nil
}

// readKeys reads all keys of a branch.
func (n *Node) readKeys() *Fault {
	n.keys = make([][]byte, len(n.elems))
	held := 0
	for i, e := range n.elems {
		if held += int(e.kend - e.kpos); held > maxKeys {
			return faultf(KindTooDeep, "a branch with more than %d bytes of keys", maxKeys)
		}
		key, err := n.bytes(e.kpos, e.kend-e.kpos)
		if err != nil {
			return faultf(KindUnreadable, "%v", err)
		}
		n.keys[i] = key
	}
	return nil
}

// bytes returns size bytes at off in the node, which must lie inside. They are
// never written to again.
func (n *Node) bytes(off, size int64) ([]byte, error) {
	if off+size <= int64(len(n.head)) {
		return n.head[off : off+size : off+size], nil
	}
	b := make([]byte, size)
	if got, err := n.r.ReadAt(b, n.off+off); int64(got) < size {
		return nil, fmt.Errorf("read %d bytes at %d: %w", size, n.off+off, err)
	}
	return b, nil
}

// Len returns the number of elements.
func (n *Node) Len() int { return len(n.elems) }

// Held returns about how many bytes of memory the node takes.
func (n *Node) Held() int {
	held := len(n.head) + 48*len(n.elems)
	for _, k := range n.keys {
		held += 24 + len(k)
	}
	return held
}

// Child returns the page that element i of a branch leads to.
func (n *Node) Child(i int) uint64 { return n.elems[i].page }

// Key returns the key of element i, nil for a broken one.
func (n *Node) Key(i int) ([]byte, error) {
	e := n.elems[i]
	switch {
	case e.kend == 0:
		return nil, nil
	case n.Branch:
		return n.keys[i], nil
	}
	return n.bytes(e.kpos, e.kend-e.kpos)
}

// Find returns the first element whose key is not smaller than key. Where no
// element is broken, keys are taken to increase.
func (n *Node) Find(key []byte) (int, error) {
	if n.Broken != nil {
		for i := range n.elems {
			k, err := n.Key(i)
			if err != nil || k != nil && bytes.Compare(k, key) >= 0 {
				return i, err
			}
		}
		return len(n.elems), nil
	}
	lo, hi := 0, len(n.elems)
	for lo < hi {
		mid := (lo + hi) / 2
		k, err := n.Key(mid)
		if err != nil {
			return 0, err
		}
		if bytes.Compare(k, key) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// An Entry is one element of a leaf. Key and Value are never written to again.
type Entry struct {
	Key, Value []byte
	flags      uint32
	inline     bool // it lies in an inline bucket
}

// Entries reads the elements of a leaf from i on, at least one, and more as
// long as they take no more than limit bytes together; broken ones are passed
// over. It returns where to go on.
func (n *Node) Entries(i, limit int) (list []Entry, next int, err error) {
	for i < len(n.elems) && n.elems[i].kend == 0 {
		i++
	}
	if i == len(n.elems) {
		return nil, i, nil
	}
	start := n.elems[i].kpos
	next = i + 1
	for next < len(n.elems) && n.elems[next].kend != 0 && n.elems[next].end-start <= int64(limit) {
		next++
	}
	all, err := n.bytes(start, n.elems[next-1].end-start)
	if err != nil {
		return nil, next, err
	}
	for _, e := range n.elems[i:next] {
		key, kend, end := e.kpos-start, e.kend-start, e.end-start
		list = append(list, Entry{all[key:kend:kend], all[kend:end:end], e.flags, n.ID == 0})
	}
	return list, next, nil
}

// IsBucket reports whether the entry is a bucket, or ought to be one.
func (e Entry) IsBucket() bool { return e.flags != 0 }

// Bucket returns where the entry's bucket begins: its root page, or, if that is
// 0, the node that lies in its value.
func (e Entry) Bucket() (root, sequence uint64, inline *Node, f *Fault) {
	switch {
	case e.flags != flagIsBucket:
		return 0, 0, nil, faultf(KindElement, "key %s has the flags %#x", encode(e.Key), e.flags)
	case e.inline:
		return 0, 0, nil, faultf(KindBucket, "bucket %s lies in an inline bucket", encode(e.Key))
	case len(e.Value) < bucketSize:
		return 0, 0, nil, faultf(KindBucket, "a bucket of %d bytes", len(e.Value))
	}
	root, sequence = native.Uint64(e.Value), native.Uint64(e.Value[8:])
	if root != 0 {
		return root, sequence, nil, nil
	}
	b := e.Value[bucketSize:]
	if len(b) < headerSize {
		return 0, 0, nil, faultf(KindBucket, "an inline bucket of %d bytes", len(b))
	}
	h := parseHeader(b)
	if h.flags != flagLeaf || h.id != 0 || h.overflow != 0 {
		return 0, 0, nil, faultf(KindBucket, "an inline bucket with flags %#x, page id %d and %d overflow pages", h.flags, h.id, h.overflow)
	}
	n := &Node{size: int64(len(b)), head: b}
	if f := n.parse(int(h.count)); f != nil {
		return 0, 0, nil, f
	}
	return 0, sequence, n, nil
}
