package oracle

import "testing"

func TestAISDKModel(t *testing.T) {
	const (
		c1      = `{"type":"tool-call","toolCallId":"t1","toolName":"f","input":{}}`
		c2      = `{"type":"tool-call","toolCallId":"t2","toolName":"f","args":{}}`
		server  = `{"type":"tool-call","toolCallId":"s","toolName":"web","input":{},"providerExecuted":true}`
		r1      = `{"type":"tool-result","toolCallId":"t1","toolName":"f","output":{"type":"text","value":"1"}}`
		r2      = `{"type":"tool-result","toolCallId":"t2","toolName":"f","result":1}`
		rs      = `{"type":"tool-result","toolCallId":"s","toolName":"web","output":{}}`
		missing = "Tool result is missing for tool call"
		alone   = "without a tool-call that waits"
		before  = "without its tool-call before it"
	)
	run(t, AISDKModel, []row{
		{"pair", `[` + user + `,` + says("assistant", text+`,`+c1) + `,` + says("tool", r1) + `]`, ""},
		{"two tool messages", `[` + says("assistant", c1+`,`+c2) + `,` + says("tool", r2) + `,` + says("tool", r1) + `]`, ""},
		{"inline", `[` + says("assistant", c1+`,`+r1) + `,` + user + `]`, ""},
		{"inline and behind", `[` + says("assistant", c1+`,`+r1) + `,` + says("tool", r1) + `]`, alone},
		{"inline, before its call", `[` + says("assistant", r1+`,`+c1) + `]`, before},
		{"inline in a later turn", `[` + says("assistant", c1) + `,` + says("assistant", r1) + `]`, missing},
		{"missing", `[` + says("assistant", c1+`,`+c2) + `,` + says("tool", r1) + `,` + user + `]`, missing + ": t2"},
		{"missing at the end", `[` + says("assistant", c1) + `]`, missing},
		{"user between", `[` + says("assistant", c1) + `,` + user + `,` + says("tool", r1) + `]`, missing},
		{"orphan", `[` + user + `,` + says("tool", r1) + `]`, before},
		{"orphan behind its turn", `[` + says("assistant", c1) + `,` + says("tool", r1+`,`+r2) + `]`, alone},
		{"result of a user", `[` + says("assistant", c1) + `,` + says("user", r1) + `]`, missing},
		{"call of a user", `[` + says("user", c1) + `]`, "role user"},
		{"no id", `[` + says("assistant", `{"type":"tool-call"}`) + `]`, "must not be empty"},
		{"id twice", `[` + says("assistant", c1+`,`+c1) + `,` + says("tool", r1+`,`+r1) + `]`, "duplicate"},
		{"input is text", `[` + says("assistant", `{"type":"tool-call","toolCallId":"t1","input":"{"}`) + `,` + says("tool", r1) + `]`, "expected an object"},
		{"blank name", `[` + says("assistant", c1) + `,` + says("tool", `{"type":"tool-result","toolCallId":"t1","toolName":""}`) + `]`, "toolName"},
		{"run by the provider", `[` + says("assistant", server+`,`+rs+`,`+text) + `,` + user + `]`, ""},
		{"run by the provider, unanswered", `[` + says("assistant", server) + `,` + user + `]`, ""},
		{"run by the provider, in a later turn", `[` + says("assistant", server) + `,` + user + `,` + says("assistant", rs) + `]`, before},
		{"run by the provider, in a user message", `[` + says("user", server+`,`+rs) + `]`, ""},
		{"approval answered", `[` + says("assistant", c1+`,{"type":"tool-approval-request","approvalId":"p","toolCallId":"t1"}`) + `,` + says("tool", `{"type":"tool-approval-response","approvalId":"p","approved":true}`) + `,` + says("tool", r1) + `]`, ""},
		{"content is text", `[{"role":"assistant","content":"hi"}]`, ""},
		{"pending", `[` + says("assistant", `{"type":"tool-call","toolCallId":"t1","status":"pending"}`) + `]`, ""},
	})
	run(t, ForOpenTail("ai-sdk-model"), []row{
		{"open", `[` + user + `,` + says("assistant", c1+`,`+c2) + `,` + says("tool", r2) + `]`, ""},
		{"not the tail", `[` + says("assistant", c1) + `,` + user + `]`, missing},
	})
}

func ui(role, parts string) string {
	return `{"id":"1","role":"` + role + `","parts":[` + parts + `]}`
}

func tool(state string) string {
	return `{"type":"tool-ask","toolCallId":"t1","state":"` + state + `","input":{}}`
}

func TestAISDKUI(t *testing.T) {
	const missing = "Tool result is missing for tool call: t1"
	asks := ui("user", text)
	run(t, AISDKUI, []row{
		{"closed", `[` + asks + `,` + ui("assistant", text+`,`+tool("output-available")) + `]`, ""},
		{"error", `[` + ui("assistant", tool("output-error")) + `]`, ""},
		{"denied", `[` + ui("assistant", tool("output-denied")) + `]`, ""},
		{"streaming", `[` + ui("assistant", tool("input-streaming")) + `]`, missing},
		{"available", `[` + ui("assistant", tool("input-available")) + `,` + asks + `]`, missing},
		{"dynamic", `[` + ui("assistant", `{"type":"dynamic-tool","toolName":"f","toolCallId":"t1","state":"input-available"}`) + `]`, missing},
		{"asked", `[` + ui("assistant", tool("approval-requested")) + `]`, ""},
		{"asked, passed over", `[` + ui("assistant", tool("approval-requested")) + `,` + asks + `]`, missing},
		{"answered", `[` + ui("assistant", tool("approval-responded")) + `,{"type":"meta"}]`, ""},
		{"answered, passed over", `[` + ui("assistant", tool("approval-responded")) + `,` + asks + `]`, missing},
		{"older, in the parts", `[` + ui("assistant", `{"type":"tool-invocation","toolInvocation":{"toolCallId":"t1","state":"call","args":{}}}`) + `]`, missing},
		{"older, closed", `[` + ui("assistant", `{"type":"tool-invocation","toolInvocation":{"toolCallId":"t1","state":"result"}}`) + `]`, ""},
		{"older, beside the parts", `[{"role":"assistant","content":"","toolInvocations":[{"toolCallId":"t1","state":"partial-call"}]}]`, missing},
		{"older, both", `[{"role":"assistant","toolInvocations":[{"toolCallId":"t1","state":"result"}],"parts":[{"type":"tool-invocation","toolInvocation":{"toolCallId":"t1","state":"result"}}]}]`, ""},
		{"run by the provider", `[` + ui("assistant", `{"type":"tool-web","toolCallId":"t1","state":"input-available","providerExecuted":true}`) + `]`, ""},
		{"no state", `[` + ui("assistant", `{"type":"tool-call","toolCallId":"t1"}`) + `]`, ""},
		{"of a user", `[` + ui("user", tool("input-available")) + `]`, ""},
		{"no id", `[` + ui("assistant", `{"type":"tool-f","state":"output-available"}`) + `]`, "must not be empty"},
		{"id twice", `[` + ui("assistant", tool("output-available")+`,`+tool("output-available")) + `]`, "duplicate"},
		{"id of another message", `[` + ui("assistant", tool("output-available")) + `,` + ui("assistant", tool("output-available")) + `]`, ""},
		{"input is text", `[` + ui("assistant", `{"type":"tool-f","toolCallId":"t1","state":"output-error","input":"{"}`) + `]`, "expected an object"},
		{"no input", `[` + ui("assistant", `{"type":"tool-f","toolCallId":"t1","state":"output-error"}`) + `]`, ""},
		{"branches", `[{"role":"assistant","branch":"s","parts":[` + tool("approval-requested") + `]},` + asks + `]`, ""},
	})
	run(t, ForOpenTail("ai-sdk-ui"), []row{
		{"open", `[` + asks + `,` + ui("assistant", tool("input-available")) + `]`, ""},
		{"not the tail", `[` + ui("assistant", tool("input-available")) + `,` + asks + `]`, missing},
	})
}
