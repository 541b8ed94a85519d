package migrate

import (
	"strings"
	"testing"
)

// TestDisplayLog: a log for the screen that looks like messages is no history
// if the messages that it shows lie beside it.
func TestDisplayLog(t *testing.T) {
	call := `{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	answered := `[{"role":"user","content":"go"},` + call + `,{"role":"tool","tool_call_id":"c1","content":"4"}]`
	open := `[{"role":"user","content":"go"},` + call + `]`
	more := strings.ReplaceAll(call, "c1", "c2")
	shown := `[{"role":"user","content":"go"},` + call + `,` + more + `]`
	long := `[{"role":"user","content":"go"},` + call + `,{"role":"tool","tool_call_id":"c1","content":"4"},` +
		more + `,{"role":"tool","tool_call_id":"c2","content":"5"}]`
	for _, c := range []struct {
		name, value         string
		histories, poisoned int
	}{
		{"its results are left out", `{"messages":` + long + `,"shown":` + shown + `}`, 1, 0},
		{"a copy cut off", `{"messages":` + answered + `,"last":` + open + `}`, 2, 1},
		{"the name says so, neither is answered", `{"messages":` + open + `,"log":` + open + `}`, 1, 1},
		{"before the messages", `{"ui_log":` + open + `,"messages":` + open + `}`, 1, 1},
		{"other calls", `{"messages":` + `[{"role":"user","content":"x"}]` + `,"log":` + open + `}`, 2, 1},
		{"two histories", `{"messages":` + open + `,"backup":` + open + `}`, 2, 2},
		{"not beside", `{"a":{"messages":` + open + `},"b":{"log":` + open + `}}`, 2, 2},
	} {
		path := rawDB(t, map[string]string{"k": c.value})
		if got := do(t, Scan, path, Options{}).sum; got.Histories != c.histories || got.Poisoned != c.poisoned {
			t.Errorf("%s: %d histories, %d poisoned", c.name, got.Histories, got.Poisoned)
		}
	}
}
