package oracle

import "testing"

const (
	callC1   = `{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}`
	callC2   = `{"type":"function_call","call_id":"c2","name":"f","arguments":"{}"}`
	outputC1 = `{"type":"function_call_output","call_id":"c1","output":"1"}`
	outputC2 = `{"type":"function_call_output","call_id":"c2","output":"2"}`
	userItem = `{"type":"message","role":"user","content":"q"}`
)

func TestOpenAIResponses(t *testing.T) {
	const (
		missing = "No tool output found for"
		alone   = "No tool call found for"
	)
	run(t, OpenAIResponses, []row{
		{"pair", `[` + userItem + `,` + callC1 + `,` + outputC1 + `]`, ""},
		{"set", `[` + callC1 + `,` + callC2 + `,` + userItem + `,` + outputC2 + `,{"role":"assistant","content":"t"},` + outputC1 + `]`, ""},
		{"missing", `[` + callC1 + `,` + userItem + `]`, missing + " function call c1"},
		{"missing at the end", `[` + userItem + `,` + callC1 + `]`, missing},
		{"orphan", `[` + outputC1 + `,` + userItem + `]`, alone + " function call output with call_id c1"},
		{"before its call", `[` + outputC1 + `,` + callC1 + `]`, alone},
		{"twice", `[` + callC1 + `,` + outputC1 + `,` + outputC1 + `]`, "Duplicate tool output"},
		{"call id twice", `[` + callC1 + `,` + outputC1 + `,` + userItem + `,` + callC1 + `,` + outputC1 + `]`, "Duplicate call_id"},
		{"call id of another branch", `[` + callC1 + `,` + outputC1 + `,{"type":"function_call","call_id":"c1","branch":"s"},{"type":"function_call_output","call_id":"c1","branch":"s"}]`, ""},
		{"no call id", `[{"type":"function_call"}]`, "missing required parameter"},
		{"no output id", `[` + callC1 + `,{"type":"function_call_output"}]`, alone},
		{"both empty", `[{"type":"function_call","call_id":""},{"type":"function_call_output","call_id":""}]`, alone},
		{"arguments cut", `[{"type":"function_call","call_id":"c1","arguments":"{"},` + outputC1 + `]`, "failed to parse"},
		{"arguments empty", `[{"type":"function_call","call_id":"c1","arguments":""},` + outputC1 + `]`, "failed to parse"},
		{"arguments an object", `[{"type":"function_call","call_id":"c1","arguments":{}},` + outputC1 + `]`, ""},
		{"no arguments", `[{"type":"function_call","call_id":"c1"},` + outputC1 + `]`, ""},
		{"reasoning", `[{"type":"reasoning","id":"rs"},` + callC1 + `,{"type":"reasoning","id":"rs2"},` + outputC1 + `]`, ""},
		{"no items", `[null,7,"x",[],{},{"role":7},{"type":"session_meta"},` + userItem + `]`, ""},
		{"local only", `[{"type":"function_call_output","call_id":"x","local_only":true}]`, ""},
		{"go names", `[{"Type":"function_call","CallID":"c1"},{"Type":"function_call_output","CallID":"c1"}]`, ""},
		{"go names, missing", `[{"Type":"function_call","CallID":"c1"}]`, missing},
		{"a message with items", `[{"type":"assistant","items":[7]},{"type":"message","role":"assistant","items":[{"type":"function_call"}]}]`, ""},
	})
}

func TestOpenAIResponsesKinds(t *testing.T) {
	const (
		missing = "No tool output found for"
		alone   = "No tool call found for"
	)
	pair := func(call, output string) string {
		return `[{"type":"` + call + `","call_id":"c1"},{"type":"` + output + `","call_id":"c1"}]`
	}
	run(t, OpenAIResponses, []row{
		{"custom", pair("custom_tool_call", "custom_tool_call_output"), ""},
		{"custom, free text", `[{"type":"custom_tool_call","call_id":"c1","input":"{"},{"type":"custom_tool_call_output","call_id":"c1"}]`, ""},
		{"custom, other kind", pair("custom_tool_call", "function_call_output"), alone},
		{"custom, missing", `[{"type":"custom_tool_call","call_id":"c1"}]`, missing},
		{"local shell", pair("local_shell_call", "local_shell_call_output"), ""},
		{"local shell, as a function", pair("local_shell_call", "function_call_output"), ""},
		{"function, as a local shell", pair("function_call", "local_shell_call_output"), alone},
		{"local shell, missing", `[{"type":"local_shell_call","call_id":"c1"}]`, missing},
		{"local shell, two kinds", `[{"type":"local_shell_call","call_id":"c1"},` + outputC1 + `,{"type":"local_shell_call_output","call_id":"c1"}]`, "Duplicate"},
		{"computer", pair("computer_call", "computer_call_output"), ""},
		{"computer, missing", `[{"type":"computer_call","call_id":"c1"},` + userItem + `]`, ""},
		{"computer, orphan", `[{"type":"computer_call_output","call_id":"c1"}]`, alone},
		{"computer, twice", `[{"type":"computer_call","call_id":"c1"},{"type":"computer_call_output","call_id":"c1"},{"type":"computer_call_output","call_id":"c1"}]`, "Duplicate"},
		{"shell, missing", `[{"type":"shell_call","call_id":"c1"}]`, ""},
		{"patch, missing", `[{"type":"apply_patch_call","call_id":"c1"}]`, ""},
		{"patch, orphan", `[{"type":"apply_patch_call_output","call_id":"c1"}]`, alone},
		{"search of the client", `[{"type":"tool_search_call","execution":"client","call_id":"c1"},{"type":"tool_search_output","execution":"client","call_id":"c1"}]`, ""},
		{"search of the client, missing", `[{"type":"tool_search_call","execution":"client","call_id":"c1"}]`, missing},
		{"search of the client, orphan", `[{"type":"tool_search_output","execution":"client","call_id":"c1"}]`, alone},
		{"search of the server", `[{"type":"tool_search_call","execution":"server","call_id":null},{"type":"tool_search_output","execution":"server","call_id":null},{"type":"tool_search_output","execution":"server"}]`, ""},
		{"hosted", `[{"type":"web_search_call","id":"ws"},{"type":"mcp_call","id":"m","output":null},{"type":"image_generation_call"}]`, ""},
	})
}

func TestOpenAIResponsesTail(t *testing.T) {
	const waiting = `{"type":"function_call","call_id":"c1","status":"in_progress"}`
	const missing = "No tool output found for"
	run(t, OpenAIResponses, []row{
		{"pending", `[` + userItem + `,` + waiting + `]`, ""},
		{"pending beside an answered one", `[` + waiting + `,` + callC2 + `,` + outputC2 + `]`, ""},
		{"pending, no item behind", `[` + waiting + `,{"type":"session_meta"}]`, ""},
		{"pending, an answer to another question behind", `[` + waiting + `,{"type":"mcp_approval_response"}]`, missing},
		{"sibling of a pending one", `[` + waiting + `,` + callC2 + `]`, missing},
		{"pending, reasoning behind", `[` + waiting + `,{"type":"reasoning"}]`, ""},
		{"passed over", `[` + waiting + `,` + userItem + `]`, missing},
		{"passed over by another turn", `[` + waiting + `,` + callC2 + `,` + outputC2 + `,{"role":"assistant"}]`, missing},
		{"completed", `[{"type":"function_call","call_id":"c1","status":"completed"}]`, missing},
	})
	run(t, ForOpenTail("openai-responses"), []row{
		{"open", `[` + userItem + `,{"type":"reasoning"},` + callC1 + `,` + callC2 + `,` + outputC2 + `]`, ""},
		{"output of an earlier call behind", `[` + callC1 + `,` + callC2 + `,` + outputC2 + `,{"type":"function_call","call_id":"c3"},` + outputC1 + `]`, ""},
		{"not the tail", `[` + callC1 + `,` + userItem + `]`, missing},
		{"before the tail", `[` + outputC1 + `,` + userItem + `,` + callC2 + `]`, "No tool call found"},
	})
}
