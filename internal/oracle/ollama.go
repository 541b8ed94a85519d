package oracle

import (
	"errors"
	"fmt"
)

// The rules of POST /api/chat. The server itself checks no pairing: what it
// renders from a broken one derails the model in silence. So the rules are
// those that its templates and the models behind them live by:
//
//   - an assistant message with tool_calls is followed by one message of role
//     tool for each, with nothing between;
//   - ids may be left out: then tool_name and order tell the call. An id that
//     is there is not empty, and distinct within a turn;
//   - arguments is an object: the server cannot decode any other.
var ollama = dialect{
	name:   "ollama",
	judge:  judgeOllama,
	turn:   func(m message) bool { return m.role == "assistant" && len(ollamaCalls(m)) > 0 },
	result: func(m message) bool { return m.role == "tool" },
}

// Ollama judges a history as a model behind Ollama's own API needs it.
func Ollama(src []byte) error { return ollama.validate(src, false) }

func judgeOllama(ms []message) error {
	for i := 0; i < len(ms); {
		turn := ms[i]
		if turn.role == "tool" {
			return unexpectedTool(turn.index, turn.text("toolcallid"))
		}
		calls := ollamaCalls(turn)
		if len(calls) > 0 && turn.role != "assistant" {
			return fmt.Errorf("messages.%d: tool_calls in a message of role %s", turn.index, turn.role)
		}
		var replies []reply
		for i++; i < len(ms) && ms[i].role == "tool"; i++ {
			replies = append(replies, ollamaReply(ms[i]))
		}
		if err := judgeOllamaTurn(turn, calls, replies, i == len(ms)); err != nil {
			return err
		}
	}
	return nil
}

func judgeOllamaTurn(turn message, calls []call, replies []reply, last bool) error {
	accept := acceptOptional("toolcallid", "toolname")
	answered := make([]bool, len(calls))
	for i, k := range byIDOrName(calls, replies) {
		if k < 0 {
			return unexpectedTool(replies[i].index, replies[i].id)
		}
		answered[k] = true
		if err := accept(replies[i], calls[k]); err != nil {
			return fmt.Errorf("messages.%d: %w", replies[i].index, err)
		}
	}
	open := pending(turn, calls, answered, last)
	if err := faults(turn, calls, open, map[string]bool{}, "duplicate tool call id"); err != nil {
		return err
	}
	return missing(turn, calls, answered, open, "tool calls without tool results")
}

func unexpectedTool(index int, id string) error {
	return fmt.Errorf("messages.%d: Unexpected tool call id %s in tool results", index, id)
}

func ollamaReply(m message) reply {
	name := m.text("toolname")
	if _, ok := m.object["toolname"]; !ok {
		name = m.text("name")
	}
	return reply{result{id: m.text("toolcallid"), name: name, index: m.index}, m.object}
}

func ollamaCalls(m message) []call {
	var calls []call
	for _, o := range m.objects("toolcalls") {
		function, ok := o["function"].(object)
		if !ok {
			continue
		}
		c := call{id: o.text("id"), name: function.text("name"), pending: o.pending()}
		switch {
		case emptyID(o):
			c.fault = errors.New("tool_calls.id: must not be empty")
		case !objectOrAbsent(function, "arguments"):
			c.fault = errors.New("json: cannot unmarshal tool_calls.function.arguments into Go struct field of type api.ToolCallFunctionArguments")
		}
		calls = append(calls, c)
	}
	return calls
}
