package oracle

import "testing"

func TestOllama(t *testing.T) {
	const (
		f       = `{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]}`
		fg      = `{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}},{"function":{"name":"g"}}]}`
		ids     = `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}`
		ofF     = `{"role":"tool","tool_name":"f","content":"1"}`
		ofG     = `{"role":"tool","tool_name":"g","content":"2"}`
		ofB     = `{"role":"tool","tool_name":"f","tool_call_id":"b","content":"2"}`
		bare    = `{"role":"tool","content":"3"}`
		missing = "without tool results"
		alone   = "Unexpected tool call id"
	)
	run(t, Ollama, []row{
		{"pair", `[` + user + `,` + f + `,` + ofF + `,` + user + `]`, ""},
		{"names in any order", `[` + fg + `,` + ofG + `,` + ofF + `]`, ""},
		{"no names", `[` + fg + `,` + bare + `,` + bare + `]`, ""},
		{"one without a name", `[` + fg + `,` + bare + `,` + ofF + `]`, ""},
		{"older name member", `[` + f + `,{"role":"tool","name":"f"}]`, ""},
		{"by id", `[` + ids + `,` + ofB + `,{"role":"tool","tool_name":"f","tool_call_id":"a"}]`, ""},
		{"by id and name", `[` + ids + `,` + ofB + `,` + ofF + `]`, ""},
		{"missing", `[` + fg + `,` + ofF + `,` + user + `]`, missing},
		{"missing at the end", `[` + f + `]`, missing},
		{"between", `[` + f + `,` + user + `,` + ofF + `]`, missing},
		{"orphan", `[` + user + `,` + ofF + `]`, alone},
		{"another name", `[` + f + `,` + ofG + `]`, alone},
		{"one too many", `[` + f + `,` + ofF + `,` + bare + `]`, alone},
		{"before its call", `[` + ofF + `,` + f + `]`, alone},
		{"empty ids", `[{"role":"assistant","tool_calls":[{"id":"","function":{"name":"f"}}]},{"role":"tool","tool_call_id":""}]`, "must not be empty"},
		{"empty result id", `[` + ids + `,` + ofB + `,{"role":"tool","tool_name":"f","tool_call_id":""}]`, "must not be empty"},
		{"empty result id, calls without", `[` + f + `,{"role":"tool","tool_name":"f","tool_call_id":""}]`, ""},
		{"id twice", `[{"role":"assistant","tool_calls":[{"id":"a","function":{}},{"id":"a","function":{}}]},{"role":"tool","tool_call_id":"a"},{"role":"tool","tool_call_id":"a"}]`, "duplicate"},
		{"blank name", `[` + f + `,{"role":"tool","tool_name":""}]`, "must not be empty"},
		{"call of a user", `[{"role":"user","tool_calls":[{"function":{"name":"f"}}]}]`, "role user"},
		{"arguments are text", `[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]},` + ofF + `]`, "cannot unmarshal"},
		{"empty list", `[{"role":"assistant","tool_calls":[]}]`, ""},
		{"go names", `[{"Role":"assistant","ToolCalls":[{"Function":{"Name":"f","Arguments":{}}}]},{"Role":"tool","ToolName":"f"}]`, ""},
		{"pending", `[{"role":"assistant","status":"pending","tool_calls":[{"function":{"name":"f"}}]}]`, ""},
	})
	run(t, ForOpenTail("ollama"), []row{
		{"open", `[` + user + `,` + fg + `,` + ofF + `]`, ""},
		{"not the tail", `[` + f + `,` + user + `]`, missing},
	})
}
