package apps

import (
	"testing"
	"time"
)

// What apps of OpenAI's format decode messages into.
type (
	message struct {
		Role       string `json:"role"`
		Content    any    `json:"content,omitempty"`
		ToolCalls  []call `json:"tool_calls,omitempty"`
		ToolCallID string `json:"tool_call_id,omitempty"`
	}
	call struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
)

// turn is what happens next: a question, a call, its result, an answer.
func turn() []message {
	return []message{
		{Role: "user", Content: "go on"},
		{Role: "assistant", ToolCalls: []call{{ID: "call_next", Type: "function", Function: function{"look", "{}"}}}},
		{Role: "tool", Content: "found", ToolCallID: "call_next"},
		{Role: "assistant", Content: "there it is"},
	}
}

// The app of document_singleton: the active conversation, and an archive.
type (
	conversation struct {
		Messages []message  `json:"messages"`
		Log      []logEvent `json:"log"`
		Seq      int        `json:"seq"`
		CtxUsed  int        `json:"ctx_used"`
	}
	logEvent struct {
		Seq   int            `json:"seq"`
		TS    int64          `json:"ts"`
		Delta map[string]any `json:"delta"`
	}
	archive struct {
		ID      string `json:"id"`
		Title   string `json:"title"`
		SavedAt int64  `json:"saved_at"`
		Turns   int    `json:"turns"`
		conversation
	}
)

func singletonPrograms() []program {
	return []program{
		document[conversation, message]{
			bucket: "chat", turn: turn(),
			list: func(c *conversation) *[]message { return &c.Messages },
		}.program("document_singleton", "active", "openai-chat"),
		document[archive, message]{
			bucket: "chathist", turn: turn(),
			list: func(a *archive) *[]message { return &a.Messages },
		}.program("document_singleton", "archive", "openai-chat"),
	}
}

// The app of document_untagged: names as Go has them, arguments as bytes.
type (
	thread struct {
		ID, Title string
		Turns     []threadTurn
		TurnCount int
	}
	threadTurn struct {
		Role, Content string
		ToolCalls     []threadCall
		ToolCallID    string
		CreatedAt     time.Time
	}
	threadCall struct {
		ID, Name  string
		Arguments []byte
	}
)

func untaggedTurn() []threadTurn {
	return []threadTurn{
		{Role: "user", Content: "go on"},
		{Role: "assistant", ToolCalls: []threadCall{{"x9", "add", []byte(`{"a":1}`)}}},
		{Role: "tool", Content: "1", ToolCallID: "x9"},
		{Role: "assistant", Content: "1"},
	}
}

// The app of document_wrapped: JSON in a string, and bytes.
type (
	session struct {
		SessionID string `json:"session_id"`
		Messages  string `json:"messages"`
		State     []byte `json:"state_b64"`
		N         int    `json:"n"`
	}
	state struct {
		Messages []message `json:"messages"`
		Step     int       `json:"step"`
	}
	opened struct {
		session
		list  []message
		state state
	}
)

func openSession(t *testing.T, raw []byte) (o opened) {
	o.session = decode[session](t, raw)
	o.list = decode[[]message](t, []byte(o.session.Messages))
	o.state = decode[state](t, o.session.State)
	return o
}

func closeSession(t *testing.T, o opened) []byte {
	o.session.Messages, o.session.State = string(encode(t, o.list)), encode(t, o.state)
	return encode(t, o.session)
}

func arrayPrograms() []program {
	wrapped := document[opened, message]{bucket: "kv", open: openSession, close: closeSession, turn: turn()}
	inString, inBytes := wrapped, wrapped
	inString.list = func(o *opened) *[]message { return &o.list }
	inBytes.list = func(o *opened) *[]message { return &o.state.Messages }
	bare := func(list *[]message) *[]message { return list }
	return []program{
		document[[]message, message]{bucket: "chat_history", list: bare, turn: turn()}.program("document_array", "chat", "openai-chat"),
		document[[]message, message]{bucket: "conversations", list: bare, turn: turn()}.program("document_array", "responses", "openai-chat"),
		document[thread, threadTurn]{
			bucket: "threads", turn: untaggedTurn(),
			list: func(t *thread) *[]threadTurn { return &t.Turns },
		}.program("document_untagged", "threads", "openai-chat"),
		inString.program("document_wrapped", "string", "openai-chat"),
		inBytes.program("document_wrapped", "bytes", "openai-chat"),
	}
}
