package repair

import (
	"bytes"
	"slices"

	"boltmend/internal/jsonedit"
)

// LangChain is how LangChain keeps messages: type ai with tool_calls {id,
// name, args}, answered directly behind by messages of type tool. Read are the
// plain form and the serialized one, {"lc", "type", "id", "kwargs"}.
//
// Source: langchain-core, messages, and LangGraph's INVALID_CHAT_HISTORY, read
// 2026-11-30.
const LangChain Dialect = "langchain"

type langChain struct{}

func (langChain) rules() rules { return rules{families: typeFamily, objectArguments: true} }

func (langChain) spelling() spelling {
	return spelling{callID: "id", resultID: "tool_call_id", role: "tool"}
}

func (langChain) vote(rd *reader, s *source) (e evidence) {
	if s.role == toolRole && s.members[mToolCallID] != jsonedit.None {
		e.results++
	}
	if calls, ok := rd.array(s.members[mToolCalls]); ok {
		for c := range rd.doc.Elems(calls) {
			if rd.block.collect(rd.doc, c); rd.block[mArgs] != jsonedit.None {
				e.proofs++
			}
		}
	}
	return e
}

func (l langChain) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
		l.noteInvalid(rd, s)
	case userRole:
		m.role = roleUser
	case toolRole:
		m.role = roleTool
		m.content = false
		if turn, found := rd.invalid[callName{m.branch, string(rd.id(s.members[mToolCallID]))}]; found {
			m.aside, m.with = true, turn // it answers a call that could not be read
			return
		}
		src := resultSource{
			node: s.node, holder: s.body, id: s.members[mToolCallID], name: s.members[mName],
			content: s.members[mContent], status: s.members[mStatus],
		}
		rd.addResult(result{id: rd.id(src.id), name: text(rd.doc, src.name)}, src)
	}
	for c := range rd.doc.Elems(s.members[mToolCalls]) {
		b := &rd.block
		if b.collect(rd.doc, c); b[mName] == jsonedit.None || b[mResult] != jsonedit.None {
			continue
		}
		rd.addCall(call{
			id:           rd.id(b[mID]),
			name:         text(rd.doc, b[mName]),
			wrongRole:    rd.last().role != roleAssistant,
			pending:      rd.isPending(b),
			badArguments: rd.badObject(b[mArgs]),
		}, callSource{node: c, id: b[mID], arguments: b[mArgs]})
	}
}

// noteInvalid notes the calls of a message whose arguments LangChain could not
// parse. It sends them too, so they may have results. The last message that has
// an id says what it is.
func (langChain) noteInvalid(rd *reader, s *source) {
	name := func(c jsonedit.Ref) callName {
		rd.block.collect(rd.doc, c)
		return callName{rd.last().branch, string(rd.id(rd.block[mID]))}
	}
	if rd.invalid != nil {
		for c := range rd.doc.Elems(s.members[mToolCalls]) {
			delete(rd.invalid, name(c))
		}
	}
	for c := range rd.doc.Elems(s.members[mInvalidToolCalls]) {
		if n := name(c); n.id != "" {
			if rd.invalid == nil {
				rd.invalid = make(map[callName]int32)
			}
			rd.invalid[n] = int32(len(rd.thread.messages) - 1)
		}
	}
}

// made is a message of type tool with status error, serialized if its call's
// message is.
func (langChain) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	src := &w.rd.sources[call.message]
	if src.body == src.node {
		b := w.result(call.message)
		b.text("type", "tool")
		w.toolMessage(b, c)
		return b.done()
	}
	b := w.object(call.message, w.responses())
	b.turn = &source{node: src.body, members: src.members}
	w.toolMessage(b, c)
	b.extras()
	out := w.result(call.message)
	out.raw("lc", []byte("1"))
	out.text("type", "constructor")
	out.raw("id", w.className(src, "ToolMessage"))
	out.raw("kwargs", b.close())
	return out.done()
}

func (w *writer) toolMessage(b *builder, c int32) {
	b.id("tool_call_id", c)
	b.name(&w.t.calls[c])
	b.text("content", w.opts.marker())
	b.text("status", "error")
}

// className is the id of a serialized message with another class.
func (w *writer) className(src *source, class string) []byte {
	id := w.member(src.node, "id")
	last := jsonedit.None
	for name := range w.rd.doc.Elems(id) {
		last = name
	}
	raw, name := w.rd.doc.Raw(id), w.rd.doc.Raw(last)
	at := bytes.LastIndex(raw, name)
	return slices.Concat(raw[:at], jsonedit.Quote(class), raw[at+len(name):])
}
