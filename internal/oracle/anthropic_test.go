package oracle

import "testing"

const (
	useA    = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
	useAB   = `{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}`
	resultA = `{"type":"tool_result","tool_use_id":"a","content":"1"}`
	resultB = `{"type":"tool_result","tool_use_id":"b","content":"2"}`
	text    = `{"type":"text","text":"x"}`
	user    = `{"role":"user","content":"q"}`
)

func says(role, blocks string) string {
	return `{"role":"` + role + `","content":[` + blocks + `]}`
}

func TestAnthropic(t *testing.T) {
	const (
		missing  = "without `tool_result` blocks immediately after"
		stranger = "unexpected `tool_use_id`"
	)
	run(t, Anthropic, []row{
		{"pair", `[` + user + `,` + useA + `,` + says("user", resultA) + `]`, ""},
		{"text behind", `[` + useA + `,` + says("user", resultA+`,`+text) + `]`, ""},
		{"any order", `[` + useAB + `,` + says("user", resultB+`,`+resultA) + `]`, ""},
		{"missing", `[` + useA + `,` + user + `]`, missing},
		{"missing at the end", `[` + useA + `]`, missing},
		{"one missing", `[` + useAB + `,` + says("user", resultB) + `]`, missing + ": a"},
		{"assistant between", `[` + useA + `,` + says("assistant", text) + `,` + says("user", resultA) + `]`, missing},
		{"system between", `[` + useA + `,` + says("system", text) + `,` + says("user", resultA) + `]`, missing},
		{"split", `[` + useAB + `,` + says("user", resultA) + `,` + says("user", resultB) + `]`, missing},
		{"text before", `[` + useA + `,` + says("user", text+`,`+resultA) + `]`, "at the beginning"},
		{"text in the middle", `[` + useAB + `,` + says("user", resultA+`,`+text+`,`+resultB) + `]`, "at the beginning"},
		{"orphan", `[` + says("user", resultA) + `]`, stranger},
		{"orphan behind text", `[` + says("assistant", text) + `,` + says("user", resultA) + `]`, stranger},
		{"before its call", `[` + says("user", resultA) + `,` + useA + `]`, stranger},
		{"stranger", `[` + useA + `,` + says("user", resultA+`,`+resultB) + `]`, stranger},
		{"twice", `[` + useA + `,` + says("user", resultA+`,`+resultA) + `]`, "single result"},
		{"no result id", `[` + useA + `,` + says("user", `{"type":"tool_result"}`) + `]`, stranger},
		{"no id", `[` + says("assistant", `{"type":"tool_use"}`) + `]`, "Field required"},
		{"id twice in a turn", `[` + says("assistant", `{"type":"tool_use","id":"a"},{"type":"tool_use","id":"a"}`) + `]`, "must be unique"},
		{"id of an earlier turn", `[` + useA + `,` + says("user", resultA) + `,` + useA + `,` + says("user", resultA) + `]`, "must be unique"},
		{"id of another branch", `[` + useA + `,` + says("user", resultA) + `,{"role":"assistant","isSidechain":true,"content":[{"type":"tool_use","id":"a"}]},{"role":"user","isSidechain":true,"content":[` + resultA + `]}]`, ""},
		{"input is text", `[` + says("assistant", `{"type":"tool_use","id":"a","input":"{}"}`) + `,` + says("user", resultA) + `]`, "valid dictionary"},
		{"input is null", `[` + says("assistant", `{"type":"tool_use","id":"a","input":null}`) + `,` + says("user", resultA) + `]`, "valid dictionary"},
		{"no input", `[` + says("assistant", `{"type":"tool_use","id":"a"}`) + `,` + says("user", resultA) + `]`, ""},
		{"call of a user", `[` + says("user", `{"type":"tool_use","id":"a"}`) + `]`, "only be in `assistant`"},
		{"result of an assistant", `[` + useA + `,` + says("assistant", resultA) + `]`, "only be in `user`"},
		{"go names", `[{"Role":"assistant","Content":[{"Type":"tool_use","ID":"a","Input":{}}]},{"Role":"user","Content":[{"Type":"tool_result","ToolUseID":"a"}]}]`, ""},
		{"pending at the end", `[` + says("assistant", `{"type":"tool_use","id":"a"},{"type":"tool_use","id":"b","status":"pending"}`) + `,` + says("user", resultA) + `]`, ""},
		{"pending but passed over", `[` + says("assistant", `{"type":"tool_use","id":"a"},{"type":"tool_use","id":"b","status":"pending"}`) + `,` + says("user", resultA+`,`+text) + `]`, missing},
	})
	run(t, ForOpenTail("anthropic"), []row{
		{"open", `[` + user + `,` + useAB + `,` + says("user", resultB) + `]`, ""},
		{"no results", `[` + useA + `]`, ""},
		{"text behind", `[` + useAB + `,` + says("user", resultB+`,`+text) + `]`, missing},
	})
}

func TestAnthropicServerTools(t *testing.T) {
	const (
		call   = `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`
		answer = `{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`
		alone  = "no corresponding `server_tool_use` block before it"
	)
	run(t, Anthropic, []row{
		{"pair", `[` + says("assistant", call+`,`+answer+`,`+text) + `]`, ""},
		{"mcp", `[` + says("assistant", `{"type":"mcp_tool_use","id":"m"},{"type":"mcp_tool_result","tool_use_id":"m"}`) + `]`, ""},
		{"unanswered", `[` + says("assistant", call) + `,` + user + `]`, ""},
		{"beside a client tool", `[` + says("assistant", call+`,{"type":"tool_use","id":"a"}`) + `,` + says("user", resultA) + `]`, ""},
		{"before its call", `[` + says("assistant", answer+`,`+call) + `]`, alone},
		{"in the next message", `[` + says("assistant", call) + `,` + says("assistant", answer) + `]`, alone},
		{"in a user message", `[` + says("assistant", call) + `,` + says("user", answer) + `]`, alone},
		{"answered by the client", `[` + says("assistant", call) + `,` + says("user", `{"type":"tool_result","tool_use_id":"s"}`) + `]`, "unexpected `tool_use_id` found in `tool_result`"},
	})
}
