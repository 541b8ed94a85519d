package apps

import (
	"fmt"
	"sort"
	"strconv"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// The app of rows_ordered: rows under ids, the order in a bucket of its own,
// whose next key is one more than the last.
type orderedMessage struct {
	ID string `json:"id"`
	message
	SessionID string `json:"sessionId"`
}

func readOrdered(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	rows, order := bucket(t, tx, "messages-bucket"), bucket(t, tx, "messages-order-bucket")
	seen := map[string]bool{}
	for _, k := range keys(order, "") {
		id := string(order.Get([]byte(k)))
		raw := rows.Get([]byte(id))
		if raw == nil || seen[id] || len(k) != 19 {
			t.Errorf("order %s names %q, which is not there or was there before", k, id)
			continue
		}
		seen[id] = true
		m := decode[orderedMessage](t, raw)
		if m.ID != id || m.SessionID != "s1" {
			t.Errorf("row %s says it is %s of %s", id, m.ID, m.SessionID)
		}
		all["s1"] = append(all["s1"], texts(t, []orderedMessage{m})...)
	}
	for _, id := range keys(rows, "") {
		if !seen[id] {
			t.Errorf("row %s has no order", id)
		}
	}
	return all
}

func writeOrdered(t *testing.T, tx *bbolt.Tx) {
	rows, order := bucket(t, tx, "messages-bucket"), bucket(t, tx, "messages-order-bucket")
	for i, m := range turn() {
		all := keys(order, "")
		last, err := strconv.Atoi(all[len(all)-1])
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		putNew(t, rows, []byte(id), orderedMessage{id, m, "s1"})
		putNew(t, order, fmt.Appendf(nil, "%019d", last+1), []byte(id))
	}
}

// The app of rows_field: rows under random ids, sorted by time in a way that
// keeps no order of equals.
type (
	fieldMessage struct {
		ID        string `json:"id"`
		SessionID string `json:"session_id"`
		message
		CreatedAt time.Time `json:"created_at"`
	}
	agentSession struct {
		ID           string `json:"id"`
		Name         string `json:"name"`
		MessageCount int    `json:"message_count"`
	}
)

func readField(t *testing.T, tx *bbolt.Tx) map[string][]string {
	bySession := map[string][]fieldMessage{}
	b := bucket(t, tx, "agent_messages")
	for _, k := range keys(b, "") {
		m := decode[fieldMessage](t, b.Get([]byte(k)))
		if m.ID != k {
			t.Errorf("row %s says it is %s", k, m.ID)
		}
		bySession[m.SessionID] = append(bySession[m.SessionID], m)
	}
	all := map[string][]string{}
	for id, list := range bySession {
		sort.Slice(list, func(i, j int) bool { return list[i].CreatedAt.Before(list[j].CreatedAt) })
		var times []time.Time
		for _, m := range list {
			times = append(times, m.CreatedAt)
		}
		inOrder(t, id, times)
		raw := bucket(t, tx, "agent_sessions").Get([]byte(id))
		if raw == nil {
			t.Errorf("no session %s", id)
		} else if s := decode[agentSession](t, raw); s.MessageCount != len(list) {
			t.Errorf("%s: %d messages, the session counts %d", id, len(list), s.MessageCount)
		}
		all[id] = texts(t, list)
	}
	return all
}

func writeField(t *testing.T, tx *bbolt.Tx) {
	sessions := bucket(t, tx, "agent_sessions")
	for n, id := range keys(sessions, "") {
		s := decode[agentSession](t, sessions.Get([]byte(id)))
		for i, m := range turn() {
			key := fmt.Sprintf("0000000%d-0000-4000-8000-%012d", n, i)
			at := time.Date(2026, 6, 1, 0, 0, i, 0, time.UTC)
			putNew(t, bucket(t, tx, "agent_messages"), []byte(key), fieldMessage{key, id, m, at})
			s.MessageCount++
		}
		put(t, sessions, []byte(id), s)
	}
}

func idPrograms() []program {
	return []program{
		{store: "rows_ordered", name: "order bucket", dialect: "openai-chat", read: readOrdered, write: writeOrdered},
		{store: "rows_field", name: "time field", dialect: "openai-chat", read: readField, write: writeField},
	}
}
