package apps

import (
	"testing"

	"go.etcd.io/bbolt"
)

// TestOneSession: a store that holds one session so far is read by the same
// program as one that holds many, and its session counts its rows as well.
func TestOneSession(t *testing.T) {
	path := made(t, `agent_messages/0b6e2f4a-8c1d-4d07-9a3e-5c7f1e2d0001 {"id":"0b6e2f4a-8c1d-4d07-9a3e-5c7f1e2d0001","session_id":"s1","role":"assistant","content":"","tool_calls":[{"id":"u1","type":"function","function":{"name":"open","arguments":"{}"}}],"created_at":"2026-04-01T12:00:01.5Z"}
agent_messages/6a7b8c9d-1e2f-4a3b-9c4d-5e6f7a8b0003 {"id":"6a7b8c9d-1e2f-4a3b-9c4d-5e6f7a8b0003","session_id":"s1","role":"user","content":"open the door","created_at":"2026-04-01T12:00:00Z"}
agent_messages/c0ffee00-7a7a-4b7b-8c7c-7d7d7e7e0005 {"id":"c0ffee00-7a7a-4b7b-8c7c-7d7d7e7e0005","session_id":"s1","role":"assistant","content":"It is shut.","created_at":"2026-04-01T12:00:02.25Z"}
agent_sessions/s1 {"id":"s1","name":"door","message_count":3}
`)
	before := dump(t, path)
	r := repaired(t, path)
	if len(r.histories) != 1 || r.histories[0].Conversation != "s1" {
		t.Errorf("the conversation is not named as its rows name it\n%s", r)
	}
	view(t, path, func(tx *bbolt.Tx) error {
		if n := len(readField(t, tx)["s1"]); n != 4 {
			t.Errorf("%d messages, want 4", n)
		}
		return nil
	})
	undone(t, path, r, before)
}

// TestOneRow: a conversation of one row shows by the other conversations what
// all rows of one have in common.
func TestOneRow(t *testing.T) {
	path := made(t, `sessions/a1 {"id":"a1","message_count":1,"total_tokens":0,"updated_at":""}
sessions/a2 {"id":"a2","message_count":3,"total_tokens":0,"updated_at":""}
turns/turn:a1:01KGCAA878M9QX4T7B2R5D8WEF {"id":"01KGCAA878M9QX4T7B2R5D8WEF","session_id":"a1","role":"assistant","content":"","tool_calls":[{"id":"q1","name":"ls","arguments":{"p":"/"}}],"created_at":"2026-02-01T10:00:01Z","version":1}
turns/turn:a2:01KGCDR2W0ZA8BNCPDQERFSGTH {"id":"01KGCDR2W0ZA8BNCPDQERFSGTH","session_id":"a2","role":"assistant","content":"","tool_calls":[{"id":"q1","name":"pwd","arguments":{}}],"created_at":"2026-02-01T11:00:00Z","version":1}
turns/turn:a2:01KGCDR3V8QMDWFZ4K6S8VB3N1 {"id":"01KGCDR3V8QMDWFZ4K6S8VB3N1","session_id":"a2","role":"tool","content":"/srv","tool_call_id":"q1","created_at":"2026-02-01T11:00:01Z","version":1}
turns/turn:a2:01KGCDR4TG2V4X6Z8A1C3E5G7J {"id":"01KGCDR4TG2V4X6Z8A1C3E5G7J","session_id":"a2","role":"assistant","content":"in /srv","created_at":"2026-02-01T11:00:02Z","version":1}
`)
	before := dump(t, path)
	r := repaired(t, path)
	view(t, path, func(tx *bbolt.Tx) error {
		if n := len(readULIDs(t, tx)["a1"]); n != 2 {
			t.Errorf("%d messages, want 2", n)
		}
		return nil
	})
	undone(t, path, r, before)
}
