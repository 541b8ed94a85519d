package jsonedit

import "slices"

// container is an array or object as it stands in the source: its children and the text between them. A child
// is an element or a member; it goes by its index, and -1 is one that is new.
type container struct {
	d    *Doc
	r    Ref
	kids []Ref // elements, or keys
	same bool  // r is of the kind asked for; if not, it counts as empty
	pair bool  // kids are keys
}

// container lists the children of r on the writer's stack.
func (w *writer) container(r Ref, kind Kind) container {
	box := container{d: w.d, r: r, same: w.d.Kind(r) == kind, pair: kind == Object}
	if !box.same {
		return box
	}
	mark := len(w.kids)
	for c, end := r+1, w.d.End(r); c < end; {
		w.kids = append(w.kids, c)
		if box.pair {
			c++
		}
		c = w.d.End(c)
	}
	box.kids = w.kids[mark:len(w.kids):len(w.kids)]
	return box
}

// find is the index of the child r, or -1. Most come in order: guess is tried first.
func (b *container) find(r Ref, guess int) int {
	if guess < len(b.kids) && b.kids[guess] == r {
		return guess
	}
	if i, ok := slices.BinarySearch(b.kids, r); ok {
		return i
	}
	return -1
}

func (b *container) start(i int) int {
	start, _ := b.d.Span(b.kids[i])
	return start
}

func (b *container) end(i int) int {
	last := b.kids[i]
	if b.pair {
		last++
	}
	_, end := b.d.Span(last)
	return end
}

// lead is the text before the first child. A container without children has neither lead nor tail.
func (b *container) lead() []byte {
	if len(b.kids) == 0 {
		return nil
	}
	start, _ := b.d.Span(b.r)
	return b.d.src[start+1 : b.start(0)]
}

// tail is the text behind the last child.
func (b *container) tail() []byte {
	if len(b.kids) == 0 {
		return nil
	}
	_, end := b.d.Span(b.r)
	return b.d.src[b.end(len(b.kids)-1) : end-1]
}

// before is the separator before child i, which is not the first.
func (b *container) before(i int) []byte { return b.d.src[b.end(i-1):b.start(i)] }

// colon is the text between key and value of member i; without members, a bare colon.
func (b *container) colon(i int) []byte {
	if i < 0 {
		return []byte{':'}
	}
	_, start := b.d.Span(b.kids[i])
	end, _ := b.d.Span(b.kids[i] + 1)
	return b.d.src[start:end]
}

// join appends what separates two children that are to be neighbours. The cases are in the order of the
// package comment; the first covers neighbours that stay so.
func (b *container) join(dst []byte, first, second int) []byte {
	switch n := len(b.kids); {
	case second > 0:
		return append(dst, b.before(second)...)
	case first >= 0 && first+1 < n:
		return append(dst, b.before(first+1)...)
	case n > 1:
		return append(dst, b.before(1)...)
	}
	return append(append(dst, ','), b.lead()...)
}
