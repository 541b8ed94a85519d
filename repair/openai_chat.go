package repair

import (
	"slices"

	"boltmend/internal/jsonedit"
)

// OpenAIChat is the Chat Completions format of OpenAI and of the many that
// speak it (DeepSeek, Mistral, Moonshot, llama.cpp, vLLM): an assistant
// message with tool_calls is followed directly by one message of role tool for
// each call. Read as it also are flat calls {id, name, arguments} and the
// legacy function_call with role function, which has no ids.
//
// Source: OpenAI API reference, "Create chat completion", and the error texts
// collected in docs/dialects.md, read 2026-11-30.
const OpenAIChat Dialect = "openai-chat"

type openAIChat struct{}

func (openAIChat) rules() rules { return rules{} }

func (openAIChat) spelling() spelling {
	return spelling{callID: "id", resultID: "tool_call_id", role: "tool"}
}

func (o openAIChat) vote(rd *reader, s *source) (e evidence) {
	switch {
	case s.role == toolRole && rd.doc.Kind(s.members[mToolCallID]) == jsonedit.String:
		e.results++
	}
	if rd.isLegacyCall(s) {
		e.proofs++
	}
	calls := s.members[mToolCalls]
	if rd.doc.Kind(calls) != jsonedit.Array {
		return e
	}
	for c, end := calls+1, rd.doc.End(calls); c < end; c = rd.doc.End(c) {
		if rd.isPlainCall(c) {
			e.proofs++
			continue
		}
		switch rd.callShape(c) {
		case nestedCall:
			if rd.block[mType] == jsonedit.None && rd.ownFormatOfOllama(rd.block[mFunction]) {
				continue
			}
			e.proofs++
		case flatCall:
			e.claims++
		}
	}
	if rd.doc.End(calls) == calls+1 && s.role == assistantRole {
		e.claims++ // an empty list
	}
	return e
}

// The shapes of an element of tool_calls.
type callShape uint8

const (
	noCall callShape = iota
	nestedCall
	flatCall
	bareCall // a name and no more: a call only beside others
)

// callShape reads an element of tool_calls into rd.block and says what it is.
// A call that carries its own result cannot be unpaired and is none.
func (rd *reader) callShape(c jsonedit.Ref) callShape {
	d, m := rd.doc, &rd.block
	m.collect(d, c)
	switch {
	case m.has(d, mResult) || m.has(d, mOutput):
		return noCall
	case d.Kind(m[mCustom]) == jsonedit.Object:
		return nestedCall
	case d.Kind(m[mFunction]) == jsonedit.Object:
		return nestedCall
	case m[mInput] != jsonedit.None:
		return noCall
	case (m[mName] != jsonedit.None || m[mToolID] != jsonedit.None) && (m.has(d, mID) || m[mArguments] != jsonedit.None),
		m.has(d, mID) && rd.is(m[mType], "function", "custom"):
		return flatCall
	case m.has(d, mName):
		return bareCall
	}
	return noCall
}

// ownFormatOfOllama tells the calls of Ollama's own API, which have no type and
// arguments that are an object.
func (rd *reader) ownFormatOfOllama(function jsonedit.Ref) bool {
	rd.inner.collect(rd.doc, function)
	return rd.doc.Kind(rd.inner[mArguments]) == jsonedit.Object
}

func (rd *reader) isLegacyCall(s *source) bool {
	return rd.doc.Kind(s.members[mFunctionCall]) == jsonedit.Object
}

func (o openAIChat) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
	case userRole:
		m.role = roleUser
	case toolRole, functionRole:
		m.role = roleTool
		m.content = false
		o.readResult(rd, s, s.role == functionRole && len(rd.id(s.members[mToolCallID])) == 0)
	}
	if rd.isLegacyCall(s) {
		o.readLegacy(rd, s)
	}
	calls := s.members[mToolCalls]
	if rd.doc.Kind(calls) != jsonedit.Array {
		rd.unread = rd.unread || !rd.isNothing(calls)
		return
	}
	m = rd.last()
	m.emptyCalls = m.role == roleAssistant && rd.doc.End(calls) == calls+1
	if bare := o.readCalls(rd, calls, false); bare && m.calls.len() > 0 {
		first := int(m.calls.lo)
		rd.calls, rd.thread.calls = rd.calls[:first], rd.thread.calls[:first]
		m.calls.hi = m.calls.lo
		o.readCalls(rd, calls, true)
	}
}

// readCalls reads a list of calls, and reports whether there were bare ones
// that it did not take.
func (o openAIChat) readCalls(rd *reader, calls jsonedit.Ref, takeBare bool) (bare bool) {
	for c, end := calls+1, rd.doc.End(calls); c < end; c = rd.doc.End(c) {
		if p, ok := rd.plainCall(c); ok {
			o.addPlain(rd, c, p)
			continue
		}
		switch shape := rd.callShape(c); {
		case shape == bareCall && !takeBare:
			bare = true
		case shape != noCall:
			o.readCall(rd, c, shape)
		case !rd.block.has(rd.doc, mResult) && !rd.block.has(rd.doc, mOutput):
			rd.unread = true
		}
	}
	return bare
}

func (openAIChat) readResult(rd *reader, s *source, byName bool) {
	src := resultSource{
		node: s.node, id: s.members[mToolCallID], name: s.members[mName],
		content: s.members[mContent], status: s.members[mStatus],
	}
	if src.name == jsonedit.None {
		src.name = s.members[mToolName]
	}
	if src.status == jsonedit.None {
		src.status = s.members[mState]
	}
	r := result{byName: byName, name: text(rd.doc, src.name)}
	if !byName {
		r.id = rd.id(src.id)
	}
	rd.addResult(r, src)
}

func (openAIChat) readLegacy(rd *reader, s *source) {
	rd.inner.collect(rd.doc, s.members[mFunctionCall])
	args := rd.inner[mArguments]
	rd.addCall(call{
		byName:       true,
		name:         text(rd.doc, rd.inner[mName]),
		wrongRole:    rd.last().role != roleAssistant,
		badArguments: rd.badJSON(args),
	}, callSource{node: s.members[mFunctionCall], id: jsonedit.None, arguments: args, inMessage: true})
}

func (openAIChat) readCall(rd *reader, c jsonedit.Ref, shape callShape) {
	from := &rd.block
	if shape == nestedCall {
		from = &rd.inner
		from.collect(rd.doc, rd.block[mFunction])
		if from.isEmpty() {
			from.collect(rd.doc, rd.block[mCustom]) // free text, no arguments
		}
	}
	name := from[mName]
	if name == jsonedit.None {
		name = from[mToolID]
	}
	rd.addCall(call{
		id:           rd.id(rd.block[mID]),
		name:         text(rd.doc, name),
		wrongRole:    rd.last().role != roleAssistant,
		pending:      rd.isPending(&rd.block),
		badArguments: rd.badJSON(from[mArguments]),
	}, callSource{node: c, id: rd.block[mID], arguments: from[mArguments]})
}

// made is a message of role tool; of role function for a call without an id.
func (o openAIChat) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	b := w.result(call.message)
	if call.byName {
		b.text("role", "function")
		b.text("name", string(call.name))
	} else {
		b.text("role", "tool")
		b.id("tool_call_id", c)
		b.name(call)
	}
	if w.speaksInParts() {
		b.value("content", slices.Concat([]byte(`[{"type":"text","text":`), jsonedit.Quote(w.opts.marker()), []byte(`}]`)))
	} else {
		b.text("content", w.opts.marker())
	}
	return b.done()
}

// speaksInParts reports whether the content of messages is a list of parts and
// never a string: a program that has one type for it could not read another.
func (w *writer) speaksInParts() (parts bool) {
	for i := range w.rd.sources {
		content := w.rd.sources[i].members[mContent]
		switch w.rd.doc.Kind(content) {
		case jsonedit.String:
			return false
		case jsonedit.Array:
			parts = true
		}
	}
	return parts
}
