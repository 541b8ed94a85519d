package repair

import (
	"strings"
	"testing"
)

func TestEveryCodeHasWordsAndAGroup(t *testing.T) {
	for _, c := range Codes() {
		if got := c.Phrase(2); !strings.HasPrefix(got, "2 ") || strings.Contains(got, string(c)) {
			t.Errorf("%s: %q", c, got)
		}
		if c.Group() == "" {
			t.Errorf("%s has no group", c)
		}
	}
	if got := Code("no-code").Group(); got != "" {
		t.Errorf("an unknown code is of group %q", got)
	}
}

func TestFindingString(t *testing.T) {
	for _, tt := range []struct {
		f    Finding
		want string
	}{
		{Finding{Code: MissingResult, Message: 7, IDs: []string{"call_a", "call_b"}}, "message 7: 2 calls without a result: call_a, call_b"},
		{Finding{Code: EmptyCallID, Message: 0, IDs: []string{""}}, "message 0: 1 call without an id"},
		{Finding{Code: EmptyCalls, Message: 3, IDs: []string{""}}, "message 3: an empty list of calls"},
	} {
		if got := tt.f.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
