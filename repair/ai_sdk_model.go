package repair

import "boltmend/internal/jsonedit"

// AISDKModel is the model message format of Vercel's AI SDK: tool-call parts
// of an assistant message are answered by tool-result parts in messages of role
// tool directly behind. The result of a tool that the provider runs stands in
// the assistant message, stays there and wins over any other.
//
// Source: AI SDK, ModelMessage and "Tool calling", and the reports collected
// in docs/dialects.md, read 2026-11-30.
const AISDKModel Dialect = "ai-sdk-model"

type aiSDKModel struct{}

func (aiSDKModel) rules() rules { return rules{blocks: true, spread: true, objectArguments: true} }

func (aiSDKModel) spelling() spelling {
	return spelling{
		callID: "toolCallId", resultID: "toolCallId",
		role: "tool", parts: mContent, partsName: "content", typed: true,
	}
}

func (aiSDKModel) vote(rd *reader, s *source) (e evidence) {
	arr, ok := rd.array(s.members[mContent])
	if !ok {
		return e
	}
	for b, end := arr+1, rd.doc.End(arr); b < end; b = rd.doc.End(b) {
		rd.block.collect(rd.doc, b)
		switch {
		case rd.is(rd.block[mType], "tool-call"):
			e.proofs++
		case rd.is(rd.block[mType], "tool-result"):
			e.results++
		}
	}
	return e
}

func (a aiSDKModel) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
	case userRole:
		m.role = roleUser
	case toolRole:
		m.role = roleTool
		m.canHost = true
	}
	behind := rd.readBlocks(s.members[mContent], func(b jsonedit.Ref, index int32, behind bool) bool {
		return a.readPart(rd, b, index, behind)
	})
	if m = rd.last(); m.role == roleTool {
		m.content = behind // approvals belong with results
	}
}

// readPart reads one part and reports whether it is a result, or belongs with
// results.
func (a aiSDKModel) readPart(rd *reader, part jsonedit.Ref, index int32, behind bool) bool {
	m, b := rd.last(), &rd.block
	b.collect(rd.doc, part)
	switch string(text(rd.doc, b[mType])) {
	case "tool-call":
		if rd.isTrue(b[mProviderExecuted]) && m.role == roleAssistant {
			rd.addServer(part, index, rd.id(b[mToolCallID]), false)
			return false
		}
		a.readCall(rd, part)
	case "tool-result":
		id := rd.id(b[mToolCallID])
		if rd.isTrue(b[mProviderExecuted]) || rd.hasServer(id) {
			rd.addServer(part, index, id, true)
			return m.role == roleTool
		}
		src := resultSource{node: part, id: b[mToolCallID], name: b[mToolName], content: b[mOutput], status: b[mStatus]}
		if src.content == jsonedit.None {
			src.content = b[mResult]
		}
		inline := m.role == roleAssistant && rd.hasCall(m, id)
		rd.addResult(result{
			index: index, id: id, name: text(rd.doc, src.name), behind: behind && !inline,
			inline: inline, wrongRole: m.role != roleTool && !inline,
		}, src)
		return true
	case "tool-approval-request":
		for c := m.calls.lo; c < m.calls.hi; c++ {
			if call := &rd.thread.calls[c]; string(call.id) == string(rd.id(b[mToolCallID])) {
				call.pending = true
			}
		}
	case "tool-approval-response":
		return true
	}
	return false
}

// hasCall reports whether a message calls by an id.
func (rd *reader) hasCall(m *message, id []byte) bool {
	for c := m.calls.lo; c < m.calls.hi; c++ {
		if string(rd.thread.calls[c].id) == string(id) {
			return true
		}
	}
	return false
}

// hasServer reports whether the message being read has a provider-run call of
// an id.
func (rd *reader) hasServer(id []byte) bool {
	s := rd.thread.servers
	for i := len(s) - 1; i >= 0 && int(s[i].message) == len(rd.thread.messages)-1; i-- {
		if !s[i].isResult && string(s[i].id) == string(id) {
			return true
		}
	}
	return false
}

func (aiSDKModel) readCall(rd *reader, part jsonedit.Ref) {
	b := &rd.block
	args := b[mInput]
	if args == jsonedit.None {
		args = b[mArgs]
	}
	rd.addCall(call{
		id:           rd.id(b[mToolCallID]),
		name:         text(rd.doc, b[mToolName]),
		wrongRole:    rd.last().role != roleAssistant,
		pending:      rd.isPending(b),
		badArguments: rd.badObject(args),
	}, callSource{node: part, id: b[mToolCallID], arguments: args})
}

// made is a tool-result part with an error as its output; in older histories,
// whose results say "result", with isError.
func (aiSDKModel) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	b := w.result(call.message)
	b.text("type", "tool-result")
	b.id("toolCallId", c)
	b.text("toolName", string(call.name))
	if b.shared("result") {
		b.text("result", w.opts.marker())
		b.value("isError", []byte("true"))
		return b.close()
	}
	output := w.object(call.message, nil)
	output.text("type", "error-text")
	output.text("value", w.opts.marker())
	b.value("output", output.close())
	return b.close()
}
