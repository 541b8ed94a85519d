package repair

import "boltmend/internal/jsonedit"

// Grouped is the provider-neutral form that some Go apps keep: toolCalls on
// an assistant message, and on the next user or tool message one list of
// toolResults.
//
// Source: the stores described in docs/dialects.md, read 2026-11-30.
const Grouped Dialect = "grouped"

type grouped struct{}

func (grouped) rules() rules { return rules{blocks: true, objectArguments: true} }

func (grouped) spelling() spelling {
	return spelling{
		callID: "id", resultID: "toolCallId",
		role: "user", parts: mToolResults, partsName: "toolResults",
	}
}

func (grouped) isCall(rd *reader, c jsonedit.Ref) bool {
	m := &rd.block
	m.collect(rd.doc, c)
	return m[mFunction] == jsonedit.None && m[mName] != jsonedit.None &&
		!m.has(rd.doc, mResult) && !m.has(rd.doc, mOutput)
}

func (g grouped) vote(rd *reader, s *source) (e evidence) {
	if results, ok := rd.array(s.members[mToolResults]); ok {
		for r := range rd.doc.Elems(results) {
			if rd.block.collect(rd.doc, r); rd.block[mToolCallID] != jsonedit.None {
				e.results++
			}
		}
	}
	if calls, ok := rd.array(s.members[mToolCalls]); ok {
		for c := range rd.doc.Elems(calls) {
			if !rd.isPlainCall(c) && g.isCall(rd, c) && (rd.block[mInput] != jsonedit.None || rd.block[mArguments] != jsonedit.None) {
				e.claims++
			}
		}
	}
	return e
}

func (g grouped) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
	case userRole, toolRole:
		m.role = roleUser
		m.canHost = true
	}
	if calls, ok := rd.array(s.members[mToolCalls]); ok {
		for c := range rd.doc.Elems(calls) {
			if g.isCall(rd, c) {
				g.readCall(rd, c)
			}
		}
	}
	results, ok := rd.array(s.members[mToolResults])
	if !ok {
		return
	}
	m = rd.last()
	index := int32(0)
	for r := range rd.doc.Elems(results) {
		b := &rd.block
		b.collect(rd.doc, r)
		rd.addResult(result{
			index: index, id: rd.id(b[mToolCallID]), name: text(rd.doc, b[mName]),
			wrongRole: m.role != roleUser,
		}, resultSource{
			node: r, id: b[mToolCallID], name: b[mName], content: b[mContent], status: b[mStatus],
		})
		index++
	}
	m = rd.last()
	m.content = index == 0 || !rd.isNothing(s.members[mContent]) || m.calls.len() > 0
}

// readCall reads a call. Apps keep arguments of any kind; only a text that was
// to be JSON and is none is at fault.
func (grouped) readCall(rd *reader, c jsonedit.Ref) {
	b := &rd.block
	args := b[mInput]
	if args == jsonedit.None {
		args = b[mArguments]
	}
	rd.addCall(call{
		id:           rd.id(b[mID]),
		name:         text(rd.doc, b[mName]),
		wrongRole:    rd.last().role != roleAssistant,
		pending:      rd.isPending(b),
		badArguments: rd.badJSON(args),
	}, callSource{node: c, id: b[mID], arguments: args, textArguments: rd.doc.Kind(args) == jsonedit.String})
}

// made is an element of toolResults that is flagged as an error.
func (grouped) made(w *writer, c int32) []byte {
	b := w.result(w.t.calls[c].message)
	b.id("toolCallId", c)
	b.name(&w.t.calls[c])
	b.text("content", w.opts.marker())
	b.value("isError", []byte("true"))
	return b.close()
}
