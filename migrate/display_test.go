package migrate

import (
	"strings"
	"testing"

	"boltmend/repair"
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
	more2 := `[{"role":"user","content":"go"},` + strings.ReplaceAll(call, "c1", "c3") + `,` + strings.ReplaceAll(call, "c1", "c4") + `]`
	own := strings.ReplaceAll(strings.ReplaceAll(long, "c1", "c5"), `"tool_call_id":"c2"`, `"tool_call_id":"c6"`)
	for _, c := range []struct {
		name, value         string
		histories, poisoned int
	}{
		{"its results are left out", `{"messages":` + long + `,"shown":` + shown + `}`, 1, 0},
		{"a copy cut off", `{"messages":` + answered + `,"last":` + open + `}`, 2, 1},
		{"the name says so, neither is answered", `{"messages":` + open + `,"log":` + open + `}`, 1, 1},
		{"before the messages", `{"ui_log":` + open + `,"messages":` + open + `}`, 1, 1},
		{"its ids are empty", `{"messages":` + open + `,"log":` + strings.ReplaceAll(open, "c1", "") + `}`, 1, 1},
		{"other calls, of which none is answered", `{"messages":` + open + `,"log":` + more2 + `}`, 1, 1},
		{"other calls and their results", `{"messages":` + open + `,"log":` + own + `}`, 2, 2},
		{"other calls, and the name says nothing", `{"messages":` + answered + `,"shown":` + more2 + `}`, 2, 1},
		{"two histories", `{"messages":` + open + `,"backup":` + open + `}`, 2, 2},
		{"not beside", `{"a":{"messages":` + open + `},"b":{"log":` + open + `}}`, 2, 2},
	} {
		path := rawDB(t, map[string]string{"k": c.value})
		if got := do(t, Scan, path, Options{}).sum; got.Histories != c.histories || got.Poisoned != c.poisoned {
			t.Errorf("%s: %d histories, %d poisoned", c.name, got.Histories, got.Poisoned)
		}
	}
}

// TestResultsAlone: a message of role tool that names no call is a result without
// one, if the bucket holds results that name theirs and nothing beside it is the
// chat.
func TestResultsAlone(t *testing.T) {
	alone := `[{"role":"user","content":"go"},{"role":"tool","content":"f runs"},{"role":"assistant","content":"4"}]`
	chat := `[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"4"}]`
	plain := `[{"role":"user","content":"go"},{"role":"assistant","content":"4"}]`
	for _, c := range []struct {
		name, value, other                 string
		histories, poisoned, notUnderstood int
	}{
		{"nothing proves it", alone, plain, 2, 0, 1},
		{"the bucket does", `{"messages":` + alone + `}`, chat, 2, 1, 0},
		{"beside the chat", `{"messages":` + chat + `,"shown":` + alone + `}`, chat, 3, 0, 0},
		{"beside a chat without calls", `{"messages":` + plain + `,"shown":` + alone + `}`, chat, 3, 0, 0},
		{"two chats in one value", `[{"messages":` + chat + `},{"messages":` + alone + `}]`, plain, 3, 1, 0},
	} {
		path := rawDB(t, map[string]string{"k": c.value, "l": c.other})
		got := do(t, Scan, path, Options{}).sum
		if got.Histories != c.histories || got.Poisoned != c.poisoned || got.Unrecognised != c.notUnderstood {
			t.Errorf("%s: %d histories, %d poisoned, %d not understood", c.name, got.Histories, got.Poisoned, got.Unrecognised)
		}
	}
}

// TestDisplayLogAfterRepair: what a repair removes from the messages, or gives
// another name, makes no history of the log beside them.
func TestDisplayLogAfterRepair(t *testing.T) {
	call := func(role, id string) string {
		return `{"role":"` + role + `","content":"calling","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	}
	user := `{"role":"user","content":"go"}`
	result := `{"role":"tool","tool_call_id":"c_1","content":"4"}`
	last := `{"role":"user","content":"and?"},` + call("assistant", "c_2")
	messages := `[` + user + `,` + call("assistant", "c_1") + `,` + result + `,` + last + `]`
	log := `[` + user + `,` + call("assistant", "c_1") + `,` + call("assistant", "c_2") + `]`
	for name, c := range map[string]struct {
		messages, log string
		opts          repair.Options
	}{
		"display":   {messages, log, repair.Options{OnMissing: repair.DropTurn}},
		"ui_log":    {messages, log, repair.Options{Target: repair.ToMistral}},
		"shown":     {messages, log, repair.Options{OnMissing: repair.DropTurn}},
		"log":       {`[` + user + `,` + call("assistant", "c_1") + `]`, `[` + user + `,` + call("assistant", "c_1") + `]`, repair.Options{OnMissing: repair.DropTurn}},
		"a_display": {`[` + call("user", "c_1") + `,` + result + `,` + last + `]`, log, repair.Options{}},
	} {
		member := `"` + name + `":` + c.log
		path := rawDB(t, map[string]string{"k": `{"messages":` + c.messages + `,` + member + `}`})
		if got := do(t, Repair, path, Options{Repair: c.opts}).sum; got.Fixed == 0 {
			t.Errorf("%s: nothing repaired", name)
		}
		for _, o := range []Options{{Repair: c.opts}, {}} {
			if got := do(t, Scan, path, o).sum; got.Poisoned != 0 {
				t.Errorf("%s: %d poisoned, %v", name, got.Poisoned, got.Findings)
			}
		}
		if got := values(t, path)["b/k"]; !strings.Contains(got, member) {
			t.Errorf("%s: the log is now in %s", name, got)
		}
	}
}
