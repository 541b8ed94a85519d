package jsonedit

import "slices"

// writer writes a document with an Edit's changes. It goes from change to change, not from node to node, and
// recurses only where a change holds another.
type writer struct {
	*Edit
	d    *Doc
	out  []byte
	busy map[Ref]bool // arrays being written, so that one that is to hold itself comes to an end
	kids []Ref        // a stack of children lists, one for each container being written
}

// node writes r, with the changes to it and in it.
func (w *writer) node(r Ref) { w.changed(r, r) }

// changed writes r with the changes to nodes from on.
func (w *writer) changed(r, from Ref) {
	n := w.d.nodes[r]
	pos := n.start
	i, _ := slices.BinarySearch(w.order, from)
	for i < len(w.order) && w.order[i] < Ref(n.next) {
		at := w.order[i]
		c := w.d.nodes[at]
		w.out = append(w.out, w.d.src[pos:c.start]...)
		w.change(at)
		pos = c.end
		if i++; i < len(w.order) && w.order[i] < Ref(c.next) { // those inside at were its own matter
			k, _ := slices.BinarySearch(w.order[i:], Ref(c.next))
			i += k
		}
	}
	w.out = append(w.out, w.d.src[pos:n.end]...)
}

// change writes r as its change says.
func (w *writer) change(r Ref) {
	c := w.changes[r]
	mark := len(w.kids)
	switch {
	case c.op == replace:
		w.out = append(w.out, c.raw...)
	case c.op == members && w.d.Kind(r) == Object:
		w.object(r, c)
	case c.op == members:
		w.changed(r, r+1)
	case w.busy[r]:
		w.out = append(w.out, w.d.Raw(r)...)
	default:
		if w.busy == nil {
			w.busy = map[Ref]bool{}
		}
		w.busy[r] = true
		w.array(r, c)
		delete(w.busy, r)
	}
	w.kids = w.kids[:mark]
}

// array writes r as an array of the items of c.
func (w *writer) array(r Ref, c *change) {
	box := w.container(r, Array)
	if len(c.items) == 0 {
		w.empty(box, "[]")
		return
	}
	w.out = append(append(w.out, '['), box.lead()...)
	prev := -1
	for i, it := range c.items {
		here := -1
		if it.Raw == nil {
			here = box.find(it.Ref, prev+1)
		}
		if i > 0 {
			w.out = box.join(w.out, prev, here)
		}
		switch {
		case it.Raw != nil:
			w.out = append(w.out, it.Raw...)
		case w.d.has(it.Ref):
			w.node(it.Ref)
		default:
			panic("jsonedit: an item that names no node of the document")
		}
		prev = here
	}
	w.out = append(append(w.out, box.tail()...), ']')
}

// object writes r, an object, without the members that c removes and with those that it adds.
func (w *writer) object(r Ref, c *change) {
	box := w.container(r, Object)
	slices.Sort(c.removed)
	removed := c.removed
	start, prev, any := len(w.out), -1, false
	w.out = append(append(w.out, '{'), box.lead()...)
	for i, key := range box.kids {
		for len(removed) > 0 && removed[0] < key {
			removed = removed[1:]
		}
		if len(removed) > 0 && removed[0] == key {
			continue
		}
		if any {
			w.out = box.join(w.out, prev, i)
		}
		w.node(key)
		w.out = append(w.out, box.colon(i)...)
		w.node(key + 1)
		prev, any = i, true
	}
	for _, m := range c.added {
		if any {
			w.out = box.join(w.out, prev, -1)
		}
		w.out = append(w.out, Quote(m.name)...)
		w.out = append(w.out, box.colon(len(box.kids)-1)...)
		w.out = append(w.out, m.raw...)
		prev, any = -1, true
	}
	if !any {
		w.out = w.out[:start]
		w.empty(box, "{}")
		return
	}
	w.out = append(append(w.out, box.tail()...), '}')
}

// empty writes a container without content: as it was if it had none, for then nothing changes.
func (w *writer) empty(box container, text string) {
	if len(box.kids) == 0 && box.same {
		w.out = append(w.out, w.d.Raw(box.r)...)
		return
	}
	w.out = append(w.out, text...)
}
