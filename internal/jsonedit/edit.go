package jsonedit

import "slices"

// An Item is an element of an array to be: a node of the same document, from anywhere in it, or a new text
// where Raw is not nil.
type Item struct {
	Ref Ref
	Raw []byte
}

// An Edit is a set of changes to one document. Its zero value changes nothing.
//
// A change works wherever its node ends up: an element that [Edit.SetElems] keeps or moves is written with the
// changes inside it. A change inside a node that is replaced or left out has no effect. Of Replace, SetElems
// and the two for members, called on one node, the last one wins. A change of None or of a node that the
// document has not is nothing. Texts passed in are kept, not copied: leave them alone until the Edit is done.
type Edit struct {
	changes map[Ref]*change
	order   []Ref // the keys of changes
	sorted  bool  // order is in document order
	size    int   // of all texts passed in, about
}

// change is what is to become of one node.
type change struct {
	op      op
	raw     []byte
	items   []Item
	removed []Ref // keys
	added   []member
}

type op uint8

const (
	replace op = iota
	elems
	members
)

type member struct {
	name string
	raw  []byte
}

// at is the change of r, made anew where it is of another sort.
func (e *Edit) at(r Ref, op op) *change {
	c := e.changes[r]
	if c == nil {
		if e.changes == nil {
			e.changes = map[Ref]*change{}
		}
		c = new(change)
		e.changes[r] = c
		e.sorted = len(e.order) == 0 || e.sorted && e.order[len(e.order)-1] < r
		e.order = append(e.order, r)
	}
	if c.op != op {
		*c = change{op: op}
	}
	return c
}

// Replace puts raw in place of r, which may be a key.
func (e *Edit) Replace(r Ref, raw []byte) {
	if r >= 0 {
		e.at(r, replace).raw = raw
		e.size += len(raw)
	}
}

// SetElems makes items the elements of arr. The package comment tells which separators they get. Without
// items the array becomes []; the same elements in the same order change no byte. A node that is no array
// becomes a compact one.
//
// An item has to name a node of the document. It may be arr itself or a node around it, so that a value can
// be wrapped: within its own elements arr is written as it was.
func (e *Edit) SetElems(arr Ref, items []Item) {
	if arr < 0 {
		return
	}
	e.at(arr, elems).items = slices.Clone(items)
	for _, it := range items {
		e.size += len(it.Raw) + 8
	}
}

// AddMember puts a member behind the last one of obj, with the separators and the space around the colon
// that the members there have. What is no object stays as it is.
func (e *Edit) AddMember(obj Ref, name string, raw []byte) {
	if obj >= 0 {
		c := e.at(obj, members)
		c.added = append(c.added, member{name, raw})
		e.size += len(name) + len(raw) + 16
	}
}

// RemoveMember takes out the one member of obj whose key is the node key, and one separator with it. Where
// obj has no such key nothing happens.
func (e *Edit) RemoveMember(obj, key Ref) {
	if obj >= 0 {
		c := e.at(obj, members)
		c.removed = append(c.removed, key)
	}
}

// Empty tells whether nothing was asked for.
func (e *Edit) Empty() bool { return len(e.changes) == 0 }

// Reset forgets all changes and keeps the memory.
func (e *Edit) Reset() {
	clear(e.changes)
	e.order, e.size = e.order[:0], 0
}

// Bytes is the whole document with all changes, in memory of its own.
func (e *Edit) Bytes(d *Doc) []byte {
	w := e.writer(d, len(d.src)+e.size)
	start, end := d.Span(0)
	w.out = append(w.out, d.src[:start]...)
	w.node(0)
	return append(w.out, d.src[end:]...)
}

// Render is the text of the one node r with the changes to it and inside it, in memory of its own.
func (e *Edit) Render(d *Doc, r Ref) []byte {
	start, end := d.Span(r)
	w := e.writer(d, end-start)
	if d.has(r) {
		w.node(r)
	}
	return w.out
}

func (e *Edit) writer(d *Doc, size int) *writer {
	if !e.sorted {
		slices.Sort(e.order)
		e.sorted = true
	}
	return &writer{Edit: e, d: d, out: make([]byte, 0, size)}
}
