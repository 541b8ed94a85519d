package repair

import "boltmend/internal/jsonedit"

// Pi is the format of the pi coding agent and its descendants: an assistant
// message holds toolCall blocks, each result is a message of role toolResult
// directly behind. A turn whose stopReason is aborted or error is never
// replayed: its calls own nothing, a result that answers one is orphaned on
// the wire, and the turn does not count as standing between.
//
// Source: badlogic/pi-mono, packages/ai/src/types.ts and transformMessages,
// read 2026-11-30.
const Pi Dialect = "pi"

type pi struct{}

func (pi) rules() rules { return rules{objectArguments: true} }

func (pi) spelling() spelling {
	return spelling{callID: "id", resultID: "toolCallId", role: "toolResult", typed: true}
}

// isCall reads a content block into rd.block.
func (pi) isCall(rd *reader, b jsonedit.Ref) bool {
	rd.block.collect(rd.doc, b)
	return rd.is(rd.block[mType], "toolCall")
}

func (p pi) vote(rd *reader, s *source) (e evidence) {
	if s.role == toolResultRole {
		e.results++
	}
	arr, ok := rd.array(s.members[mContent])
	if !ok {
		return e
	}
	for b, end := arr+1, rd.doc.End(arr); b < end; b = rd.doc.End(b) {
		if p.isCall(rd, b) {
			e.proofs++
		}
	}
	return e
}

func (p pi) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
		m.aside = rd.is(s.members[mStopReason], "aborted", "error")
	case userRole:
		m.role = roleUser
	case toolResultRole:
		m.role = roleTool
		m.content = false
		p.readResult(rd, s)
		return
	}
	arr, ok := rd.array(s.members[mContent])
	if !ok {
		return
	}
	for b, end := arr+1, rd.doc.End(arr); b < end; b = rd.doc.End(b) {
		if p.isCall(rd, b) {
			bl := &rd.block
			rd.addCall(call{
				id:           rd.id(bl[mID]),
				name:         text(rd.doc, bl[mName]),
				wrongRole:    m.role != roleAssistant,
				pending:      rd.isPending(bl),
				badArguments: rd.badObject(bl[mArguments]),
			}, callSource{node: b, id: bl[mID], arguments: bl[mArguments]})
		}
	}
}

func (pi) readResult(rd *reader, s *source) {
	src := resultSource{
		node: s.node, id: s.members[mToolCallID], name: s.members[mToolName],
		content: s.members[mContent], status: s.members[mStatus],
	}
	rd.addResult(result{id: rd.id(src.id), name: text(rd.doc, src.name)}, src)
}

// made is a message of role toolResult that is flagged as an error.
func (pi) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	b := w.result(call.message)
	b.text("role", "toolResult")
	b.id("toolCallId", c)
	b.text("toolName", string(call.name))
	text := w.textBlock(&w.rd.sources[call.message], jsonedit.Quote(w.opts.marker()))
	b.value("content", w.array([]jsonedit.Item{{Ref: jsonedit.None, Raw: text}}))
	b.value("isError", []byte("true"))
	return b.done()
}
