package jsonedit

import "iter"

// Kind is the kind of a value.
type Kind uint8

const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object

	// Missing is the kind of [None] and of any other Ref that names no node.
	Missing Kind = 0xff
)

// String is the kind's name, in lower case.
func (k Kind) String() string {
	if k > Object {
		return "missing"
	}
	return [...]string{"null", "false", "true", "number", "string", "array", "object"}[k]
}

// Ref names a node of a [Doc]: its index in document order, an object's keys included. The root is 0.
type Ref int32

// None names no node.
const None Ref = -1

// A Doc is the index of one text. A Ref that names no node of it has the kind [Missing], no text, no
// children and an empty span.
type Doc struct {
	src   []byte
	nodes []node
	seen  escapes
}

// Src is the text itself.
func (d *Doc) Src() []byte { return d.src }

// Nodes is the number of nodes: every Ref below it names one.
func (d *Doc) Nodes() Ref { return Ref(len(d.nodes)) }

func (d *Doc) has(r Ref) bool { return uint(r) < uint(len(d.nodes)) }

// Kind is the kind of r; a key is a String.
func (d *Doc) Kind(r Ref) Kind {
	if !d.has(r) {
		return Missing
	}
	return d.nodes[r].kind
}

// Span is where r stands in the text, quotes or brackets included.
func (d *Doc) Span(r Ref) (start, end int) {
	if !d.has(r) {
		return 0, 0
	}
	return int(d.nodes[r].start), int(d.nodes[r].end)
}

// Raw is the text of r as stored, quotes or brackets included: a part of Src.
func (d *Doc) Raw(r Ref) []byte {
	start, end := d.Span(r)
	return d.src[start:end:end]
}

// End is the Ref just behind r and all that is in it. The elements of an array a are
//
//	for c, end := a+1, d.End(a); c < end; c = d.End(c)
//
// and the members of an object o, with c the key and c+1 the value,
//
//	for c, end := o+1, d.End(o); c < end; c = d.End(c+1)
func (d *Doc) End(r Ref) Ref {
	if !d.has(r) {
		return r + 1 // so that both loops above do nothing
	}
	return Ref(d.nodes[r].next)
}

// Get is the value of the last member of obj with exactly this name, or None; also for what is no object.
func (d *Doc) Get(obj Ref, name string) Ref {
	found := None
	if d.Kind(obj) == Object {
		for c, end := obj+1, d.End(obj); c < end; c = d.End(c + 1) {
			if d.Is(c, name) {
				found = c + 1
			}
		}
	}
	return found
}

// Elems yields the elements of arr in order; nothing for what is no array.
func (d *Doc) Elems(arr Ref) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		if d.Kind(arr) != Array {
			return
		}
		for c, end := arr+1, d.End(arr); c < end; c = d.End(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// Members yields the keys and values of obj in order; nothing for what is no object.
func (d *Doc) Members(obj Ref) iter.Seq2[Ref, Ref] {
	return func(yield func(key, value Ref) bool) {
		if d.Kind(obj) != Object {
			return
		}
		for c, end := obj+1, d.End(obj); c < end; c = d.End(c + 1) {
			if !yield(c, c+1) {
				return
			}
		}
	}
}
