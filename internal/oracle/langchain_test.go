package oracle

import "testing"

func constructor(class, kwargs string) string {
	return `{"lc":1,"type":"constructor","id":["langchain","schema","messages","` + class + `"],"kwargs":{` + kwargs + `}}`
}

func TestLangChain(t *testing.T) {
	const (
		human   = `{"type":"human","content":"q"}`
		ai      = `{"type":"ai","content":"","tool_calls":[{"id":"a","name":"f","args":{}},{"id":"b","name":"f","args":{}}]}`
		toolA   = `{"type":"tool","tool_call_id":"a","content":"1"}`
		toolB   = `{"type":"tool","tool_call_id":"b","content":"2"}`
		missing = "do not have a corresponding ToolMessage"
		alone   = "must be a response to a preceding AIMessage"
	)
	one := constructor("AIMessage", `"content":"","tool_calls":[{"id":"a","name":"f","args":{}}]`)
	answer := constructor("ToolMessage", `"content":"1","tool_call_id":"a"`)
	asks := constructor("HumanMessage", `"content":"q"`)
	run(t, LangChain, []row{
		{"pair", `[` + human + `,` + ai + `,` + toolA + `,` + toolB + `,` + human + `]`, ""},
		{"any order", `[` + ai + `,` + toolB + `,` + toolA + `]`, ""},
		{"serialized", `[` + asks + `,` + one + `,` + answer + `]`, ""},
		{"serialized chunk", `[` + constructor("AIMessageChunk", `"tool_calls":[{"id":"a"}]`) + `,` + answer + `]`, ""},
		{"serialized, missing", `[` + one + `,` + asks + `]`, missing + ": a"},
		{"serialized, orphan", `[` + asks + `,` + answer + `]`, alone},
		{"serialized of something else", `[` + one + `,` + constructor("Document", `"page_content":""`) + `,` + answer + `]`, ""},
		{"missing", `[` + ai + `,` + toolA + `,` + human + `]`, missing + ": b"},
		{"missing at the end", `[` + ai + `]`, missing},
		{"human between", `[` + ai + `,` + toolA + `,` + human + `,` + toolB + `]`, missing},
		{"orphan", `[` + human + `,` + toolA + `]`, alone},
		{"twice", `[` + ai + `,` + toolA + `,` + toolB + `,` + toolB + `]`, alone},
		{"before its call", `[` + toolA + `,` + ai + `]`, alone},
		{"empty list", `[{"type":"ai","content":"x","tool_calls":[]}]`, ""},
		{"no id", `[{"type":"ai","tool_calls":[{"id":null,"name":"f"}]}]`, "without an id"},
		{"id twice", `[{"type":"ai","tool_calls":[{"id":"a"},{"id":"a"}]},` + toolA + `,` + toolA + `]`, "duplicate"},
		{"args are text", `[{"type":"ai","tool_calls":[{"id":"a","args":"{}"}]},` + toolA + `]`, "valid dictionary"},
		{"blank name", `[{"type":"ai","tool_calls":[{"id":"a","name":"f"}]},{"type":"tool","tool_call_id":"a","name":""}]`, "must not be empty"},
		{"call of a human", `[{"type":"human","tool_calls":[{"id":"a"}]}]`, "type human"},
		{"no messages", `[null,7,{},{"type":"session_meta"},{"role":"tool","tool_call_id":"a"},{"type":"constructor"}]`, ""},
		{"go names", `[{"Type":"ai","ToolCalls":[{"ID":"a"}]},{"Type":"tool","ToolCallID":"a"}]`, ""},
		{"pending", `[{"type":"ai","tool_calls":[{"id":"a","status":"pending"}]}]`, ""},
	})
	run(t, ForOpenTail("langchain"), []row{
		{"open", `[` + human + `,` + ai + `,` + toolA + `]`, ""},
		{"not the tail", `[` + ai + `,` + human + `]`, missing},
	})
}

func TestGrouped(t *testing.T) {
	const (
		ab      = `{"role":"assistant","toolCalls":[{"id":"a","name":"f","input":{}},{"id":"b","name":"f","arguments":"{}"}]}`
		a       = `{"role":"assistant","content":"t","toolCalls":[{"id":"a","name":"f"}]}`
		rA      = `{"toolCallId":"a","content":"1","isError":false}`
		rB      = `{"toolCallId":"b","content":"2"}`
		missing = "toolCalls without toolResults"
		alone   = "toolResults without a toolCall"
	)
	results := func(role, list string) string { return `{"role":"` + role + `","toolResults":[` + list + `]}` }
	run(t, Grouped, []row{
		{"pair", `[` + user + `,` + ab + `,` + results("user", rA+`,`+rB) + `]`, ""},
		{"role tool, any order", `[` + ab + `,` + results("tool", rB+`,`+rA) + `,` + user + `]`, ""},
		{"with text", `[` + a + `,{"role":"user","content":"and","toolResults":[` + rA + `]}]`, ""},
		{"snake", `[{"role":"assistant","tool_calls":[{"id":"a","name":"f","input":{}}]},{"role":"user","tool_results":[{"tool_call_id":"a"}]}]`, ""},
		{"go names", `[{"Role":"assistant","ToolCalls":[{"ID":"a"}]},{"Role":"user","ToolCalls":null,"ToolResults":[{"ToolCallID":"a"}]}]`, ""},
		{"missing", `[` + ab + `,` + results("user", rA) + `]`, missing + " in the next message: b"},
		{"missing at the end", `[` + a + `]`, missing},
		{"split", `[` + ab + `,` + results("user", rA) + `,` + results("user", rB) + `]`, missing},
		{"user between", `[` + a + `,` + user + `,` + results("user", rA) + `]`, missing},
		{"orphan", `[` + user + `,` + results("user", rA) + `]`, alone},
		{"stranger", `[` + a + `,` + results("user", rA+`,`+rB) + `]`, alone},
		{"twice", `[` + a + `,` + results("user", rA+`,`+rA) + `]`, alone},
		{"results of an assistant", `[` + a + `,` + results("assistant", rA) + `]`, "role assistant"},
		{"calls of a user", `[{"role":"user","toolCalls":[{"id":"a"}]}]`, "role user"},
		{"no id", `[{"role":"assistant","toolCalls":[{"name":"f"}]}]`, "must not be empty"},
		{"id twice", `[{"role":"assistant","toolCalls":[{"id":"a"},{"id":"a"}]},` + results("user", rA+`,`+rA) + `]`, "duplicate"},
		{"arguments cut", `[{"role":"assistant","toolCalls":[{"id":"a","arguments":"{"}]},` + results("user", rA) + `]`, "failed to parse"},
		{"empty lists", `[{"role":"assistant","toolCalls":[]},{"role":"user","toolResults":[]}]`, ""},
		{"pending", `[{"role":"assistant","toolCalls":[{"id":"a"},{"id":"b","status":"running"}]},` + results("tool", rA) + `]`, ""},
		{"pending, text behind", `[{"role":"assistant","toolCalls":[{"id":"a"},{"id":"b","status":"running"}]},{"role":"user","content":"n","toolResults":[` + rA + `]}]`, missing},
	})
	run(t, ForOpenTail("grouped"), []row{
		{"open", `[` + user + `,` + ab + `,{"role":"tool","content":"","toolResults":[` + rB + `]}]`, ""},
		{"not the tail", `[` + a + `,` + user + `]`, missing},
		{"results in the open turn", `[` + user + `,{"role":"assistant","toolCalls":[{"id":"a"}],"toolResults":[` + rA + `]}]`, ""},
	})
}
