package repair

import (
	"bytes"
	"fmt"
	"testing"
)

const (
	doubtCall   = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	doubtResult = `{"role":"tool","tool_call_id":"a","content":"real"}`
)

// Where the dialect does not understand all that a history says of an id,
// nothing is removed and nothing is made up.
func TestDoubtChangesNothing(t *testing.T) {
	for name, h := range map[string]string{
		"role in capitals":          `{"role":"Assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"TOOL","tool_call_id":"a","content":"real"}`,
		"unknown role":              `{"role":"bot","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},` + doubtResult,
		"role function with an id":  doubtCall + `,{"role":"function","name":"f","tool_call_id":"a","content":"real"}`,
		"result of another format":  doubtCall + `,{"role":"toolResult","toolCallId":"a","content":"real"}`,
		"call in another spelling":  `{"role":"assistant","tool_calls":[{"id":"a","tool":"f","params":{}}]},` + doubtResult,
		"calls that are no list":    `{"role":"assistant","tool_calls":{"id":"a","name":"f"}},` + doubtResult,
		"call in another message":   `{"role":"assistant","content":"","message":{"tool_calls":[{"id":"a"}]}},` + doubtResult,
		"assistant without a role":  `{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},` + doubtResult,
		"block answered by message": `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},` + doubtResult,
	} {
		src := fmt.Appendf(nil, `[{"role":"user","content":"q"},%s,{"role":"user","content":"n"}]`, h)
		res, err := History(src, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if res.Changed() || !bytes.Equal(res.JSON, src) {
			t.Errorf("%s: changed, findings %v\n%s", name, res.Findings, res.JSON)
		}
		if len(res.Findings) > 0 && res.Reason == "" {
			t.Errorf("%s: findings %v without a reason", name, res.Findings)
		}
	}
}

// Words that a table or a log shares with a dialect prove nothing.
func TestLookalikesAreNoHistory(t *testing.T) {
	for _, src := range []string{
		`[{"role":"function","name":"director"},{"role":"tool","name":"hammer"}]`,
		`[{"role":"member","content":"hi"},{"role":"function","name":"bot","content":"x"}]`,
		`[{"type":"function_call","name":"save","ms":12},{"type":"page_view"}]`,
		`[{"type":"shell_call","cmd":"ls"},{"type":"page_view"}]`,
	} {
		res, err := History([]byte(src), Options{})
		if err == nil && (res.Changed() || res.Dialect != "") {
			t.Errorf("%s: %s %v", src, res.Dialect, res.Findings)
		}
	}
}
