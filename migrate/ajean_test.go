package migrate

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/internal/oracle"
)

// What the app behind testdata/stores/ajean.db decodes its values into, and
// how it appends.
type (
	appMessage struct {
		Role       string    `json:"role"`
		Content    any       `json:"content,omitempty"`
		ToolCalls  []appCall `json:"tool_calls,omitempty"`
		ToolCallID string    `json:"tool_call_id,omitempty"`
	}
	appCall struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
)

// values reads all values of a database.
func values(t *testing.T, path string) map[string]string {
	t.Helper()
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string]string{}
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				all[string(name)+"/"+string(k)] = string(v)
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func messagesOf(t *testing.T, value string) []appMessage {
	t.Helper()
	var doc struct {
		Messages []appMessage `json:"messages"`
	}
	if err := json.Unmarshal([]byte(value), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Messages
}

// count counts calls and results over all conversations.
func count(t *testing.T, all map[string]string) (calls, results int) {
	for name, v := range all {
		if !strings.HasPrefix(name, "chat") {
			continue
		}
		for _, m := range messagesOf(t, v) {
			calls += len(m.ToolCalls)
			if m.Role == "tool" {
				results++
			}
		}
	}
	return calls, results
}

// TestAjean repairs what was found in the field: 308 calls against 306
// results, one unanswered at the end of the active conversation, one in an
// archive, and an image message between two results.
func TestAjean(t *testing.T) {
	path := copyOf(t, "ajean.db")
	before := values(t, path)
	if calls, results := count(t, before); calls != 308 || results != 306 {
		t.Fatalf("%d calls, %d results", calls, results)
	}
	found := do(t, Repair, path, Options{})
	if f := found.sum.Findings; len(f) != 2 || f["missing-result"] != 2 || f["interleaved-message"] != 1 {
		t.Errorf("findings %v", f)
	}
	if got := do(t, Scan, path, Options{}).sum; got.Verdict != VerdictSound || got.Histories != 4 {
		t.Errorf("after the repair: %+v", got)
	}
	after := values(t, path)
	if calls, results := count(t, after); calls != 308 || results != 308 {
		t.Errorf("after the repair %d calls, %d results", calls, results)
	}
	if len(after) != len(before) {
		t.Errorf("%d values, before %d", len(after), len(before))
	}
	for name, old := range before {
		sameOutside(t, name, old, after[name])
	}
	for name, v := range after {
		if strings.HasPrefix(name, "chat") {
			nextTurn(t, name, v)
		}
	}
}

// sameOutside compares two values but for their messages, byte for byte.
func sameOutside(t *testing.T, name, old, now string) {
	t.Helper()
	if !strings.HasPrefix(name, "chat") {
		if old != now {
			t.Errorf("%s has changed", name)
		}
		return
	}
	cut := func(v string) string {
		i, j := strings.Index(v, `"messages":[`), strings.Index(v, `,"log":`)
		return v[:i] + v[j:]
	}
	if cut(old) != cut(now) {
		t.Errorf("%s has changed outside of its messages", name)
	}
}

// nextTurn appends a turn as the app does and asks the provider's rules.
func nextTurn(t *testing.T, name, value string) {
	t.Helper()
	messages := append(messagesOf(t, value), appMessage{Role: "user", Content: "go on"})
	request, err := json.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	if err := oracle.For("openai-chat")(request); err != nil {
		t.Errorf("%s: the next turn would be refused: %v", name, err)
	}
}

// TestNoSecretInAnyReport looks for the stored secrets in every event of
// every command but show.
func TestNoSecretInAnyReport(t *testing.T) {
	path := copyOf(t, "ajean.db")
	var all log
	for _, c := range []command{Scan, Inspect} {
		all.lines = append(all.lines, do(t, c, path, Options{All: true}).lines...)
	}
	repaired := do(t, Repair, path, Options{All: true})
	all.lines = append(all.lines, repaired.lines...)
	Undo(context.Background(), repaired.sum.Journal, "", Options{}, all.emit)
	text := strings.Join(all.lines, "\n")
	if len(all.lines) < 20 {
		t.Fatalf("only %d events", len(all.lines))
	}
	for _, secret := range []string{"canary", "do-not-print", "careful assistant", "qwen"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in a report", secret)
		}
	}
}
