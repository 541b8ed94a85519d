package oracle

import "testing"

func TestPi(t *testing.T) {
	const (
		c1      = `{"role":"assistant","stopReason":"toolUse","content":[{"type":"text","text":"t"},{"type":"toolCall","id":"c1","name":"f","arguments":{}}]}`
		r1      = `{"role":"toolResult","toolCallId":"c1","toolName":"f","content":[],"isError":false}`
		aborted = `{"role":"assistant","stopReason":"aborted","content":[{"type":"toolCall","id":"c9","name":"f","arguments":"cut"}]}`
		failed  = `{"role":"assistant","stopReason":"error","content":[{"type":"toolCall","id":"c9","name":"f"},{"type":"toolCall","id":"c9","name":"f"}]}`
		r9      = `{"role":"toolResult","toolCallId":"c9","toolName":"f","content":[]}`
		user    = `{"role":"user","content":"q"}`
	)
	const missing, alone = "without a tool result", "without a tool call"
	run(t, Pi, []row{
		{"pair", `[` + c1 + `,` + r1 + `]`, ""},
		{"missing", `[` + c1 + `,` + user + `]`, missing},
		{"interrupted at the end", `[` + c1 + `]`, missing},
		{"user between", `[` + c1 + `,` + user + `,` + r1 + `]`, missing},
		{"orphan", `[` + user + `,` + r1 + `]`, alone},
		{"twice", `[` + c1 + `,` + r1 + `,` + r1 + `]`, alone},
		{"aborted turn unanswered", `[` + user + `,` + aborted + `,` + user + `]`, ""},
		{"failed turn unanswered", `[` + failed + `]`, ""},
		{"result of an aborted turn", `[` + user + `,` + aborted + `,` + r9 + `]`, alone},
		{"result of a failed turn", `[` + c1 + `,` + failed + `,` + r1 + `,` + r9 + `]`, alone},
		{"aborted turn between", `[` + c1 + `,` + aborted + `,` + r1 + `]`, ""},
		{"call in a user message", `[{"role":"user","content":[{"type":"toolCall","id":"c1"}]}]`, "only be in assistant"},
		{"id twice", `[{"role":"assistant","content":[{"type":"toolCall","id":"c1"},{"type":"toolCall","id":"c1"}]},` + r1 + `,` + r1 + `]`, "unique"},
		{"no id", `[{"role":"assistant","content":[{"type":"toolCall"}]}]`, "without an id"},
		{"arguments are text", `[{"role":"assistant","content":[{"type":"toolCall","id":"c1","arguments":"{}"}]},` + r1 + `]`, "expected an object"},
		{"arguments are null", `[{"role":"assistant","content":[{"type":"toolCall","id":"c1","arguments":null}]},` + r1 + `]`, "expected an object"},
		{"no arguments", `[{"role":"assistant","content":[{"type":"toolCall","id":"c1"}]},` + r1 + `]`, ""},
		{"blank name", `[` + c1 + `,{"role":"toolResult","toolCallId":"c1","toolName":"","content":[]}]`, "must not be empty"},
		{"go names", `[{"Role":"assistant","StopReason":"aborted","Content":[{"Type":"toolCall","ID":"c9"}]}]`, ""},
		{"pending", `[{"role":"assistant","content":[{"type":"toolCall","id":"c1","state":"pending"}]}]`, ""},
	})
	run(t, ForOpenTail("pi"), []row{
		{"open", `[` + user + `,` + c1 + `]`, ""},
		{"not the tail", `[` + c1 + `,` + user + `]`, missing},
	})
}
