package cli

import (
	"strings"
	"testing"

	"boltmend/migrate"
)

func TestRedact(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"call_0_0", "call_0_0"},
		{"fc_1|call:2.x-y", "fc_1|call:2.x-y"},
		{strings.Repeat("a", 64), strings.Repeat("a", 64)},
		{strings.Repeat("a", 65), "len=65 sha256=635361c4"},
		{"sk-live secret", "len=14 sha256=ec431e56"},
		{"a\n", "len=2 sha256=87428fc5"},
		{"é", "len=2 sha256=4a99557e"},
	}
	for _, tt := range tests {
		if got := redact(tt.in); got != tt.want {
			t.Errorf("redact(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// A view shows no id that is not plain, and leaves the event alone.
func TestViewRedacts(t *testing.T) {
	const secret = "sk-live secret"
	h := &migrate.History{Type: "history", Ref: "chat/x", Findings: []migrate.Finding{
		{Code: "missing-result", Group: "pairing", ID: secret, Name: secret},
	}}
	m := &migrate.Message{Type: "message", JSON: []byte("{}"), Findings: h.Findings}
	s := &migrate.Summary{Type: "summary", Verdict: migrate.VerdictPoisoned}
	for _, flags := range []string{"", "--json"} {
		for _, show := range []bool{false, true} {
			args := []string{"scan", "a.db"}
			if flags != "" {
				args = append(args, flags)
			}
			if show {
				args = append(args, "--show-content")
			}
			out, _, _ := runFake(t, []migrate.Event{h, m, s}, args...)
			if got := strings.Contains(out, secret); got != show {
				t.Errorf("%v: secret shown: %v\n%s", args, got, out)
			}
		}
	}
	if h.Findings[0].ID != secret {
		t.Errorf("the event was changed")
	}
}
