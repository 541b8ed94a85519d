package migrate

import (
	"strings"
	"testing"
)

// TestPieces: a call and its result in two pieces of a conversation are a pair.
// Nothing is made up, nothing is removed, and where the app puts the pieces
// together nothing is wrong.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		name, text string
		findings   int // that are reported all the same
	}{
		{"a value a turn", strings.ReplaceAll(`s1/2026-01-01T00:00:01Z [{"role":"user","content":"q"},`+openCall+`}]
s1/2026-01-01T00:00:05Z [`+itsReply+`},{"role":"assistant","content":"a"}]`, `"c1"`, `"call_Ab12Cd34Ef56Gh78"`), 0},
		{"the same with an id that may be another's", `s1/2026-01-01T00:00:01Z [{"role":"user","content":"q"},` + openCall + `}]
s1/2026-01-01T00:00:05Z [` + itsReply + `},{"role":"assistant","content":"a"}]`, 2},
		{"a value a message", `s1/00000001 [{"role":"user","content":"q"}]
s1/00000002 [` + twoCalls + `]
s1/00000003 [` + itsReply + `}]
s1/00000004 [` + secondReply + `]
s1/00000005 [{"role":"assistant","content":"a"}]`, 0},
		{"a list of turns in one value", `s/c1 {"turns":[{"messages":[{"role":"user","content":"q"},` + openCall + `}]},{"messages":[` + itsReply + `},{"role":"assistant","content":"a"}]}]}`, 0},
		{"two that may be one conversation, or not", `s1/a {"title":"a","messages":[{"role":"user","content":"q"},` + openCall + `}]}
s1/b {"title":"b","messages":[` + itsReply + `},{"role":"assistant","content":"a"}]}`, 2},
		{"ids that come again in every turn", `s1/00000001 [{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"q"},` + openCall + `}]
s1/00000002 [` + itsReply + `},{"role":"assistant","content":"a"},{"role":"user","content":"q"},` + openCall + `}]
s1/00000003 [` + itsReply + `},{"role":"assistant","content":"a"},{"role":"user","content":"q"},` + openCall + `}]
s1/00000004 [` + itsReply + `},{"role":"assistant","content":"a"}]`, 0},
		{"an image between them", `s1/00000001 [{"role":"user","content":"q"},` + openCall + `}]
s1/00000002 [{"role":"user","content":"an image"}]
s1/00000003 [` + itsReply + `}]`, 2},
		{"a window and what fell out of it", `s/c1 {"archived":[{"role":"user","content":"q"},` + openCall + `}],"messages":[` + itsReply + `},{"role":"assistant","content":"a"}]}`, 2},
		{"what fell out under another key", `history/-100 [` + itsReply + `},{"role":"assistant","content":"a"}]
overflow/-100:1 [{"role":"user","content":"q"},` + openCall + `}]`, 2},
		{"what fell out in a bucket", `history/-100 [` + itsReply + `},{"role":"assistant","content":"a"}]
overflow/-100/1 [{"role":"user","content":"q"},` + openCall + `}]`, 2},
		{"a chain of responses", `r/a {"id":"resp_1","input":[{"type":"message","role":"user","content":"hi"}],"output":[{"type":"function_call","call_id":"fc_1","name":"f","arguments":"{}"}]}
r/b {"id":"resp_2","previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"fc_1","output":"4"}],"output":[{"type":"message","role":"assistant","content":"done"}]}`, 0},
	} {
		path := madeOf(t, c.text+"\n")
		before := dump(t, path)
		got := do(t, Repair, path, Options{})
		n := 0
		for _, count := range got.sum.Findings {
			n += count
		}
		if n != c.findings || got.sum.Fixed > 0 {
			t.Errorf("%s: %s", c.name, strings.Join(got.lines, "\n"))
		}
		if dump(t, path) != before {
			t.Errorf("%s: it was written", c.name)
		}
	}
}

// TestNotPieces: a call without a result is answered as ever where nothing near
// it has one.
func TestNotPieces(t *testing.T) {
	path := madeOf(t, `s1/00000001 [{"role":"user","content":"q"},`+openCall+`}]
s1/00000002 [{"role":"user","content":"well?"},{"role":"assistant","content":"a"}]
`)
	if got := do(t, Repair, path, Options{}); got.sum.Fixed != 1 {
		t.Errorf("%s", strings.Join(got.lines, "\n"))
	}
}

const (
	twoCalls    = `{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	secondReply = `{"role":"tool","tool_call_id":"c2","content":"5"}`
)
