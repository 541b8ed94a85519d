package oracle

import (
	"errors"
	"fmt"
	"strings"
)

// The rules of POST /v1/messages as its errors tell them:
//
//   - every tool_use of an assistant message is answered by one tool_result in
//     the next message, role user, before any other content;
//   - a tool_result answers a tool_use of the message before it;
//   - ids are unique over the request; input is an object;
//   - tool_use stands only in assistant, tool_result only in user messages;
//   - the result of a server tool stands behind its call in one message. A
//     call without one is taken: the server runs it again.
var anthropic = dialect{
	name:  "anthropic",
	judge: judgeAnthropic,
	turn: func(m message) bool {
		return m.role == "assistant" && len(blocks(m, "tool_use")) > 0
	},
	result: anthropicResults, // of whatever role: a tail is left alone
}

// Anthropic judges a history as the Anthropic Messages API does.
func Anthropic(src []byte) error { return anthropic.validate(src, false) }

func judgeAnthropic(ms []message) error {
	var turn message
	var open []call
	seen := map[string]bool{}
	for i, m := range ms {
		results, err := useResults(m)
		if err != nil {
			return err
		}
		last := i == len(ms)-1 && m.role == "user" && anthropicResults(m)
		if err := answer(turn, open, results, last, seen); err != nil {
			return err
		}
		if err := serverResults(m); err != nil {
			return err
		}
		if open, err = uses(m); err != nil {
			return err
		}
		turn = m
	}
	return answer(turn, open, nil, true, seen)
}

// answer wants exactly one result for each open call of the message before.
// At the end of the history a pending call may stay open.
func answer(turn message, open []call, results []result, last bool, seen map[string]bool) error {
	answered := make([]bool, len(open))
	for _, r := range results {
		if k := pick(open, answered, r); k >= 0 {
			answered[k] = true
			continue
		}
		if pick(open, make([]bool, len(open)), r) >= 0 {
			return fmt.Errorf("messages.%d: each tool_use must have a single result. Found multiple `tool_result` blocks with id: %s", r.index, r.id)
		}
		return fmt.Errorf("messages.%d: unexpected `tool_use_id` found in `tool_result` blocks: %q. Each `tool_result` block must have a corresponding `tool_use` block in the previous message", r.index, r.id)
	}
	waits := pending(turn, open, answered, last)
	if err := faults(turn, open, waits, seen, "`tool_use` ids must be unique"); err != nil {
		return err
	}
	return missing(turn, open, answered, waits, "`tool_use` ids were found without `tool_result` blocks immediately after")
}

// anthropicResults reports whether a message holds results and nothing else.
func anthropicResults(m message) bool {
	list, _ := m.object["content"].([]any)
	n := len(blocks(m, "tool_result"))
	return n > 0 && n == len(list)
}

// useResults returns the tool_result blocks of a message.
func useResults(m message) ([]result, error) {
	var results []result
	list, _ := m.object["content"].([]any)
	for k, v := range list {
		b, _ := v.(object)
		if b.text("type") != "tool_result" {
			continue
		}
		if m.role != "user" {
			return nil, fmt.Errorf("messages.%d: `tool_result` blocks can only be in `user` messages", m.index)
		}
		if k != len(results) {
			return nil, fmt.Errorf("messages.%d: Did not find `tool_result` block %d at the beginning of this message", m.index, k)
		}
		results = append(results, result{id: b.text("tooluseid"), index: m.index})
	}
	return results, nil
}

// uses returns the tool_use blocks of a message.
func uses(m message) ([]call, error) {
	var calls []call
	for _, b := range blocks(m, "tool_use") {
		if m.role != "assistant" {
			return nil, fmt.Errorf("messages.%d: `tool_use` blocks can only be in `assistant` messages", m.index)
		}
		c := call{id: b.text("id"), name: b.text("name"), pending: b.pending()}
		switch {
		case c.id == "":
			c.fault = errors.New("id: Field required")
		case !objectOrAbsent(b, "input"):
			c.fault = errors.New("input: Input should be a valid dictionary")
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// serverResults wants the call of each server tool's result before it in the
// same message.
func serverResults(m message) error {
	called := map[string]bool{}
	for _, b := range m.objects("content") {
		kind := b.text("type")
		switch {
		case kind == "server_tool_use" || kind == "mcp_tool_use":
			called[b.text("id")] = true
		case strings.HasSuffix(kind, "_tool_result") && !called[b.text("tooluseid")]:
			return fmt.Errorf("messages.%d: unexpected `tool_use_id` found in `%s` blocks: %q. There is no corresponding `server_tool_use` block before it", m.index, kind, b.text("tooluseid"))
		}
	}
	return nil
}

func blocks(m message, kind string) []object {
	var found []object
	for _, b := range m.objects("content") {
		if b.text("type") == kind {
			found = append(found, b)
		}
	}
	return found
}
