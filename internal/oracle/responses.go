package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The rules of POST /v1/responses for the input items, as its errors tell
// them. They are rules of a set: what stands between does not matter.
//
//   - a function_call, custom_tool_call, local_shell_call and a
//     tool_search_call of the client has exactly one output of its own kind
//     behind it; a local shell's may be a function_call_output;
//   - a computer_call, shell_call or apply_patch_call has one at most: what is
//     missing there is not for others to make up;
//   - an output stands behind a call of its kind and call_id;
//   - call_ids are there and used once in a request;
//   - the arguments of a function_call are JSON. Some servers parse them again.
//
// Items that the provider runs and answers itself are let be.
var responses = dialect{
	name:   "openai-responses",
	judge:  judgeResponses,
	turn:   func(m message) bool { return len(turnCalls(m)) > 0 },
	result: func(m message) bool { return outputs[m.role] != nil },
	role:   responsesKind,
	join:   joinItems,
	behind: outputsOfOthers,
}

// outputs tells which calls an output answers.
var outputs = map[string][]string{
	"function_call_output":    {"function_call", "local_shell_call"},
	"custom_tool_call_output": {"custom_tool_call"},
	"local_shell_call_output": {"local_shell_call"},
	"tool_search_output":      {"tool_search_call"},
	"computer_call_output":    {"computer_call"},
	"shell_call_output":       {"shell_call"},
	"apply_patch_call_output": {"apply_patch_call"},
}

// clientCalls tells which calls need an output.
var clientCalls = map[string]bool{
	"function_call": true, "custom_tool_call": true, "local_shell_call": true, "tool_search_call": true,
	"computer_call": false, "shell_call": false, "apply_patch_call": false,
}

// hosted are the other items that a model writes.
var hosted = map[string]bool{
	"reasoning": true, "hosted_tool_search": true, "web_search_call": true, "file_search_call": true,
	"code_interpreter_call": true, "image_generation_call": true,
	"mcp_call": true, "mcp_list_tools": true, "mcp_approval_request": true,
}

// OpenAIResponses judges a history as the OpenAI Responses API does.
func OpenAIResponses(src []byte) error { return responses.validate(src, false) }

// responsesKind takes the type of an item for its role: that of a message is
// message. A tool search on the server is of the type hosted_tool_search. An
// element of a type that the API does not have is no item.
func responsesKind(o object) (string, bool) {
	kind, ok := o["type"].(string)
	_, isMessage := o["role"].(string)
	switch {
	case !ok && isMessage || ok && kind == "message":
		return "message", true
	case strings.HasPrefix(kind, "tool_search_") && onServer(o):
		return "hosted_tool_search", true
	}
	_, isCall := clientCalls[kind]
	isOther := kind == "mcp_approval_response" || kind == "item_reference"
	return kind, isCall || outputs[kind] != nil || hosted[kind] || isOther
}

// onServer: what does not say where it ran is the server's if it has no id.
func onServer(o object) bool {
	where := o.text("execution")
	return where == "server" || where != "client" && o.text("callid") == ""
}

// joinItems makes one message of role assistant of a run of items that a
// model writes: that is its turn.
func joinItems(ms []message) []message {
	var joined []message
	for _, m := range ms {
		_, isCall := clientCalls[m.role]
		if !isCall && !hosted[m.role] && (m.role != "message" || m.text("role") != "assistant") {
			joined = append(joined, m)
			continue
		}
		if n := len(joined); n == 0 || joined[n-1].role != "assistant" {
			joined = append(joined, message{object: object{}, index: m.index, role: "assistant"})
		}
		turn := joined[len(joined)-1].object
		items, _ := turn["items"].([]any)
		turn["items"] = append(items, any(m))
	}
	return joined
}

// outputsOfOthers returns an output, or no item at all if it answers a call of
// the turn.
func outputsOfOthers(turn, output message) message {
	for _, c := range turnCalls(turn) {
		if c.id == output.text("callid") && slices.Contains(outputs[output.role], c.kind) {
			return message{index: output.index}
		}
	}
	return output
}

// An item is a call that waits for its output.
type item struct {
	call
	kind     string
	index    int
	answered bool
	last     bool // of the last turn, behind which only outputs stand
}

// turnCalls returns the calls of a turn that joinItems made.
func turnCalls(m message) []*item {
	var calls []*item
	items, _ := m.object["items"].([]any)
	for _, v := range items {
		m, _ := v.(message)
		if _, ok := clientCalls[m.role]; !ok {
			continue
		}
		c := call{id: m.text("callid"), name: m.text("name"), pending: m.pending()}
		args, isText := m.object["arguments"].(string)
		switch {
		case c.id == "":
			c.fault = errors.New("missing required parameter: 'call_id'")
		case m.role == "function_call" && isText && !parses(args):
			c.fault = fmt.Errorf("failed to parse tool call arguments as JSON: %q", args)
		}
		calls = append(calls, &item{call: c, kind: m.role, index: m.index})
	}
	return calls
}

func judgeResponses(ms []message) error {
	var calls []*item
	known := map[string]*item{}
	var turn []*item
	for _, m := range ms {
		if outputs[m.role] == nil {
			turn = turnCalls(m) // none for what is no turn
		} else if err := answerItem(m, known); err != nil {
			return err
		}
		if m.role != "assistant" {
			continue
		}
		for _, c := range turn {
			if c.id != "" && known[c.id] != nil {
				return fmt.Errorf("input[%d]: Duplicate call_id %s", c.index, c.id)
			}
			known[c.id] = c
			calls = append(calls, c)
		}
	}
	for _, c := range turn {
		c.last = true
	}
	for _, c := range calls {
		waits := c.last && c.pending && !c.answered
		switch {
		case c.fault != nil && !waits:
			return fmt.Errorf("input[%d]: %w", c.index, c.fault)
		case clientCalls[c.kind] && !c.answered && !waits:
			return fmt.Errorf("input[%d]: No tool output found for %s %s", c.index, words(c.kind), c.id)
		}
	}
	return nil
}

// answerItem wants a call before an output, and no output of it before.
func answerItem(m message, known map[string]*item) error {
	id := m.text("callid")
	c := known[id]
	if id != "" && c != nil {
		if c.answered && slices.Contains(outputs[m.role], c.kind) {
			return fmt.Errorf("input[%d]: Duplicate tool output for call_id %s", m.index, id)
		}
		if slices.Contains(outputs[m.role], c.kind) {
			c.answered = true
			return nil
		}
	}
	return fmt.Errorf("input[%d]: No tool call found for %s with call_id %s", m.index, words(m.role), id)
}

// words is a type as it is said in an error.
func words(kind string) string { return strings.ReplaceAll(kind, "_", " ") }
