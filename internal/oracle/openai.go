package oracle

import (
	"errors"
	"fmt"
)

// The rules of POST /v1/chat/completions, and of the servers that speak it,
// as their errors tell them:
//
//   - an assistant message with tool_calls is followed by one tool message per
//     id, with nothing between; a tool message answers such a call;
//   - tool_calls is not empty, ids are there and distinct within a turn;
//   - an argument string is JSON: llama.cpp and vLLM parse each stored one
//     again. An object in its place, null or nothing is taken;
//   - a legacy function_call is answered by the next message, role function,
//     of the same name.
var openAIChat = dialect{
	name:   "openai-chat",
	judge:  chat.judge,
	turn:   func(m message) bool { return m.role == "assistant" && len(chatCalls(m.object)) > 0 },
	result: func(m message) bool { return m.role == "tool" || m.role == "function" },
}

var chat = adjacent{
	calls:  chatTurn,
	result: chatResult,
	accept: func(m message, c call) error {
		// Legacy names are compared when the result is matched.
		if m.blank("name") && !blank(c.name) {
			return fmt.Errorf("messages.%d: invalid 'name': empty string. Expected a string with minimum length 1", m.index)
		}
		return nil
	},
	unanswered: "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following did not have response messages",
	unexpected: "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
	twice:      "Duplicate value for 'tool_call_id'",
}

// OpenAIChat judges a history as the OpenAI Chat Completions API does.
func OpenAIChat(src []byte) error { return openAIChat.validate(src, false) }

func chatTurn(m message) ([]call, error) {
	calls := chatCalls(m.object)
	if m.role != "assistant" {
		if len(calls) > 0 {
			return nil, fmt.Errorf("messages.%d: 'tool_calls' is not allowed in a message with role '%s'", m.index, m.role)
		}
		return nil, nil
	}
	if list, ok := m.object["toolcalls"].([]any); ok && len(list) == 0 {
		return nil, fmt.Errorf("messages.%d: [] is too short - 'tool_calls'", m.index)
	}
	return calls, nil
}

// chatCalls reads nested calls, flat ones and the legacy one.
func chatCalls(m object) []call {
	var calls []call
	for _, o := range m.objects("toolcalls") {
		if o["result"] != nil || o["output"] != nil {
			continue // shown with its result, and no call that waits for one
		}
		function := o
		for _, inner := range []string{"function", "custom"} {
			if f, ok := o[inner].(object); ok {
				function = f
			}
		}
		c := call{id: o.text("id"), name: function.text("name"), pending: o.pending(), fault: chatArguments(function)}
		if c.id == "" {
			c.fault = errors.New("missing required parameter: 'id'")
		}
		calls = append(calls, c)
	}
	if f, ok := m["functioncall"].(object); ok {
		calls = append(calls, call{name: f.text("name"), legacy: true, fault: chatArguments(f)})
	}
	return calls
}

func chatArguments(function object) error {
	if s, ok := function["arguments"].(string); ok && !parses(s) {
		return fmt.Errorf("failed to parse tool call arguments as JSON: %q", s)
	}
	return nil
}

func chatResult(m message) (result, bool) {
	switch m.role {
	case "tool":
		return result{id: m.text("toolcallid"), index: m.index}, true
	case "function":
		return result{name: m.text("name"), legacy: true, index: m.index}, true
	}
	return result{}, false
}
