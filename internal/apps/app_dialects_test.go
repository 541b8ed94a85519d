package apps

import (
	"encoding/json"
	"testing"

	"go.etcd.io/bbolt"
)

// The app of document_anthropic: the provider's own array, and a bucket of
// summaries that counts it.
type (
	record struct {
		ID          string                     `json:"id"`
		RawMessages []blockMessage             `json:"rawMessages"`
		ModelType   string                     `json:"modelType"`
		Usage       json.RawMessage            `json:"usage,omitempty"`
		CreatedAt   string                     `json:"createdAt"`
		UpdatedAt   string                     `json:"updatedAt"`
		ToolResults map[string]json.RawMessage `json:"toolResults"`
	}
	blockMessage struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	block struct {
		Type      string          `json:"type"`
		Text      string          `json:"text,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Input     json.RawMessage `json:"input,omitempty"`
		ToolUseID string          `json:"tool_use_id,omitempty"`
		IsError   bool            `json:"is_error,omitempty"`
		Content   any             `json:"content,omitempty"` // a text or blocks, as the provider takes both
	}
	summary struct {
		ID           string `json:"id"`
		MessageCount int    `json:"messageCount"`
		FirstMessage string `json:"firstMessage"`
		UpdatedAt    string `json:"updatedAt"`
	}
)

// recordProgram also keeps the summaries, whose counts it relies on but for
// one that was wrong before.
func recordProgram() program {
	p := document[record, blockMessage]{
		bucket: "conversations",
		list:   func(r *record) *[]blockMessage { return &r.RawMessages },
		turn: []blockMessage{
			{Role: "user", Content: []block{{Type: "text", Text: "go on"}}},
			{Role: "assistant", Content: []block{{Type: "tool_use", ID: "toolu_next", Name: "bash", Input: json.RawMessage(`{}`)}}},
			{Role: "user", Content: []block{{Type: "tool_result", ToolUseID: "toolu_next", Content: "ok"}}},
			{Role: "assistant", Content: []block{{Type: "text", Text: "done"}}},
		},
	}.program("document_anthropic", "records", "anthropic")
	read, write := p.read, p.write
	p.read = func(t *testing.T, tx *bbolt.Tx) map[string][]string {
		all := read(t, tx)
		for id, list := range all {
			s := decode[summary](t, bucket(t, tx, "summaries").Get([]byte("conv:"+id)))
			if s.MessageCount != len(list) && id != "20260110T094500-77ac" {
				t.Errorf("%s: %d messages, the summary says %d", id, len(list), s.MessageCount)
			}
		}
		return all
	}
	p.write = func(t *testing.T, tx *bbolt.Tx) {
		write(t, tx)
		b := bucket(t, tx, "summaries")
		for _, k := range keys(b, "conv:") {
			s := decode[summary](t, b.Get([]byte(k)))
			s.MessageCount += 4
			put(t, b, []byte(k), s)
		}
	}
	return p
}

// The app of document_grouped.
type (
	groupRecord struct {
		ID        string         `json:"id"`
		TenantID  string         `json:"tenantId"`
		UserID    string         `json:"userId"`
		Title     string         `json:"title"`
		CreatedAt string         `json:"createdAt"`
		UpdatedAt string         `json:"updatedAt"`
		Messages  []groupMessage `json:"messages"`
	}
	groupMessage struct {
		Role        string        `json:"role"`
		Content     string        `json:"content,omitempty"`
		ToolCalls   []groupCall   `json:"toolCalls,omitempty"`
		ToolResults []groupResult `json:"toolResults,omitempty"`
		Timestamp   string        `json:"timestamp"`
	}
	groupCall struct {
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	}
	groupResult struct {
		ToolCallID string `json:"toolCallId"`
		Content    string `json:"content"`
		IsError    bool   `json:"isError,omitempty"`
	}
)

// The app of document_gemini.
type (
	partTurn struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	}
	part struct {
		Text     string    `json:"text,omitempty"`
		Call     *partCall `json:"function_call,omitempty"`
		Response *partDone `json:"function_response,omitempty"`
	}
	partCall struct {
		ID   string         `json:"id"`
		Name string         `json:"name"`
		Args map[string]any `json:"args"`
	}
	partDone struct {
		ToolCallID string         `json:"tool_call_id"`
		Name       string         `json:"name"`
		Response   map[string]any `json:"response"`
	}
)

// The app of document_responses: every response has a key of its own, with all
// that was before it, and a name points to the newest.
type (
	responseRecord struct {
		Data struct {
			Response  json.RawMessage `json:"response"`
			History   []flatMessage   `json:"conversation_history"`
			SessionID string          `json:"session_id"`
		} `json:"data"`
		AccessedAt int64 `json:"accessed_at"`
	}
	flatMessage struct {
		Role       string     `json:"role"`
		Content    string     `json:"content"`
		ToolCalls  []flatCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
		Name       string     `json:"name,omitempty"`
	}
	flatCall struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
)

func flatTurn() []flatMessage {
	return []flatMessage{
		{Role: "user", Content: "go on"},
		{Role: "assistant", ToolCalls: []flatCall{{"f_next", "find", json.RawMessage(`{}`)}}},
		{Role: "tool", Content: "none", ToolCallID: "f_next"},
		{Role: "assistant", Content: "nothing"},
	}
}

func readResponses(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	names := bucket(t, tx, "api_response_conversations_v1")
	for _, name := range keys(names, "") {
		r := decode[responseRecord](t, bucket(t, tx, "api_responses_v1").Get(names.Get([]byte(name))))
		if r.AccessedAt < 1785000000123456789 {
			t.Errorf("%s: accessed_at is %d", name, r.AccessedAt)
		}
		all[name] = texts(t, r.Data.History)
	}
	return all
}

func writeResponses(t *testing.T, tx *bbolt.Tx) {
	names, b := bucket(t, tx, "api_response_conversations_v1"), bucket(t, tx, "api_responses_v1")
	r := decode[responseRecord](t, b.Get(names.Get([]byte("desk"))))
	r.Data.History = append(r.Data.History, flatTurn()...)
	r.AccessedAt++
	putNew(t, b, []byte("resp_10"), r)
	put(t, names, []byte("desk"), []byte("resp_10"))
}

func otherDialectPrograms() []program {
	return []program{
		recordProgram(),
		document[groupRecord, groupMessage]{
			bucket: "copilot_conversations",
			list:   func(r *groupRecord) *[]groupMessage { return &r.Messages },
			turn: []groupMessage{
				{Role: "user", Content: "go on"},
				{Role: "assistant", ToolCalls: []groupCall{{"t_next", "get_pods", json.RawMessage(`{}`)}}},
				{Role: "user", ToolResults: []groupResult{{ToolCallID: "t_next", Content: "[]"}}},
				{Role: "assistant", Content: "none"},
			},
		}.program("document_grouped", "records", "grouped"),
		document[[]partTurn, partTurn]{
			bucket: "conversations",
			list:   func(list *[]partTurn) *[]partTurn { return list },
			turn: []partTurn{
				{Role: "user", Parts: []part{{Text: "go on"}}},
				{Role: "model", Parts: []part{{Call: &partCall{"c_next", "get_ticket", map[string]any{}}}}},
				{Role: "tool", Parts: []part{{Response: &partDone{"c_next", "get_ticket", map[string]any{"id": 1}}}}},
				{Role: "model", Parts: []part{{Text: "done"}}},
			},
		}.program("document_gemini", "turns", "gemini"),
		{store: "document_responses", name: "responses", dialect: "openai-chat", read: readResponses, write: writeResponses},
	}
}
