package oracle

import (
	"errors"
	"fmt"
	"strings"
)

// The rules of LangChain and LangGraph, which tell them as INVALID_CHAT_HISTORY
// or leave them to the provider: those of the OpenAI Chat API. A message is
// {"type": "ai", ...}, or serialized {"lc": 1, "type": "constructor", "id":
// [..., "AIMessage"], "kwargs": {...}}. Arguments are an object; an empty list
// of calls is usual.
var langChain = dialect{
	name:   "langchain",
	judge:  langChainRules.judge,
	turn:   func(m message) bool { return m.role == "ai" && len(langChainCalls(m)) > 0 },
	result: func(m message) bool { return m.role == "tool" },
	role:   langChainRole,
	join:   withoutInvalid,
}

var langChainRules = adjacent{
	calls: langChainTurn,
	result: func(m message) (result, bool) {
		return result{id: kwargs(m.object).text("toolcallid"), index: m.index}, m.role == "tool"
	},
	accept: func(m message, c call) error {
		if kwargs(m.object).blank("name") && !blank(c.name) {
			return fmt.Errorf("messages.%d.name: must not be empty", m.index)
		}
		return nil
	},
	unanswered: "Found AIMessages with tool_calls that do not have a corresponding ToolMessage",
	unexpected: "a ToolMessage must be a response to a preceding AIMessage with tool_calls",
	twice:      "duplicate tool call id",
}

// LangChain judges a history as the provider does to which LangChain sends it.
func LangChain(src []byte) error { return langChain.validate(src, false) }

// langChainRole takes the type of a message for its role. An element of
// another type is no message.
func langChainRole(o object) (string, bool) {
	kind := o.text("type")
	if kind == "constructor" {
		id, _ := o["id"].([]any)
		if len(id) == 0 || o["lc"] == nil {
			return "", false
		}
		kind, _ = id[len(id)-1].(string)
	}
	kind = strings.TrimSuffix(strings.TrimSuffix(kind, "Chunk"), "Message")
	switch kind = strings.ToLower(kind); kind {
	case "ai", "human", "tool", "system", "function", "chat", "developer", "remove":
		return kind, true
	}
	return "", false
}

// kwargs returns the object that holds the fields of a message.
func kwargs(o object) object {
	if inner, ok := o["kwargs"].(object); ok && o.text("type") == "constructor" {
		return inner
	}
	return o
}

// withoutInvalid leaves out what answers calls that could not be read.
func withoutInvalid(ms []message) (rest []message) {
	invalid := map[string]bool{}
	for _, m := range ms {
		fields := kwargs(m.object)
		if m.role == "tool" && invalid[fields.text("toolcallid")] {
			continue
		}
		rest = append(rest, m)
		if m.role != "ai" {
			continue
		}
		for _, c := range fields.objects("toolcalls") {
			delete(invalid, c.text("id"))
		}
		for _, c := range fields.objects("invalidtoolcalls") {
			if id := c.text("id"); id != "" {
				invalid[id] = true
			}
		}
	}
	return rest
}

func langChainTurn(m message) ([]call, error) {
	calls := langChainCalls(m)
	if m.role != "ai" && len(calls) > 0 {
		return nil, fmt.Errorf("messages.%d: tool_calls in a message of type %s", m.index, m.role)
	}
	return calls, nil
}

func langChainCalls(m message) []call {
	var calls []call
	for _, o := range kwargs(m.object).objects("toolcalls") {
		c := call{id: o.text("id"), name: o.text("name"), pending: o.pending()}
		switch {
		case c.id == "":
			c.fault = errors.New("tool call without an id")
		case !objectOrAbsent(o, "args"):
			c.fault = errors.New("tool_calls.args: Input should be a valid dictionary")
		}
		calls = append(calls, c)
	}
	return calls
}
