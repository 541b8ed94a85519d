package oracle

import "testing"

const (
	tuA = `{"toolUse":{"toolUseId":"a","name":"f","input":{}}}`
	tuB = `{"toolUse":{"toolUseId":"b","name":"f","input":{}}}`
	trA = `{"toolResult":{"toolUseId":"a","content":[{"text":"1"}],"status":"success"}}`
	trB = `{"toolResult":{"toolUseId":"b","content":[]}}`
)

func TestBedrockConverse(t *testing.T) {
	const (
		missing = "Expected toolResult blocks"
		exceeds = "exceeds the number of toolUse blocks"
	)
	run(t, BedrockConverse, []row{
		{"pair", `[` + user + `,` + says("assistant", part+`,`+tuA) + `,` + says("user", trA) + `]`, ""},
		{"text behind", `[` + says("assistant", tuA) + `,` + says("user", trA+`,`+part) + `]`, ""},
		{"any order", `[` + says("assistant", tuA+`,`+tuB) + `,` + says("user", trB+`,`+trA) + `]`, ""},
		{"missing", `[` + says("assistant", tuA) + `,` + user + `]`, missing + " at messages.content for the following Ids: a"},
		{"missing at the end", `[` + says("assistant", tuA) + `]`, missing},
		{"split", `[` + says("assistant", tuA+`,`+tuB) + `,` + says("user", trA) + `,` + says("user", trB) + `]`, missing},
		{"assistant between", `[` + says("assistant", tuA) + `,` + says("assistant", part) + `,` + says("user", trA) + `]`, missing},
		{"text before", `[` + says("assistant", tuA) + `,` + says("user", part+`,`+trA) + `]`, "at the beginning"},
		{"orphan", `[` + user + `,` + says("user", trA) + `]`, exceeds},
		{"stranger", `[` + says("assistant", tuA) + `,` + says("user", trA+`,`+trB) + `]`, exceeds},
		{"twice", `[` + says("assistant", tuA) + `,` + says("user", trA+`,`+trA) + `]`, exceeds},
		{"before its call", `[` + says("user", trA) + `,` + says("assistant", tuA) + `]`, exceeds},
		{"no id", `[` + says("assistant", `{"toolUse":{"name":"f"}}`) + `]`, "toolUseId"},
		{"no result id", `[` + says("assistant", tuA) + `,` + says("user", `{"toolResult":{}}`) + `]`, exceeds},
		{"id twice in a turn", `[` + says("assistant", tuA+`,`+tuA) + `,` + says("user", trA+`,`+trA) + `]`, "duplicate Ids"},
		{"id of an earlier turn", `[` + says("assistant", tuA) + `,` + says("user", trA) + `,` + says("assistant", tuA) + `,` + says("user", trA) + `]`, "duplicate Ids"},
		{"input is text", `[` + says("assistant", `{"toolUse":{"toolUseId":"a","input":"{}"}}`) + `,` + says("user", trA) + `]`, "json object"},
		{"call of a user", `[` + says("user", tuA) + `]`, "user role cannot hold toolUse"},
		{"result of an assistant", `[` + says("assistant", tuA) + `,` + says("assistant", trA) + `]`, "assistant role cannot hold toolResult"},
		{"go names", `[{"Role":"assistant","Content":[{"ToolUse":{"ToolUseId":"a"}}]},{"Role":"user","Content":[{"ToolResult":{"ToolUseId":"a"}}]}]`, ""},
		{"pending", `[` + says("assistant", tuA+`,{"toolUse":{"toolUseId":"w","status":"pending"}}`) + `,` + says("user", trA) + `]`, ""},
		{"roles do not alternate", `[` + says("assistant", part) + `,` + says("assistant", tuA) + `,` + says("user", trA) + `,` + user + `]`, ""},
	})
	run(t, ForOpenTail("bedrock-converse"), []row{
		{"open", `[` + user + `,` + says("assistant", tuA+`,`+tuB) + `,` + says("user", trA) + `]`, ""},
		{"not the tail", `[` + says("assistant", tuA) + `,` + user + `]`, missing},
	})
}

func TestRoleFaults(t *testing.T) {
	for _, c := range []struct {
		dialect, src string
		want         int
	}{
		{"bedrock-converse", `[]`, 0},
		{"bedrock-converse", `[{"role":"user"},{"role":"assistant"},{"role":"user"}]`, 0},
		{"bedrock-converse", `[{"role":"assistant"},{"role":"user"},{"role":"user"},{"role":"user"}]`, 3},
		{"bedrock-converse", `[{"role":"user"},{"role":"user","branch":"s"},{"role":"assistant"},7,{"role":"assistant"}]`, 1},
		{"gemini", `[{"role":"model"},{"role":"user"},{"role":"function"},{"role":"model"},{"role":"model"}]`, 2},
		{"anthropic", `[{"role":"assistant"},{"role":"assistant"}]`, 0},
		{"bedrock-converse", `{`, 0},
	} {
		if got := RoleFaults(c.dialect, []byte(c.src)); got != c.want {
			t.Errorf("%s: got %d, want %d\n%s", c.dialect, got, c.want, c.src)
		}
	}
}
