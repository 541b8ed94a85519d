package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// A writer carries the planner's decisions out as edits of the document.
type writer struct {
	rd   *reader
	t    *thread
	p    *planner
	opts *Options
	dl   dialect

	edit     jsonedit.Edit
	removed  []Removed
	siblings []jsonedit.Ref
	relinks  bool // messages come, go or move
	order    []int

	itemPrefix *string // of the ids of output items, once it is asked for
}

// write returns the repaired text of the history arr, nil if it does not
// change.
func (w *writer) write(arr jsonedit.Ref) []byte {
	w.calls()
	w.results()
	w.serverResults()
	if w.t.rules.blocks {
		w.blocks(arr)
	} else {
		w.messages(arr)
	}
	if w.edit.Empty() {
		return nil
	}
	after := w.edit.Render(w.rd.doc, arr)
	if bytes.Equal(after, w.rd.doc.Raw(arr)) {
		return nil
	}
	return after
}

// calls edits the calls: new ids, arguments, and those of a role that cannot
// call.
func (w *writer) calls() {
	for i := range w.t.calls {
		c, src := &w.t.calls[i], &w.rd.calls[i]
		if w.t.messages[c.message].drop {
			continue
		}
		if c.newID != "" {
			w.set(src.holder, src.id, w.dl.spelling().callID, jsonedit.Quote(c.newID))
			if src.listed != 0 && len(c.id) > 0 {
				w.edit.Replace(src.listed, jsonedit.Quote(c.newID))
			}
		}
		if w.p.rewritesArguments(c) {
			w.remove("arguments", BadArguments, c.message, c.id, src.arguments)
			w.edit.Replace(src.arguments, w.arguments(src))
		}
		if c.wrongRole && !c.aside {
			w.remove("call", WrongRoleCall, c.message, c.id, src.node)
		}
	}
}

// results edits the results that stay: ids and names follow their call.
func (w *writer) results() {
	for i := range w.t.results {
		r, src := &w.t.results[i], &w.rd.results[i]
		if r.drop != "" {
			w.remove("result", r.drop, r.message, r.id, src.node)
			continue
		}
		if r.setID {
			w.set(src.holder, src.id, w.dl.spelling().resultID, w.idText(r.owner))
		}
		if r.setName {
			w.edit.Replace(src.name, jsonedit.Quote(string(w.t.calls[r.owner].name)))
		}
	}
}

// serverResults notes the results of server tools that go.
func (w *writer) serverResults() {
	for i := range w.t.servers {
		switch s := &w.t.servers[i]; {
		case s.drop:
			w.remove("result", ServerOrphan, s.message, s.id, w.rd.servers[i])
		case s.isResult && !s.moved && w.t.messages[s.message].drop:
			w.remove("result", MissingResult, s.message, s.id, w.rd.servers[i])
		}
	}
}

// set sets a member of an object that may not have it yet.
func (w *writer) set(obj, value jsonedit.Ref, name string, text []byte) {
	if value != jsonedit.None {
		w.edit.Replace(value, text)
		return
	}
	src := source{node: obj}
	src.collect(w.rd.doc, obj)
	if src.members[mRole] == jsonedit.None { // a block: its message tells the style
		w.edit.AddMember(obj, name, text)
		return
	}
	w.edit.AddMember(obj, w.style(&src, name), text)
}

// remove notes a text that leaves the history.
func (w *writer) remove(kind string, code Code, message int32, id []byte, node jsonedit.Ref) {
	w.removed = append(w.removed, Removed{
		Kind: kind, Code: code, Message: int(message), ID: string(id),
		Text: bytes.Clone(w.rd.doc.Raw(node)),
	})
}

// messages lays out a history whose results are messages.
func (w *writer) messages(arr jsonedit.Ref) {
	items := make([]jsonedit.Item, 0, len(w.p.slots))
	gone := w.strip()
	for _, s := range w.p.slots {
		switch {
		case s.message == none:
			items = append(items, jsonedit.Item{Ref: jsonedit.None, Raw: w.dl.made(w, s.call)})
		case !gone[s.message]:
			items = append(items, jsonedit.Item{Ref: w.rd.sources[s.message].node})
		}
	}
	for i := range w.t.messages {
		if gone[int32(i)] {
			w.shell(int32(i), WrongRoleCall)
		}
	}
	w.dropped()
	w.setMessages(arr, items, len(gone) > 0)
}

// setMessages gives the history its messages, if they are not as before.
func (w *writer) setMessages(arr jsonedit.Ref, items []jsonedit.Item, gone bool) {
	if w.relinks = w.p.moved || gone; w.relinks {
		w.edit.SetElems(arr, items)
		w.order = w.rd.order(items)
	}
}

// dropped notes the assistant messages that go with their results.
func (w *writer) dropped() {
	for i := range w.t.messages {
		if w.t.messages[i].drop {
			w.remove("message", MissingResult, int32(i), nil, w.rd.sources[i].node)
		}
	}
}
