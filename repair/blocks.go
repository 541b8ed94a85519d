package repair

import (
	"bytes"
	"slices"

	"boltmend/internal/jsonedit"
)

// blocks lays out a history whose results are content blocks: all results of
// a turn come first in the message behind it.
func (w *writer) blocks(arr jsonedit.Ref) {
	gone := make(map[int32]bool)
	if w.dl.spelling().parts == mToolResults { // calls are no blocks
		gone = w.strip()
	}
	for i := range w.t.messages {
		if m := &w.t.messages[i]; !m.drop && w.layOutContent(int32(i), m) {
			gone[int32(i)] = true
		}
	}
	if w.t.rules.alternate {
		w.keepRoles(gone)
	}
	w.dropped()
	for i := range w.t.messages {
		if gone[int32(i)] {
			w.shell(int32(i), w.why(&w.t.messages[i]))
		}
	}
	items := make([]jsonedit.Item, 0, len(w.p.slots))
	for _, s := range w.p.slots {
		switch {
		case s.message == none:
			items = append(items, jsonedit.Item{Ref: jsonedit.None, Raw: w.host(s.turn)})
		case !gone[s.message]:
			items = append(items, jsonedit.Item{Ref: w.rd.sources[s.message].node})
		}
	}
	w.setMessages(arr, items, len(gone) > 0)
}

// layOutContent puts the blocks of one message in order and reports whether
// it lost all that it had.
func (w *writer) layOutContent(i int32, m *message) (empty bool) {
	src := &w.rd.sources[i]
	content, isArray := w.rd.array(src.members[w.dl.spelling().parts])
	var items []jsonedit.Item
	if m.guest != none {
		items = w.guests(m.guest)
	}
	if !isArray {
		if len(items) > 0 {
			w.setContent(src, append(items, w.asBlock(src, content)...))
		}
		return false
	}
	parts := elements(w.rd.doc, content, nil)
	items = append(items, w.others(m, parts)...)
	if !slices.EqualFunc(items, parts, func(it jsonedit.Item, r jsonedit.Ref) bool { return it.Raw == nil && it.Ref == r }) {
		w.edit.SetElems(content, items)
	}
	return len(items) == 0 && len(parts) > 0 && !w.saysElse(m, src)
}

// saysElse reports whether a message has anything besides its list of results.
func (w *writer) saysElse(m *message, src *source) bool {
	return w.dl.spelling().parts == mToolResults && (m.calls.len() > 0 || !w.rd.isNothing(src.members[mContent]))
}

// guests returns the results of a turn, as read or made up.
func (w *writer) guests(turn int32) []jsonedit.Item {
	var items []jsonedit.Item
	for _, c := range w.p.guests(&w.t.messages[turn]) {
		for _, r := range w.p.moves(&w.t.calls[c]) {
			items = append(items, jsonedit.Item{Ref: w.rd.results[r].node})
		}
		if w.t.calls[c].answer {
			items = append(items, jsonedit.Item{Ref: jsonedit.None, Raw: w.dl.made(w, c)})
		}
	}
	return items
}

// others returns the blocks of a message that stay where they are: all but
// results, which go to their host or away, and calls of a wrong role. Results
// of a server tool come back behind their call.
func (w *writer) others(m *message, parts []jsonedit.Ref) []jsonedit.Item {
	leaves := make(map[jsonedit.Ref]bool)
	for r := m.results.lo; r < m.results.hi; r++ {
		leaves[w.rd.results[r].node] = !w.p.settles(&w.t.results[r]) && !m.aside
	}
	for c := m.calls.lo; c < m.calls.hi; c++ {
		leaves[w.rd.calls[c].node] = w.t.calls[c].wrongRole && !m.aside
	}
	var items []jsonedit.Item
	for _, part := range parts {
		s := w.server(part)
		if leaves[part] || s != none && (w.t.servers[s].drop || w.t.servers[s].moved) {
			continue
		}
		items = append(items, jsonedit.Item{Ref: part})
		if s != none {
			items = append(items, w.comeBack(s)...)
		}
	}
	return items
}

// server returns the server call or result that a block is, or none.
func (w *writer) server(part jsonedit.Ref) int32 {
	i, found := slices.BinarySearch(w.rd.servers, part)
	if !found {
		return none
	}
	return int32(i)
}

// comeBack returns the results that go back behind a server call.
func (w *writer) comeBack(call int32) []jsonedit.Item {
	var items []jsonedit.Item
	for i := range w.t.servers {
		if s := &w.t.servers[i]; s.moved && s.owner == call {
			items = append(items, jsonedit.Item{Ref: w.rd.servers[i]})
		}
	}
	return items
}

// asBlock makes a text block of content that is a string; an empty one, or
// none, adds nothing.
func (w *writer) asBlock(src *source, content jsonedit.Ref) []jsonedit.Item {
	if w.rd.doc.Kind(content) != jsonedit.String || len(w.rd.doc.Inner(content)) == 0 {
		return nil
	}
	raw := w.textBlock(src, w.rd.doc.Raw(content))
	return []jsonedit.Item{{Ref: jsonedit.None, Raw: raw}}
}

// textBlock is a block that says a text, spelled in the style of a message.
func (w *writer) textBlock(src *source, text []byte) []byte {
	b := builder{w: w, turn: src, buf: []byte{'{'}}
	if w.dl.spelling().typed {
		b.text("type", "text")
	}
	b.value("text", text)
	return b.close()
}

// setContent gives a message an array of blocks in place of what it has.
func (w *writer) setContent(src *source, items []jsonedit.Item) {
	sp := w.dl.spelling()
	if content := src.members[sp.parts]; content != jsonedit.None {
		w.edit.SetElems(content, items)
		return
	}
	w.edit.AddMember(src.body, w.style(src, sp.partsName), w.array(items))
}

// array writes items as a compact array.
func (w *writer) array(items []jsonedit.Item) []byte {
	texts := make([][]byte, len(items))
	for i, it := range items {
		if texts[i] = it.Raw; it.Raw == nil {
			texts[i] = w.edit.Render(w.rd.doc, it.Ref)
		}
	}
	return slices.Concat([]byte{'['}, bytes.Join(texts, []byte{','}), []byte{']'})
}

// host is a new message that takes in the results of a turn.
func (w *writer) host(turn int32) []byte {
	var like []jsonedit.Ref
	for i := range w.t.messages {
		if m := &w.t.messages[i]; m.results.len() > 0 && m.canHost {
			like = append(like, w.rd.sources[i].node)
		}
	}
	sp := w.dl.spelling()
	role := sp.role
	if len(like) > 0 && w.rd.sources[turn].family == roleFamily {
		role = w.rd.doc.Text(w.member(like[0], "role"))
	}
	if w.rd.sources[turn].family == eventFamily {
		return w.event(turn, like, role)
	}
	b := w.object(turn, like)
	b.text("role", role)
	b.value(sp.partsName, w.array(w.guests(turn)))
	return b.done()
}

// why is the finding that takes the last block out of a message: that of a
// result of it, or else that of the exchange whose results are brought together.
func (w *writer) why(m *message) Code {
	for r := m.results.lo; r < m.results.hi; r++ {
		if code := w.t.results[r].drop; code != "" {
			return code // with its turn too, which has the finding
		}
		if code := w.p.resultCode(&w.t.results[r]); code != "" {
			return code
		}
	}
	for r := m.results.lo; r < m.results.hi; r++ {
		if owner := w.t.results[r].owner; owner != none {
			return w.whyTogether(&w.t.messages[w.t.calls[owner].message])
		}
	}
	if m.calls.len() > 0 {
		return WrongRoleCall
	}
	return ServerOrphan
}

// whyTogether is what is wrong with the results of a turn.
func (w *writer) whyTogether(turn *message) Code {
	for c := turn.calls.lo; c < turn.calls.hi; c++ {
		call := &w.t.calls[c]
		if call.answer {
			return MissingResult
		}
		if call.result != none {
			if code := w.p.resultCode(&w.t.results[call.result]); code != "" {
				return code
			}
		}
	}
	return SplitResults
}
