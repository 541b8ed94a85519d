package migrate

import (
	"strings"
	"testing"
)

const (
	idA1 = "0f8fad5b-d9cb-469f-a165-70867728950e"
	idA2 = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	idA3 = "3b241101-e2bb-4255-8caf-4136c566a962"
	idB1 = "16fd2706-8baf-433b-82eb-8c7fada847da"
	idB2 = "886313e1-3b8a-5372-9b90-0c9aee199e5d"
)

// TestBucketsThatMentionRows: a bucket that names a few rows, or the numbers of
// something else, neither orders the rows nor follows them.
func TestBucketsThatMentionRows(t *testing.T) {
	uuids := `m/` + idA1 + ` {"session_id":"a","created_at":"2026-01-01T00:00:01Z","role":"user","content":"q"}
m/` + idA2 + ` {"session_id":"a","created_at":"2026-01-01T00:00:02Z",` + openCall[1:] + `}
m/` + idB1 + ` {"session_id":"b","created_at":"2026-01-01T00:00:03Z","role":"user","content":"q"}
m/` + idB2 + ` {"session_id":"b","created_at":"2026-01-01T00:00:04Z","role":"assistant","content":"a"}
`
	numbers := `m/%00%00%00%00%00%00%00%01 {"session_id":"a","role":"user","content":"q"}
m/%00%00%00%00%00%00%00%02 {"session_id":"b","role":"user","content":"q"}
m/%00%00%00%00%00%00%00%03 {"session_id":"b","role":"tool","tool_call_id":"c9","content":"4"}
`
	for _, c := range []struct {
		name, text, stays string
		poisoned          int
	}{
		{"pins of a sound chat", uuids + `m/` + idA3 + ` {"session_id":"a","created_at":"2026-01-01T00:00:05Z",` + itsReply[1:] + `}
pinned/%00%00%00%00%00%00%00%01 ` + idA2 + `
pinned/%00%00%00%00%00%00%00%02 ` + idB1 + "\n", "pinned/", 0},
		{"the latest of each", uuids + "latest/a " + idA2 + "\nlatest/b " + idB2 + "\n", "latest/", 1},
		{"users by mail", numbers + `by_mail/ann quoted "\x00\x00\x00\x00\x00\x00\x00\x01"
by_mail/bob quoted "\x00\x00\x00\x00\x00\x00\x00\x03"
`, "by_mail/", 1},
		{"a set of numbers", numbers + `banned/%00%00%00%00%00%00%00%01 1
banned/%00%00%00%00%00%00%00%03 1
`, "banned/", 1},
		{"counters of others", numbers + "jobs/next_id 4\nsettings/b {\"num_messages\":2}\n", "jobs/", 1},
		{"how many chats there are", `chats/a [{"role":"user","content":"q"},` + openCall + `}]
chats/b [{"role":"user","content":"q"}]
chats/meta {"count":2}
`, "chats/meta", 1},
	} {
		path := madeOf(t, c.text)
		before := linesOf(dump(t, path), c.stays)
		got := do(t, Repair, path, Options{})
		if got.sum.Poisoned != c.poisoned || got.sum.Fixed != c.poisoned || got.sum.Unrecognised > 0 {
			t.Errorf("%s: %s", c.name, strings.Join(got.lines, "\n"))
		}
		if after := linesOf(dump(t, path), c.stays); after != before || after == "" {
			t.Errorf("%s: it was\n%s\nand is\n%s", c.name, before, after)
		}
	}
}

// linesOf are the lines of a text that begin so.
func linesOf(text, prefix string) string {
	var all []string
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, prefix) {
			all = append(all, l)
		}
	}
	return strings.Join(all, "")
}

// TestMembersThatPartNothing: in a chat of several people a member that tells who
// spoke makes no conversations of it, and a name that is no digest of the data
// keeps none from being repaired.
func TestMembersThatPartNothing(t *testing.T) {
	for name, text := range map[string]string{
		"who spoke": `m/-100/%00%00%00%00%00%00%00%01 {"user_id":1,"role":"user","content":"q"}
m/-100/%00%00%00%00%00%00%00%02 {"user_id":1,` + openCall[1:] + `}
m/-100/%00%00%00%00%00%00%00%03 {"user_id":2,"role":"user","content":"hey"}
m/-100/%00%00%00%00%00%00%00%04 {"user_id":1,` + itsReply[1:] + `}
m/-100/%00%00%00%00%00%00%00%05 {"user_id":2,"role":"assistant","content":"a"}
`,
		"a credential": `m/c {"access_hash":6782345678901234567,"messages":[{"role":"user","content":"q"},` + openCall + `}]}
`,
		"kinds that are sent": `m/c/00000001 {"type":"message","data":{"role":"user","content":"q"}}
m/c/00000002 {"type":"action","data":` + openCall + `}}
`,
	} {
		path := madeOf(t, text)
		if got := do(t, Repair, path, Options{}); got.sum.Fixed != 1 || got.sum.Exit != 0 {
			t.Errorf("%s: %s", name, strings.Join(got.lines, "\n"))
		}
	}
}

// TestSidecarOfNestedRows: a sidecar of rows in a bucket of their own is told
// once, whatever it is found by.
func TestSidecarOfNestedRows(t *testing.T) {
	rows := `/%00%00%00%00%00%00%00%01 {"role":"user","content":"q"}
`
	call := `/%00%00%00%00%00%00%00%02 ` + openCall + "}\n"
	for name, c := range map[string][2]string{
		"beside":        {"m/7" + rows + "m/7" + call + "m/8" + rows + "s/7 {\"title\":\"t\",\"last_seq\":2}\n", `s/7 {"title":"t","last_seq":3}`},
		"around":        {"s/7/m" + rows + "s/7/m" + call + "s/7/meta {\"message_count\":2,\"last_seq\":2}\n", `s/7/meta {"message_count":3,"last_seq":3}`},
		"further apart": {"s/7/m" + rows + "s/7/m" + call + "i/7 {\"last_seq\":2}\n", `i/7 {"last_seq":3}`},
	} {
		path := madeOf(t, c[0])
		got := do(t, Repair, path, Options{})
		if after := dump(t, path); got.sum.Fixed != 1 || !strings.Contains(after, c[1]+"\n") {
			t.Errorf("%s: no %s in\n%s\n%s", name, c[1], after, strings.Join(got.lines, "\n"))
		}
	}
}
