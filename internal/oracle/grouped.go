package oracle

import (
	"errors"
	"fmt"
)

// The rules of the formats that name no provider and are turned into any
// one's: toolCalls of an assistant message are answered by the toolResults of
// the very next message, role user or tool, one for each. Ids are there and
// distinct within a turn. Arguments are JSON: an object, or a string that can
// be parsed.
var grouped = dialect{
	name:  "grouped",
	judge: groupedRules.judge,
	turn: func(m message) bool {
		return m.role == "assistant" && len(m.objects("toolcalls")) > 0
	},
	result: groupedResults,
}

var groupedRules = next{
	calls:      groupedCalls,
	answers:    groupedAnswers,
	only:       groupedResults,
	pair:       byID,
	accept:     func(reply, call) error { return nil },
	unanswered: "toolCalls without toolResults in the next message",
	unexpected: "toolResults without a toolCall in the message before",
	twice:      "duplicate toolCalls id",
}

// Grouped judges a history of toolCalls and toolResults.
func Grouped(src []byte) error { return grouped.validate(src, false) }

func groupedCalls(m message) ([]call, error) {
	list := m.objects("toolcalls")
	if len(list) > 0 && m.role != "assistant" {
		return nil, fmt.Errorf("messages.%d: toolCalls in a message of role %s", m.index, m.role)
	}
	var calls []call
	for _, o := range list {
		c := call{id: o.text("id"), name: o.text("name"), pending: o.pending()}
		for _, member := range []string{"input", "arguments"} {
			if s, ok := o[member].(string); ok && !parses(s) {
				c.fault = fmt.Errorf("toolCalls.%s: failed to parse as JSON: %q", member, s)
			}
		}
		if c.id == "" {
			c.fault = errors.New("toolCalls.id: must not be empty")
		}
		calls = append(calls, c)
	}
	return calls, nil
}

func groupedAnswers(m message) ([]reply, error) {
	list := m.objects("toolresults")
	if len(list) > 0 && m.role != "user" && m.role != "tool" {
		return nil, fmt.Errorf("messages.%d: toolResults in a message of role %s", m.index, m.role)
	}
	var replies []reply
	for _, o := range list {
		replies = append(replies, reply{result{id: o.text("toolcallid"), index: m.index}, o})
	}
	return replies, nil
}

// groupedResults reports whether a message holds results, and neither says
// anything nor calls.
func groupedResults(m message) bool {
	if len(m.objects("toolcalls")) > 0 {
		return false
	}
	switch content := m.object["content"].(type) {
	case nil:
	case string:
		if content != "" {
			return false
		}
	case []any:
		if len(content) > 0 {
			return false
		}
	default:
		return false
	}
	return len(m.objects("toolresults")) > 0
}
