package oracle

import (
	"errors"
	"fmt"
)

// The rules of a pi session, which pi turns into any provider's request: as
// the OpenAI Chat API's, spelled as blocks of type toolCall and messages of
// role toolResult. A turn that was aborted or ended in an error is left out
// of the request, but results are not: one that answers it stands alone.
var pi = dialect{
	name:  "pi",
	judge: piRules.judge,
	turn: func(m message) bool {
		return m.role == "assistant" && len(piCalls(m)) > 0
	},
	result: func(m message) bool { return m.role == "toolResult" },
	replayed: func(m message) bool {
		stop := m.text("stopreason")
		return m.role != "assistant" || stop != "aborted" && stop != "error"
	},
}

var piRules = adjacent{
	calls: piTurn,
	result: func(m message) (result, bool) {
		return result{id: m.text("toolcallid"), index: m.index}, m.role == "toolResult"
	},
	accept: func(m message, c call) error {
		if blank(m.text("toolname")) && !blank(c.name) {
			return fmt.Errorf("messages.%d.toolName: must not be empty", m.index)
		}
		return nil
	},
	unanswered: "tool calls without a tool result",
	unexpected: "tool result without a tool call in the turn before it",
	twice:      "tool call ids must be unique",
}

// Pi judges a history as the provider does to which pi sends it.
func Pi(src []byte) error { return pi.validate(src, false) }

func piTurn(m message) ([]call, error) {
	calls := piCalls(m)
	if m.role != "assistant" && len(calls) > 0 {
		return nil, fmt.Errorf("messages.%d: tool calls can only be in assistant messages", m.index)
	}
	return calls, nil
}

func piCalls(m message) []call {
	var calls []call
	for _, b := range m.objects("content") {
		if b.text("type") != "toolCall" {
			continue
		}
		c := call{id: b.text("id"), name: b.text("name"), pending: b.pending()}
		switch {
		case c.id == "":
			c.fault = errors.New("tool call without an id")
		case !objectOrAbsent(b, "arguments"):
			c.fault = errors.New("arguments: expected an object")
		}
		calls = append(calls, c)
	}
	return calls
}

func objectOrAbsent(o object, name string) bool {
	v, present := o[name]
	_, ok := v.(object)
	return ok || !present
}
