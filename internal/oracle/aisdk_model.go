package oracle

import (
	"errors"
	"fmt"
)

// The rules of the AI SDK for model messages (convertToLanguageModelPrompt),
// and of the providers behind it:
//
//   - each tool-call of an assistant message has one tool-result: in the
//     messages of role tool directly behind, or behind the call in the message
//     itself, where the provider ran the tool;
//   - a tool-result stands nowhere else. What else a tool message holds, such
//     as the answer to an approval, is let be;
//   - a call that says providerExecuted needs no result;
//   - ids are there and distinct within a turn; input, or args as it was
//     called, is an object.
var aiSDKModel = dialect{
	name:  "ai-sdk-model",
	judge: judgeModelMessages,
	turn: func(m message) bool {
		calls, _ := modelCalls(m)
		return m.role == "assistant" && len(calls) > 0
	},
	result: func(m message) bool { // of whatever role: a tail is left alone
		n := len(blocks(m, "tool-result"))
		return n > 0 && n == len(m.objects("content"))
	},
}

// AISDKModel judges a history as the AI SDK does before it calls a model.
func AISDKModel(src []byte) error { return aiSDKModel.validate(src, false) }

func judgeModelMessages(ms []message) error {
	for i := 0; i < len(ms); {
		turn := ms[i]
		calls, err := modelCalls(turn)
		if err != nil {
			return err
		}
		answered := make([]bool, len(calls))
		if err := inlineResults(turn, calls, answered); err != nil {
			return err
		}
		for i++; turn.role == "assistant" && i < len(ms) && ms[i].role == "tool"; i++ {
			if err := toolResults(ms[i], calls, answered); err != nil {
				return err
			}
		}
		open := pending(turn, calls, answered, i == len(ms))
		if err := faults(turn, calls, open, map[string]bool{}, "duplicate toolCallId"); err != nil {
			return err
		}
		if err := missing(turn, calls, answered, open, "Tool result is missing for tool call"); err != nil {
			return err
		}
	}
	return nil
}

// modelCalls returns the calls of a message that wait for a result.
func modelCalls(m message) ([]call, error) {
	var calls []call
	for _, p := range blocks(m, "tool-call") {
		if p["providerexecuted"] == true {
			continue
		}
		if m.role != "assistant" {
			return nil, fmt.Errorf("messages.%d: tool-call in a message of role %s", m.index, m.role)
		}
		c := call{id: p.text("toolcallid"), name: p.text("toolname"), pending: p.pending()}
		switch {
		case c.id == "":
			c.fault = errors.New("toolCallId: must not be empty")
		case !objectOrAbsent(p, "input") || !objectOrAbsent(p, "args"):
			c.fault = errors.New("input: expected an object")
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// inlineResults judges the results that a message other than a tool's holds:
// each stands behind its call in the same message.
func inlineResults(m message, calls []call, answered []bool) error {
	before := map[string]bool{} // calls of whatever kind
	served := map[string]bool{} // those that the provider runs
	for _, p := range m.objects("content") {
		id := p.text("toolcallid")
		switch {
		case p.text("type") == "tool-call":
			before[id] = true
			served[id] = served[id] || p["providerexecuted"] == true
		case p.text("type") != "tool-result":
		case served[id]:
		case m.role != "assistant" || !before[id]:
			return fmt.Errorf("messages.%d: tool-result without its tool-call before it: %q", m.index, id)
		default:
			if err := settle(m, p, calls, answered); err != nil {
				return err
			}
		}
	}
	return nil
}

func toolResults(m message, calls []call, answered []bool) error {
	for _, p := range blocks(m, "tool-result") {
		if err := settle(m, p, calls, answered); err != nil {
			return err
		}
	}
	return nil
}

// settle gives a result to its call.
func settle(m message, p object, calls []call, answered []bool) error {
	id := p.text("toolcallid")
	k := pick(calls, answered, result{id: id})
	switch {
	case k < 0:
		return fmt.Errorf("messages.%d: tool-result without a tool-call that waits for it: %q", m.index, id)
	case p.blank("toolname") && !blank(calls[k].name):
		return fmt.Errorf("messages.%d: toolName: must not be empty", m.index)
	}
	answered[k] = true
	return nil
}
