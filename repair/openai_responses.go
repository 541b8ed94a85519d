package repair

import (
	"fmt"
	"strings"

	"boltmend/internal/jsonedit"
)

// OpenAIResponses is the item list of OpenAI's Responses API: each call item
// has one output item of its own kind and call_id anywhere behind it. Hosted
// tools carry their own results and are left alone. Calls whose output only a
// screen or a shell can give are reported and never answered.
//
// Source: OpenAI API reference, "Create a model response", and the error texts
// collected in docs/dialects.md, read 2026-11-30.
const OpenAIResponses Dialect = "openai-responses"

type openAIResponses struct{}

func (openAIResponses) rules() rules {
	return rules{families: roleFamily | itemFamily, set: true, uniqueIDs: true}
}

func (openAIResponses) spelling() spelling {
	return spelling{callID: "call_id", resultID: "call_id"}
}

const localShell = 'l'

// An itemKind says what a type of item is.
type itemKind struct {
	is    itemRole
	class byte // a call and its output have the same
}

type itemRole uint8

const (
	assistantItem itemRole = iota
	userItem
	callItem
	screenCallItem // a call that is never answered
	outputItem
)

// itemKinds are the types of items. A local_shell_call is answered by a
// function_call_output too.
var itemKinds = map[string]itemKind{
	"function_call":           {callItem, 0},
	"function_call_output":    {outputItem, 0},
	"local_shell_call":        {callItem, localShell},
	"local_shell_call_output": {outputItem, localShell},
	"custom_tool_call":        {callItem, 'c'},
	"custom_tool_call_output": {outputItem, 'c'},
	"tool_search_call":        {callItem, 't'},
	"tool_search_output":      {outputItem, 't'},
	"computer_call":           {screenCallItem, 'p'},
	"computer_call_output":    {outputItem, 'p'},
	"shell_call":              {screenCallItem, 's'},
	"shell_call_output":       {outputItem, 's'},
	"apply_patch_call":        {screenCallItem, 'a'},
	"apply_patch_call_output": {outputItem, 'a'},

	"reasoning":             {assistantItem, 0},
	"web_search_call":       {assistantItem, 0},
	"file_search_call":      {assistantItem, 0},
	"code_interpreter_call": {assistantItem, 0},
	"image_generation_call": {assistantItem, 0},
	"mcp_call":              {assistantItem, 0},
	"mcp_list_tools":        {assistantItem, 0},
	"mcp_approval_request":  {assistantItem, 0},
	"mcp_approval_response": {userItem, 0},
}

// kind returns what an item is. A search that the server runs has both its
// sides there.
func (openAIResponses) kind(rd *reader, s *source) itemKind {
	k := itemKinds[string(text(rd.doc, s.members[mType]))]
	if k.class == 't' && !rd.is(s.members[mExecution], "client") {
		return itemKind{}
	}
	return k
}

func (o openAIResponses) vote(rd *reader, s *source) (e evidence) {
	if s.family != itemFamily || s.members[mCallID] == jsonedit.None && s.members[mArguments] == jsonedit.None {
		return e // some other log may have the same words
	}
	switch o.kind(rd, s).is {
	case callItem, screenCallItem:
		e.proofs++
	case outputItem:
		e.results++
	}
	return e
}

func (o openAIResponses) read(rd *reader, s *source, m *message) {
	if s.family == roleFamily {
		switch s.role {
		case assistantRole:
			m.role = roleAssistant
		case userRole:
			m.role = roleUser
		}
		return
	}
	switch k := o.kind(rd, s); k.is {
	case callItem, screenCallItem:
		m.role = roleAssistant
		o.readCall(rd, s, k)
	case outputItem:
		m.role = roleTool
		m.content = false
		src := resultSource{
			node: s.node, id: s.members[mCallID], name: jsonedit.None,
			content: s.members[mOutput], status: s.members[mStatus],
		}
		if k.class == localShell && src.id == jsonedit.None {
			src.id = s.members[mID]
		}
		r := result{id: rd.id(src.id), kind: k.class}
		if k.class == 0 {
			r.otherKind = localShell
		}
		rd.addResult(r, src)
	case assistantItem:
		m.role = roleAssistant
	case userItem:
		m.role = roleUser
	}
}

func (openAIResponses) readCall(rd *reader, s *source, k itemKind) {
	src := callSource{node: s.node, id: s.members[mCallID], arguments: jsonedit.None}
	if k.class == localShell && src.id == jsonedit.None {
		src.id = s.members[mID]
	}
	if rd.is(s.members[mType], "function_call") {
		src.arguments = s.members[mArguments]
	}
	rd.addCall(call{
		id:           rd.id(src.id),
		name:         text(rd.doc, s.members[mName]),
		kind:         k.class,
		reportOnly:   k.is == screenCallItem,
		badArguments: rd.badJSON(src.arguments),
	}, src)
}

// made is the output item of the call's own kind.
func (openAIResponses) made(w *writer, c int32) []byte {
	call := &w.t.calls[c]
	b := w.result(call.message)
	itemID := w.itemID(call)
	switch call.kind {
	case 't':
		b.text("type", "tool_search_output")
		b.text("execution", "client")
		b.id("call_id", c)
		b.text("status", "completed")
		b.value("tools", []byte("[]"))
		return b.done()
	case 'c':
		b.text("type", "custom_tool_call_output")
	case localShell:
		b.text("type", "local_shell_call_output")
	default:
		b.text("type", "function_call_output")
	}
	if itemID != "" {
		b.text("id", itemID)
	}
	b.id("call_id", c)
	b.text("output", w.opts.marker())
	return b.done()
}

// itemID is the id of a made-up item, if all outputs have one: with what their
// ids begin with, and numbered as the call.
func (w *writer) itemID(c *call) string {
	if w.itemPrefix == nil {
		prefix := w.commonPrefix()
		w.itemPrefix = &prefix
	}
	if *w.itemPrefix == "" {
		return ""
	}
	return w.p.free(fmt.Sprintf("%s_repair_%d_%d", *w.itemPrefix, c.message, c.index), true)
}

// commonPrefix is what stands before the first "_" in the id of every output,
// "" if they differ.
func (w *writer) commonPrefix() (prefix string) {
	for i, r := range w.rd.results {
		head, _, found := strings.Cut(w.rd.doc.Text(w.member(r.node, "id")), "_")
		if !found || i > 0 && head != prefix {
			return ""
		}
		prefix = head
	}
	return prefix
}
