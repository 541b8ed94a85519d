package oracle

import (
	"strings"
	"testing"
)

// A row is one history and what the provider says to it: "" if it takes it,
// else a part of its error.
type row struct {
	name, src, refused string
}

func run(t *testing.T, judge func([]byte) error, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			err := judge([]byte(r.src))
			switch {
			case err == nil && r.refused != "":
				t.Errorf("accepted, want %q\n%s", r.refused, r.src)
			case err != nil && r.refused == "":
				t.Errorf("refused: %v\n%s", err, r.src)
			case err != nil && !strings.Contains(err.Error(), r.refused):
				t.Errorf("got %q, want %q\n%s", err, r.refused, r.src)
			}
		})
	}
}

const (
	unanswered = "must be followed by tool messages"
	unexpected = "must be a response to a preceding message"
)

func TestOpenAIChatPairing(t *testing.T) {
	run(t, OpenAIChat, []row{
		{"empty", `[]`, ""},
		{"no array", `{"role":"user"}`, "expected an array"},
		{"no json", `[{"role":"user"}`, "no valid JSON"},
		{"text only", `[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]`, ""},
		{"pair", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"a"},{"role":"user"}]`, ""},
		{"any order", `[{"role":"assistant","tool_calls":[{"id":"a"},{"id":"b"}]},{"role":"tool","tool_call_id":"b"},{"role":"tool","tool_call_id":"a"}]`, ""},
		{"ids of an earlier turn again", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"a"},{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"a"}]`, ""},
		{"ids alike but for escapes", `[{"role":"assistant","tool_calls":[{"id":"k1"}]},{"role":"tool","tool_call_id":"\u006b1"}]`, ""},
		{"missing", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"user"}]`, unanswered},
		{"missing at the end", `[{"role":"assistant","tool_calls":[{"id":"a"}]}]`, unanswered},
		{"one of two missing", `[{"role":"assistant","tool_calls":[{"id":"a"},{"id":"b"}]},{"role":"tool","tool_call_id":"b"}]`, unanswered + " responding to each 'tool_call_id'. The following did not have response messages: a"},
		{"user between", `[{"role":"assistant","tool_calls":[{"id":"a"},{"id":"b"}]},{"role":"tool","tool_call_id":"a"},{"role":"user"},{"role":"tool","tool_call_id":"b"}]`, unanswered},
		{"system between", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"developer"},{"role":"tool","tool_call_id":"a"}]`, unanswered},
		{"other turn between", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"assistant","tool_calls":[{"id":"b"}]},{"role":"tool","tool_call_id":"a"},{"role":"tool","tool_call_id":"b"}]`, unanswered},
		{"second turn of an id open", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"a"},{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"user"}]`, unanswered},
		{"orphan", `[{"role":"user"},{"role":"tool","tool_call_id":"a"}]`, unexpected},
		{"before its call", `[{"role":"tool","tool_call_id":"a"},{"role":"assistant","tool_calls":[{"id":"a"}]}]`, unexpected},
		{"unknown id", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"x"}]`, unexpected},
		{"twice", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"a"},{"role":"tool","tool_call_id":"a"}]`, unexpected},
		{"no result id", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"tool"}]`, unexpected},
		{"empty ids", `[{"role":"assistant","tool_calls":[{"id":""}]},{"role":"tool","tool_call_id":""}]`, "missing required parameter"},
		{"null id", `[{"role":"assistant","tool_calls":[{"id":null}]},{"role":"tool","tool_call_id":null}]`, "missing required parameter"},
		{"id twice in a turn", `[{"role":"assistant","tool_calls":[{"id":"a"},{"id":"a"}]},{"role":"tool","tool_call_id":"a"},{"role":"tool","tool_call_id":"a"}]`, "Duplicate value"},
		{"no calls in the list", `[{"role":"assistant","content":"x","tool_calls":[]}]`, "too short"},
		{"null list", `[{"role":"assistant","content":"x","tool_calls":null}]`, ""},
		{"list of a user", `[{"role":"user","content":"x","tool_calls":[]}]`, ""},
		{"calls of a user", `[{"role":"user","tool_calls":[{"id":"a"}]}]`, "not allowed in a message with role 'user'"},
		{"blank name", `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"a","name":" "}]`, "empty string"},
		{"blank name of a nameless call", `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":""}}]},{"role":"tool","tool_call_id":"a","name":""}]`, ""},
		{"aborted is nothing special", `[{"role":"assistant","stopReason":"aborted","tool_calls":[{"id":"a"}]}]`, unanswered},
	})
}

func TestOpenAIChatArguments(t *testing.T) {
	const tail = `}]},{"role":"tool","tool_call_id":"a"}]`
	const nested = `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":`
	const flat = `[{"role":"assistant","tool_calls":[{"id":"a","name":"f"`
	run(t, OpenAIChat, []row{
		{"text of an object", nested + `"{}"}` + tail, ""},
		{"text of a list", nested + `"[1]"}` + tail, ""},
		{"object", nested + `{"x":1}}` + tail, ""},
		{"null", nested + `null}` + tail, ""},
		{"base64", nested + `"eyJhIjoxfQ=="}` + tail, ""},
		{"cut", nested + `"{\"a\":"}` + tail, "failed to parse"},
		{"empty", nested + `""}` + tail, "failed to parse"},
		{"base64 of a cut text", nested + `"eyJhIjox"}` + tail, "failed to parse"},
		{"flat text", flat + `,"arguments":"{}"` + tail, ""},
		{"flat object", flat + `,"arguments":{}` + tail, ""},
		{"flat without", flat + tail, ""},
		{"flat cut", flat + `,"arguments":"{"` + tail, "failed to parse"},
		{"custom", `[{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"f","input":"any {"}` + tail, ""},
	})
}

func TestOpenAIChatLegacy(t *testing.T) {
	const turn = `[{"role":"assistant","function_call":{"name":"f","arguments":"{}"}}`
	run(t, OpenAIChat, []row{
		{"pair", turn + `,{"role":"function","name":"f","content":"1"},{"role":"user"}]`, ""},
		{"missing", turn + `,{"role":"user"}]`, unanswered},
		{"other name", turn + `,{"role":"function","name":"g"}]`, unexpected},
		{"twice", turn + `,{"role":"function","name":"f"},{"role":"function","name":"f"}]`, unexpected},
		{"between", turn + `,{"role":"user"},{"role":"function","name":"f"}]`, unanswered},
		{"wrong kind", turn + `,{"role":"tool","tool_call_id":"f"}]`, unexpected},
		{"null", `[{"role":"assistant","function_call":null}]`, ""},
		{"cut", `[{"role":"assistant","function_call":{"name":"f","arguments":"{"}},{"role":"function","name":"f"}]`, "failed to parse"},
	})
}

func TestStoreConventions(t *testing.T) {
	run(t, OpenAIChat, []row{
		{"go names", `[{"Role":"assistant","ToolCalls":[{"ID":"a","Name":"f","Arguments":"e30="}]},{"Role":"tool","ToolCallID":"a","ToolCalls":null}]`, ""},
		{"go names, missing", `[{"Role":"assistant","ToolCalls":[{"ID":"a"}]},{"Role":"user","ToolCallID":""}]`, unanswered},
		{"last id counts", `[{"role":"assistant","tool_calls":[{"id":"x","id":"a"}]},{"role":"tool","tool_call_id":"x","tool_call_id":"a"}]`, ""},
		{"last id counts, refused", `[{"role":"assistant","tool_calls":[{"id":"a","id":"x"}]},{"role":"tool","tool_call_id":"a"}]`, unexpected},
		{"last of two spellings", `[{"role":"assistant","tool_calls":[{"id":"x","ID":"a"}]},{"role":"tool","tool_call_id":"a"}]`, ""},
		{"last role counts", `[{"role":"tool","role":"user","tool_call_id":"a"}]`, ""},
		{"no messages", `[null,1,"x",[],{},{"role":7},{"type":"session_meta"},{"role":"user"}]`, ""},
		{"no message between", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"type":"meta"},7,{"role":"tool","tool_call_id":"a"}]`, ""},
		{"local only", `[{"role":"user"},{"role":"tool","tool_call_id":"_","local_only":true}]`, ""},
		{"local only is false", `[{"role":"user"},{"role":"tool","tool_call_id":"_","local_only":false}]`, unexpected},
		{"calls with their results", `[{"role":"assistant","tool_calls":[{"name":"f","result":"1"},{"id":"a","output":"2"}]}]`, ""},
		{"branches", `[{"role":"assistant","branch":"m","tool_calls":[{"id":"a"}]},{"role":"assistant","branch":"s","tool_calls":[{"id":"a"}]},{"role":"tool","branch":"s","tool_call_id":"a"},{"role":"tool","branch":"m","tool_call_id":"a"}]`, ""},
		{"result in another lane", `[{"role":"assistant","lane_id":1,"tool_calls":[{"id":"a"}]},{"role":"tool","lane_id":2,"tool_call_id":"a"}]`, unanswered},
		{"sidechain", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"user","isSidechain":true},{"role":"tool","tool_call_id":"a","isSidechain":false}]`, ""},
	})
}

func TestTail(t *testing.T) {
	const turn = `[{"role":"assistant","tool_calls":[{"id":"a","status":"waiting_approval"},{"id":"b"}]}`
	run(t, OpenAIChat, []row{
		{"pending call", turn + `,{"role":"tool","tool_call_id":"b"}]`, ""},
		{"sibling of a pending call", turn + `]`, unanswered},
		{"pending turn", `[{"role":"assistant","state":"running","tool_calls":[{"id":"a"}]}]`, ""},
		{"pending but passed over", turn + `,{"role":"tool","tool_call_id":"b"},{"role":"user"}]`, unanswered},
		{"pending with other faults", `[{"role":"assistant","status":"pending","tool_calls":[{"id":"","function":{"arguments":"{"}}]}]`, ""},
		{"pending, answered, with other faults", `[{"role":"assistant","status":"pending","tool_calls":[{"id":"a","function":{"arguments":"{"}}]},{"role":"tool","tool_call_id":"a"}]`, "failed to parse"},
		{"pending with an id used twice", `[{"role":"assistant","status":"pending","tool_calls":[{"id":"a"},{"id":"a"}]}]`, "Duplicate value"},
		{"done", `[{"role":"assistant","status":"completed","tool_calls":[{"id":"a"}]}]`, unanswered},
	})
	run(t, ForOpenTail("openai-chat"), []row{
		{"open", `[{"role":"user"},{"role":"assistant","tool_calls":[{"id":"a"},{"id":"b"}]},{"role":"tool","tool_call_id":"b"}]`, ""},
		{"not the tail", `[{"role":"assistant","tool_calls":[{"id":"a"}]},{"role":"user"}]`, unanswered},
		{"before the tail", `[{"role":"tool","tool_call_id":"x"},{"role":"assistant","tool_calls":[{"id":"a"}]}]`, unexpected},
		{"results alone", `[{"role":"tool","tool_call_id":"x"}]`, unexpected},
	})
}

func TestFor(t *testing.T) {
	for _, d := range Dialects() {
		if For(d) == nil || ForOpenTail(d) == nil {
			t.Errorf("no validator for %s", d)
		}
	}
	if For("none") != nil {
		t.Error("a validator for no dialect")
	}
}
