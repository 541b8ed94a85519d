package repair

import "boltmend/internal/jsonedit"

// Gemini is the contents list of Google's Gemini API: the functionCall parts
// of a model content are answered by functionResponse parts, the same number,
// in the very next content. Ids are optional; without them calls and responses
// pair by name and order. Names may be in camel or in snake case.
//
// Source: Google AI for Developers, "Function calling" and the Content
// reference, and the error texts collected in docs/dialects.md, read
// 2026-11-30.
const Gemini Dialect = "gemini"

type gemini struct{}

func (gemini) rules() rules {
	return rules{blocks: true, optionalIDs: true, objectArguments: true, alternate: true}
}

func (gemini) spelling() spelling {
	return spelling{
		callID: "id", resultID: "id",
		role: "user", parts: mParts, partsName: "parts",
	}
}

func (gemini) vote(rd *reader, s *source) evidence { return rd.voteParts(s) }

func (gemini) read(rd *reader, s *source, m *message) { rd.readParts(s, m, true) }

func (gemini) made(w *writer, c int32) []byte { return w.responsePart(c) }

// voteParts looks for calls and responses among the parts of a content.
func (rd *reader) voteParts(s *source) (e evidence) {
	arr, ok := rd.array(s.members[mParts])
	if !ok {
		return e
	}
	for part, end := arr+1, rd.doc.End(arr); part < end; part = rd.doc.End(part) {
		rd.block.collect(rd.doc, part)
		switch {
		case rd.doc.Kind(rd.block[mFunctionCall]) == jsonedit.Object:
			e.proofs++
		case rd.doc.Kind(rd.block[mFunctionResponse]) == jsonedit.Object:
			e.results++
		}
	}
	return e
}

// readParts reads the calls and responses among the parts of a content, which
// may do without ids or not.
func (rd *reader) readParts(s *source, m *message, optionalIDs bool) {
	switch s.role {
	case modelRole, assistantRole:
		m.role = roleAssistant
	case userRole, functionRole, toolRole:
		m.role = roleUser
		m.canHost = true
	}
	rd.readBlocks(s.members[mParts], func(part jsonedit.Ref, index int32, behind bool) bool {
		rd.block.collect(rd.doc, part)
		switch {
		case rd.doc.Kind(rd.block[mFunctionCall]) == jsonedit.Object:
			rd.readFunctionCall(part, m.role, optionalIDs)
		case rd.doc.Kind(rd.block[mFunctionResponse]) == jsonedit.Object:
			rd.readFunctionResponse(part, index, behind, m.role, optionalIDs)
			return true
		}
		return false
	})
}

func (rd *reader) readFunctionCall(part jsonedit.Ref, role role, optionalIDs bool) {
	in := &rd.inner
	in.collect(rd.doc, rd.block[mFunctionCall])
	args := in[mArgs]
	rd.addCall(call{
		id:           rd.id(in[mID]),
		byName:       optionalIDs && rd.isAbsent(in[mID]),
		name:         text(rd.doc, in[mName]),
		wrongRole:    role != roleAssistant,
		pending:      rd.isPending(in),
		badArguments: rd.doc.Kind(args) != jsonedit.Null && rd.badObject(args),
	}, callSource{node: part, holder: rd.block[mFunctionCall], id: in[mID], arguments: args})
}

func (rd *reader) readFunctionResponse(part jsonedit.Ref, index int32, behind bool, role role, optionalIDs bool) {
	in := &rd.inner
	holder := rd.block[mFunctionResponse]
	in.collect(rd.doc, holder)
	src := resultSource{node: part, holder: holder, id: in[mID], name: in[mName], content: in[mResponse]}
	if src.id == jsonedit.None {
		src.id = in[mToolCallID]
	}
	var inside members
	inside.collect(rd.doc, src.content)
	src.status = inside[mStatus]
	rd.addResult(result{
		index: index, id: rd.id(src.id),
		byName:  optionalIDs && len(rd.id(src.id)) == 0,
		emptyID: rd.doc.Kind(src.id) == jsonedit.String && len(rd.id(src.id)) == 0,
		name:    text(rd.doc, src.name), behind: behind, wrongRole: role == roleAssistant,
	}, src)
}

// isAbsent reports whether an optional id is not there.
func (rd *reader) isAbsent(id jsonedit.Ref) bool {
	k := rd.doc.Kind(id)
	return k == jsonedit.Missing || k == jsonedit.Null
}

// responsePart is a functionResponse part that says the marker as its error.
func (w *writer) responsePart(c int32) []byte {
	call := &w.t.calls[c]
	outer := "functionResponse"
	if key := w.find(w.rd.calls[c].node, "functioncall"); key != jsonedit.None {
		outer = map[string]string{
			"function_call": "function_response", "FunctionCall": "FunctionResponse",
		}[w.rd.doc.Text(key)]
		if outer == "" {
			outer = "functionResponse"
		}
	}
	in := w.object(call.message, w.responses())
	if !call.byName {
		in.id(w.responseID(in), c)
	}
	in.text("name", string(call.name))
	in.value("response", append(append([]byte(`{"error":`), jsonedit.Quote(w.opts.marker())...), '}'))
	out := w.object(call.message, w.resultNodes())
	out.value(outer, in.close())
	return out.close()
}

// responses are the inner objects of the responses that the history has.
func (w *writer) responses() []jsonedit.Ref {
	var all []jsonedit.Ref
	for _, r := range w.rd.results {
		all = append(all, r.holder)
	}
	return all
}

// responseID is what the history calls the id of a response.
func (w *writer) responseID(b *builder) string {
	for _, r := range b.like {
		if w.find(r, "toolcallid") != jsonedit.None {
			return "tool_call_id"
		}
	}
	return "id"
}
