package cli

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The messages of the examples, as short as their dialects allow.

func history(messages ...string) json.RawMessage {
	return json.RawMessage("[" + strings.Join(messages, ",") + "]")
}

func user(text string) string {
	return fmt.Sprintf(`{"role":"user","content":%q}`, text)
}

func says(text string) string {
	return fmt.Sprintf(`{"role":"assistant","content":%q}`, text)
}

// calls is an assistant message of openai-chat that calls ls, once an id.
func calls(ids ...string) string { return callsWith("{}", ids...) }

func callsWith(arguments string, ids ...string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":"ls","arguments":"%s"}}`, id, arguments)
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(list, ",") + `]}`
}

// tool is a result of openai-chat.
func tool(id, text string) string {
	return fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":%q}`, id, text)
}

// toolUses is an assistant message of anthropic that calls ls, once an id.
func toolUses(ids ...string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = toolUse(id)
	}
	return `{"role":"assistant","content":[` + strings.Join(list, ",") + `]}`
}

func toolUse(id string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"ls","input":{}}`, id)
}

// blocks is a user message of anthropic.
func blocks(list ...string) string {
	return `{"role":"user","content":[` + strings.Join(list, ",") + `]}`
}

func toolResult(id string) string {
	return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":"done"}`, id)
}

func textBlock(text string) string {
	return fmt.Sprintf(`{"type":"text","text":%q}`, text)
}

// piCall is an assistant message of pi that calls ls.
func piCall(stopReason string) string {
	return fmt.Sprintf(`{"role":"assistant","content":[{"type":"toolCall","id":"call_a","name":"ls","arguments":{}}],"stopReason":%q}`, stopReason)
}

func piResult(toolName string) string {
	return fmt.Sprintf(`{"role":"toolResult","toolCallId":"call_a","toolName":%q,"content":[{"type":"text","text":"done"}],"isError":false}`, toolName)
}
