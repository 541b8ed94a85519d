package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// Anthropic is the Messages format of Anthropic: each tool_use block of an
// assistant message has exactly one tool_result block, all of them first in
// the next message, of role user; ids are unique over the request. Tools that
// the provider runs itself (server_tool_use, mcp_tool_use) have their results
// in the same assistant message and are never answered.
//
// Source: Anthropic API, "Messages" and "Tool use", and the error texts
// collected in docs/dialects.md, read 2026-11-30.
const Anthropic Dialect = "anthropic"

type anthropic struct{}

func (anthropic) rules() rules {
	return rules{blocks: true, uniqueIDs: true, objectArguments: true}
}

func (anthropic) spelling() spelling {
	return spelling{
		callID: "id", resultID: "tool_use_id",
		role: "user", parts: mContent, partsName: "content", typed: true,
	}
}

// The types of content blocks that matter.
type blockKind uint8

const (
	otherBlock blockKind = iota
	callBlock
	resultBlock
	serverCallBlock
	serverResultBlock
)

// block reads a content block into rd.block and says what it is.
func (anthropic) block(rd *reader, b jsonedit.Ref) blockKind {
	rd.block.collect(rd.doc, b)
	t := text(rd.doc, rd.block[mType])
	switch {
	case string(t) == "text" || t == nil:
		return otherBlock
	case string(t) == "tool_use":
		return callBlock
	case string(t) == "tool_result":
		return resultBlock
	case string(t) == "server_tool_use" || string(t) == "mcp_tool_use":
		return serverCallBlock
	case bytes.HasSuffix(t, []byte("_tool_result")):
		return serverResultBlock
	}
	return otherBlock
}

func (a anthropic) vote(rd *reader, s *source) (e evidence) {
	arr, ok := rd.array(s.members[mContent])
	if !ok {
		return e
	}
	for b, end := arr+1, rd.doc.End(arr); b < end; b = rd.doc.End(b) {
		switch a.block(rd, b) {
		case callBlock, serverCallBlock:
			e.proofs++
		case resultBlock, serverResultBlock:
			e.results++
		}
	}
	return e
}

func (a anthropic) read(rd *reader, s *source, m *message) {
	switch s.role {
	case assistantRole:
		m.role = roleAssistant
	case userRole:
		m.role = roleUser
		m.canHost = true
	}
	rd.readBlocks(s.members[mContent], func(b jsonedit.Ref, index int32, behind bool) bool {
		return a.readBlock(rd, b, index, behind)
	})
}

// readBlock reads one block and reports whether it is a result.
func (a anthropic) readBlock(rd *reader, b jsonedit.Ref, index int32, behind bool) bool {
	m := rd.last()
	kind, bl := a.block(rd, b), &rd.block
	switch kind {
	case callBlock:
		rd.addCall(call{
			id:           rd.id(bl[mID]),
			name:         text(rd.doc, bl[mName]),
			wrongRole:    m.role != roleAssistant,
			pending:      rd.isPending(bl),
			badArguments: rd.badObject(bl[mInput]),
		}, callSource{node: b, id: bl[mID], arguments: bl[mInput]})
	case resultBlock:
		rd.addResult(result{
			index: index, id: rd.id(bl[mToolUseID]), behind: behind,
			wrongRole: m.role != roleUser,
		}, resultSource{
			node: b, id: bl[mToolUseID], name: jsonedit.None,
			content: bl[mContent], status: bl[mStatus],
		})
	case serverCallBlock:
		rd.addServer(b, index, rd.id(bl[mID]), false)
	case serverResultBlock:
		rd.addServer(b, index, rd.id(bl[mToolUseID]), true)
	}
	return kind == resultBlock
}

// made is a tool_result block that is flagged as an error.
func (anthropic) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	b := w.result(call.message)
	b.text("type", "tool_result")
	b.id("tool_use_id", c)
	b.text("content", w.opts.marker())
	b.value("is_error", []byte("true"))
	return b.close()
}
