package apps

import (
	"encoding/binary"
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// The app of rows_sequence's messages: a bucket a chat, keys from
// NextSequence, big-endian.
type timedMessage struct {
	message
	Timestamp time.Time `json:"timestamp"`
}

func readChats(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	chats := bucket(t, tx, "messages")
	err := chats.ForEachBucket(func(name []byte) error {
		chat := strconv.FormatUint(binary.BigEndian.Uint64(name), 10)
		var times []time.Time
		b := chats.Bucket(name)
		for _, k := range keys(b, "") {
			if n := binary.BigEndian.Uint64([]byte(k)); n > b.Sequence() {
				t.Errorf("chat %s: key %d, the sequence is at %d", chat, n, b.Sequence())
			}
			m := decode[timedMessage](t, b.Get([]byte(k)))
			times = append(times, m.Timestamp)
			all[chat] = append(all[chat], texts(t, []timedMessage{m})...)
		}
		inOrder(t, "chat "+chat, times)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func writeChats(t *testing.T, tx *bbolt.Tx) {
	chats := bucket(t, tx, "messages")
	err := chats.ForEachBucket(func(name []byte) error {
		b := chats.Bucket(name)
		for i, m := range turn() {
			seq, err := b.NextSequence()
			if err != nil {
				return err
			}
			at := time.Date(2026, 6, 1, 0, 0, i, 0, time.UTC)
			putNew(t, b, binary.BigEndian.AppendUint64(nil, seq), timedMessage{m, at})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The app of messages-s1: keys from NextSequence as decimal text, read as the
// bucket has them. Content is always a list of parts.
type (
	partsMessage struct {
		Role       string     `json:"role"`
		Content    []textPart `json:"content,omitempty"`
		ToolCalls  []toolCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
	}
	textPart struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	toolCall struct {
		ID        string          `json:"id"`
		ToolID    string          `json:"tool_id"`
		Arguments json.RawMessage `json:"arguments"`
	}
)

func partsTurn() []partsMessage {
	return []partsMessage{
		{Role: "user", Content: []textPart{{"text", "go on"}}},
		{Role: "assistant", ToolCalls: []toolCall{{"d_next", "calc", json.RawMessage(`{}`)}}},
		{Role: "tool", Content: []textPart{{"text", "7"}}, ToolCallID: "d_next"},
		{Role: "assistant", Content: []textPart{{"text", "seven"}}},
	}
}

func readParts(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	b := bucket(t, tx, "messages-s1")
	for _, k := range keys(b, "") {
		all["s1"] = append(all["s1"], texts(t, []partsMessage{decode[partsMessage](t, b.Get([]byte(k)))})...)
	}
	return all
}

func writeParts(t *testing.T, tx *bbolt.Tx) {
	b := bucket(t, tx, "messages-s1")
	for _, m := range partsTurn() {
		seq, err := b.NextSequence()
		if err != nil {
			t.Fatal(err)
		}
		putNew(t, b, strconv.AppendUint(nil, seq, 10), m)
	}
}

func sequencePrograms() []program {
	return []program{
		{store: "rows_sequence", name: "big-endian", dialect: "openai-chat", read: readChats, write: writeChats},
		{store: "rows_sequence", name: "decimal", dialect: "openai-chat", read: readParts, write: writeParts, scattered: true},
	}
}

// TestTypedContent: where all content is a list of parts, so is the content of
// a made-up result. The app could not read a text, and with it the whole
// conversation.
func TestTypedContent(t *testing.T) {
	path := made(t, `messages-s1/1 {"role":"user","content":[{"type":"text","text":"add"}]}
messages-s1/2 {"role":"assistant","tool_calls":[{"id":"d1","tool_id":"calc","arguments":{}},{"id":"d2","tool_id":"calc","arguments":{}}]}
messages-s1/3 {"role":"tool","content":[{"type":"text","text":"3"}],"tool_call_id":"d1"}
sequence messages-s1 3
docs/d1 {"messages":[{"role":"user","content":[{"type":"text","text":"add"}]},{"role":"assistant","tool_calls":[{"id":"d1","tool_id":"calc","arguments":{}},{"id":"d2","tool_id":"calc","arguments":{}}]},{"role":"tool","content":[{"type":"text","text":"3"}],"tool_call_id":"d1"}]}
`)
	repaired(t, path)
	view(t, path, func(tx *bbolt.Tx) error {
		if n := len(readParts(t, tx)["s1"]); n != 4 {
			t.Errorf("%d messages in rows, want 4", n)
		}
		doc := decode[struct {
			Messages []partsMessage `json:"messages"`
		}](t, bucket(t, tx, "docs").Get([]byte("d1")))
		if n := len(doc.Messages); n != 4 {
			t.Errorf("%d messages in the document, want 4", n)
		}
		return nil
	})
}
