package repair

import "boltmend/internal/jsonedit"

// strip takes empty lists of calls, and calls of a role that cannot call, out
// of their messages, where results are messages. It returns the messages that
// nothing is left of.
func (w *writer) strip() (gone map[int32]bool) {
	gone = make(map[int32]bool)
	for i := range w.t.messages {
		m, src := &w.t.messages[i], &w.rd.sources[i]
		if m.drop || m.aside {
			continue
		}
		if m.emptyCalls {
			w.remove("members", EmptyCalls, int32(i), nil, src.members[mToolCalls])
			w.unset(src.body, mToolCalls)
		}
		if m.calls.len() == 0 || !w.t.calls[m.calls.lo].wrongRole {
			continue
		}
		if w.stripCalls(m, src) && m.results.len() == 0 && m.guest == none {
			gone[int32(i)] = true
		}
	}
	return gone
}

// stripCalls takes the calls out of one message and reports whether it says
// nothing any more.
func (w *writer) stripCalls(m *message, src *source) bool {
	blocks := make(map[jsonedit.Ref]bool)
	for c := m.calls.lo; c < m.calls.hi; c++ {
		blocks[w.rd.calls[c].node] = true
	}
	w.unsetIf(src.body, mToolCalls, src.members[mToolCalls] != jsonedit.None && w.holds(src.members[mToolCalls], blocks))
	w.unsetIf(src.body, mFunctionCall, blocks[src.members[mFunctionCall]])
	content := src.members[mContent]
	if arr, ok := w.rd.array(content); ok && w.holds(arr, blocks) {
		kept := w.without(arr, blocks)
		w.edit.SetElems(arr, kept)
		return len(kept) == 0
	}
	switch w.rd.doc.Kind(content) {
	case jsonedit.Missing, jsonedit.Null:
		return true
	case jsonedit.String:
		return len(w.rd.doc.Inner(content)) == 0
	}
	return false
}

func (w *writer) holds(arr jsonedit.Ref, nodes map[jsonedit.Ref]bool) bool {
	for e := range w.rd.doc.Elems(arr) {
		if nodes[e] {
			return true
		}
	}
	return false
}

// without returns the elements of an array but some.
func (w *writer) without(arr jsonedit.Ref, nodes map[jsonedit.Ref]bool) []jsonedit.Item {
	kept := []jsonedit.Item{}
	for e := range w.rd.doc.Elems(arr) {
		if !nodes[e] {
			kept = append(kept, jsonedit.Item{Ref: e})
		}
	}
	return kept
}

func (w *writer) unsetIf(obj jsonedit.Ref, name member, really bool) {
	if really {
		w.unset(obj, name)
	}
}

// unset takes a member out with all its duplicates: an earlier one would
// count otherwise.
func (w *writer) unset(obj jsonedit.Ref, name member) {
	for key := range w.rd.doc.Members(obj) {
		if nameOf(w.rd.doc, key) == name {
			w.edit.RemoveMember(obj, key)
		}
	}
}

// shell notes what a message that goes still had besides its role and its
// content.
func (w *writer) shell(i int32, code Code) {
	for key := range w.rd.doc.Members(w.rd.sources[i].node) {
		switch nameOf(w.rd.doc, key) {
		case mRole, mContent, mParts, mToolResults, mToolCalls, mFunctionCall:
		default:
			w.remove("message", code, i, nil, w.rd.sources[i].node)
			return
		}
	}
}
