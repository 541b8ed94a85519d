package repair

import "boltmend/internal/jsonedit"

// Ollama is the chat format of Ollama's own API: tool_calls mostly without ids
// and with arguments that are an object, answered in order by messages of role
// tool with a tool_name. The server checks nothing; the model derails.
//
// Source: Ollama API documentation, "Generate a chat completion", and the
// reports collected in docs/dialects.md, read 2026-11-30.
const Ollama Dialect = "ollama"

type ollama struct{}

func (ollama) rules() rules { return rules{optionalIDs: true, objectArguments: true} }

func (ollama) spelling() spelling {
	return spelling{callID: "id", resultID: "tool_call_id", role: "tool"}
}

// isCall reads an element of tool_calls into rd.block and its function into
// rd.inner.
func (ollama) isCall(rd *reader, c jsonedit.Ref) bool {
	rd.block.collect(rd.doc, c)
	if rd.doc.Kind(rd.block[mFunction]) != jsonedit.Object {
		return false
	}
	rd.inner.collect(rd.doc, rd.block[mFunction])
	return true
}

func (o ollama) vote(rd *reader, s *source) (e evidence) {
	if s.role == toolRole && s.members[mToolName] != jsonedit.None {
		e.results++
	}
	calls, ok := rd.array(s.members[mToolCalls])
	if !ok {
		return e
	}
	for c, end := calls+1, rd.doc.End(calls); c < end; c = rd.doc.End(c) {
		if rd.isPlainCall(c) {
			continue // OpenAI's
		}
		if o.isCall(rd, c) && rd.block[mType] == jsonedit.None && rd.doc.Kind(rd.inner[mArguments]) == jsonedit.Object {
			e.proofs++
		}
	}
	return e
}

func (o ollama) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
	case userRole:
		m.role = roleUser
	case toolRole:
		m.role = roleTool
		m.content = false
		o.readResult(rd, s)
	}
	calls, ok := rd.array(s.members[mToolCalls])
	if !ok {
		return
	}
	for c, end := calls+1, rd.doc.End(calls); c < end; c = rd.doc.End(c) {
		if !o.isCall(rd, c) {
			continue
		}
		args := rd.inner[mArguments]
		rd.addCall(call{
			id:           rd.id(rd.block[mID]),
			byName:       rd.isAbsent(rd.block[mID]),
			name:         text(rd.doc, rd.inner[mName]),
			wrongRole:    rd.last().role != roleAssistant,
			pending:      rd.isPending(&rd.block),
			badArguments: rd.badObject(args),
		}, callSource{node: c, id: rd.block[mID], arguments: args})
	}
}

func (ollama) readResult(rd *reader, s *source) {
	src := resultSource{
		node: s.node, id: s.members[mToolCallID], name: s.members[mToolName],
		content: s.members[mContent], status: s.members[mStatus],
	}
	if src.name == jsonedit.None {
		src.name = s.members[mName]
	}
	rd.addResult(result{
		id: rd.id(src.id), byName: len(rd.id(src.id)) == 0, name: text(rd.doc, src.name),
		emptyID: rd.doc.Kind(src.id) == jsonedit.String && len(rd.id(src.id)) == 0,
	}, src)
}

// made is a message of role tool that names its tool.
func (ollama) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	b := w.result(call.message)
	b.text("role", "tool")
	if !call.byName {
		b.id("tool_call_id", c)
	}
	b.text("tool_name", string(call.name))
	b.text("content", w.opts.marker())
	return b.done()
}
