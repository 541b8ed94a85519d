package apps

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// The app of rows_composite's turns: keys end in a ULID, and a conversation is
// read by prefix and sorted by time, in a way that keeps no order of equals.
type ulidTurn struct {
	ID         string     `json:"id"`
	SessionID  string     `json:"session_id"`
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	Name       string     `json:"name,omitempty"`
	ToolCalls  []flatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	CreatedAt  time.Time  `json:"created_at"`
	Version    int        `json:"version"`
}

type sessionCount struct {
	ID           string `json:"id"`
	MessageCount int    `json:"message_count"`
	TotalTokens  int    `json:"total_tokens"`
	UpdatedAt    string `json:"updated_at"`
}

func ulidTurns(t *testing.T, tx *bbolt.Tx, session string) (list []ulidTurn) {
	b := bucket(t, tx, "turns")
	prefix := "turn:" + session + ":"
	for _, k := range keys(b, prefix) {
		turn := decode[ulidTurn](t, b.Get([]byte(k)))
		if prefix+turn.ID != k || turn.SessionID != session || turn.Version != 1 || len(turn.ID) != 26 {
			t.Errorf("%s: the row says %s of %s, version %d", k, turn.ID, turn.SessionID, turn.Version)
		}
		list = append(list, turn)
	}
	byKey := texts(t, list)
	sort.Slice(list, func(i, j int) bool { return list[i].CreatedAt.Before(list[j].CreatedAt) })
	if strings.Join(byKey, "\n") != strings.Join(texts(t, list), "\n") {
		t.Errorf("%s: the order of keys is not the order of times", session)
	}
	return list
}

func readULIDs(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	sessions := bucket(t, tx, "sessions")
	for _, id := range keys(sessions, "") {
		list := ulidTurns(t, tx, id)
		var times []time.Time
		for _, turn := range list {
			times = append(times, turn.CreatedAt)
		}
		inOrder(t, id, times)
		if s := decode[sessionCount](t, sessions.Get([]byte(id))); s.MessageCount != len(list) {
			t.Errorf("%s: %d turns, the session counts %d", id, len(list), s.MessageCount)
		}
		all[id] = texts(t, list)
	}
	return all
}

func writeULIDs(t *testing.T, tx *bbolt.Tx) {
	sessions, b := bucket(t, tx, "sessions"), bucket(t, tx, "turns")
	for _, id := range keys(sessions, "") {
		s := decode[sessionCount](t, sessions.Get([]byte(id)))
		for i, m := range flatTurn() {
			at := time.Date(2026, 6, 1, 0, 0, i, 0, time.UTC)
			turn := ulidTurn{ID: ulid(at, uint64(i)), SessionID: id, Role: m.Role, Content: m.Content, ToolCalls: m.ToolCalls, ToolCallID: m.ToolCallID, CreatedAt: at, Version: 1}
			putNew(t, b, []byte("turn:"+id+":"+turn.ID), turn)
			s.MessageCount++
		}
		put(t, sessions, []byte(id), s)
	}
}

// ulid makes a ULID of a time and a number.
func ulid(at time.Time, n uint64) string {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	var b [26]byte
	ms := uint64(at.UnixMilli())
	for i := 9; i >= 0; i-- {
		b[i] = digits[ms%32]
		ms /= 32
	}
	for i := 25; i >= 10; i-- {
		b[i] = digits[n%32]
		n /= 32
	}
	return string(b[:])
}

// The app of rows_composite's messages: the next number is the number of
// rows, and the conversation counts them too.
type conversationMeta struct {
	ID           string `json:"id"`
	Title        string `json:"title"`
	MessageCount int    `json:"message_count"`
	UpdatedAt    string `json:"updated_at"`
}

func readPadded(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	metas, b := bucket(t, tx, "conversations"), bucket(t, tx, "messages")
	for _, id := range keys(metas, "") {
		for i, k := range keys(b, id+"/") {
			if k != fmt.Sprintf("%s/%08d", id, i) {
				t.Errorf("%s: row %d has the key %s", id, i, k)
			}
			all[id] = append(all[id], texts(t, []message{decode[message](t, b.Get([]byte(k)))})...)
		}
		if m := decode[conversationMeta](t, metas.Get([]byte(id))); m.MessageCount != len(all[id]) {
			t.Errorf("%s: %d rows, the conversation counts %d", id, len(all[id]), m.MessageCount)
		}
	}
	return all
}

func writePadded(t *testing.T, tx *bbolt.Tx) {
	metas, b := bucket(t, tx, "conversations"), bucket(t, tx, "messages")
	for _, id := range keys(metas, "") {
		meta := decode[conversationMeta](t, metas.Get([]byte(id)))
		for _, m := range turn() {
			putNew(t, b, fmt.Appendf(nil, "%s/%08d", id, len(keys(b, id+"/"))), m)
			meta.MessageCount++
		}
		put(t, metas, []byte(id), meta)
	}
}

// The app of rows_events: envelopes of several kinds whose number is one more
// than the last, in the key and in the envelope.
type envelope struct {
	Run     string          `json:"run"`
	Seq     int             `json:"seq"`
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload"`
	At      time.Time       `json:"at"`
}

func envelopes(t *testing.T, tx *bbolt.Tx, run string) (list []envelope) {
	b := bucket(t, tx, "events")
	for _, k := range keys(b, run+":") {
		e := decode[envelope](t, b.Get([]byte(k)))
		if n, err := strconv.Atoi(k[len(run)+1:]); err != nil || len(k) != len(run)+11 || n != e.Seq || e.Run != run {
			t.Errorf("%s: the envelope says %s %d", k, e.Run, e.Seq)
		}
		list = append(list, e)
	}
	return list
}

func readEvents(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	for _, run := range []string{"r1", "r2"} {
		for _, e := range envelopes(t, tx, run) {
			if e.Kind == "message" {
				all[run] = append(all[run], texts(t, []message{decode[message](t, e.Payload)})...)
			}
		}
	}
	return all
}

func writeEvents(t *testing.T, tx *bbolt.Tx) {
	for _, run := range []string{"r1", "r2"} {
		list := envelopes(t, tx, run)
		last := list[len(list)-1]
		for i, m := range turn() {
			e := envelope{run, last.Seq + 1 + i, "message", encode(t, m), last.At.Add(time.Second * time.Duration(i+1))}
			putNew(t, bucket(t, tx, "events"), fmt.Appendf(nil, "%s:%010d", run, e.Seq), e)
		}
	}
}

func compositePrograms() []program {
	return []program{
		{store: "rows_composite", name: "ulid", dialect: "openai-chat", read: readULIDs, write: writeULIDs},
		{store: "rows_composite", name: "padded", dialect: "openai-chat", read: readPadded, write: writePadded},
		{store: "rows_events", name: "events", dialect: "openai-chat", read: readEvents, write: writeEvents},
	}
}
