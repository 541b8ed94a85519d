package repair

import "boltmend/internal/jsonedit"

// BedrockConverse is the Converse format of Amazon Bedrock: the toolUse blocks
// of an assistant message are answered by toolResult blocks in the next
// message, of role user; roles alternate strictly and ids are unique.
//
// Source: AWS, Amazon Bedrock API reference, "Converse" and "ToolResultBlock",
// and the error texts collected in docs/dialects.md, read 2026-11-30.
const BedrockConverse Dialect = "bedrock-converse"

type bedrockConverse struct{}

func (bedrockConverse) rules() rules {
	return rules{blocks: true, uniqueIDs: true, objectArguments: true, alternate: true}
}

func (bedrockConverse) spelling() spelling {
	return spelling{
		callID: "toolUseId", resultID: "toolUseId",
		role: "user", parts: mContent, partsName: "content",
	}
}

func (bedrockConverse) vote(rd *reader, s *source) (e evidence) {
	arr, ok := rd.array(s.members[mContent])
	if !ok {
		return e
	}
	for b, end := arr+1, rd.doc.End(arr); b < end; b = rd.doc.End(b) {
		rd.block.collect(rd.doc, b)
		switch {
		case rd.doc.Kind(rd.block[mToolUse]) == jsonedit.Object:
			e.proofs++
		case rd.doc.Kind(rd.block[mToolResult]) == jsonedit.Object:
			e.results++
		}
	}
	return e
}

func (bc bedrockConverse) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
	case userRole:
		m.role = roleUser
		m.canHost = true
	}
	rd.readBlocks(s.members[mContent], func(b jsonedit.Ref, index int32, behind bool) bool {
		return bc.readBlock(rd, b, index, behind)
	})
}

// readBlock reads one block and reports whether it is a result.
func (bedrockConverse) readBlock(rd *reader, b jsonedit.Ref, index int32, behind bool) bool {
	role := rd.last().role
	rd.block.collect(rd.doc, b)
	in := &rd.inner
	if use := rd.block[mToolUse]; rd.doc.Kind(use) == jsonedit.Object {
		in.collect(rd.doc, use)
		rd.addCall(call{
			id:           rd.id(in[mToolUseID]),
			name:         text(rd.doc, in[mName]),
			wrongRole:    role != roleAssistant,
			pending:      rd.isPending(in),
			badArguments: rd.badObject(in[mInput]),
		}, callSource{node: b, holder: use, id: in[mToolUseID], arguments: in[mInput]})
		return false
	}
	res := rd.block[mToolResult]
	if rd.doc.Kind(res) != jsonedit.Object {
		return false
	}
	in.collect(rd.doc, res)
	rd.addResult(result{
		index: index, id: rd.id(in[mToolUseID]), behind: behind, wrongRole: role != roleUser,
	}, resultSource{
		node: b, holder: res, id: in[mToolUseID], name: jsonedit.None,
		content: in[mContent], status: in[mStatus],
	})
	return true
}

// made is a toolResult block with status error.
func (bedrockConverse) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	in := w.object(call.message, w.responses())
	in.id("toolUseId", c)
	in.text("status", "error")
	text := w.textBlock(&w.rd.sources[call.message], jsonedit.Quote(w.opts.marker()))
	in.value("content", w.array([]jsonedit.Item{{Ref: jsonedit.None, Raw: text}}))
	out := w.object(call.message, w.resultNodes())
	out.value("toolResult", in.close())
	return out.close()
}
