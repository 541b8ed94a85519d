package oracle

import (
	"errors"
	"fmt"
)

// The rules of Converse as its errors tell them:
//
//   - every toolUse of an assistant message is answered by one toolResult in
//     the next message, role user, before any other content, and there are no
//     more results than that;
//   - ids are there and unique over the request; input is an object.
//
// That roles alternate is judged by RoleFaults, since a repair takes a history
// as it finds it and only must not make it worse.
var bedrock = dialect{
	name:   "bedrock-converse",
	judge:  bedrockRules.judge,
	turn:   func(m message) bool { return m.role == "assistant" && len(contentOf(m, "tooluse")) > 0 },
	result: bedrockResults,
}

var bedrockRules = next{
	calls:      bedrockCalls,
	answers:    bedrockAnswers,
	only:       bedrockResults,
	pair:       byID,
	accept:     func(reply, call) error { return nil },
	unique:     true,
	unanswered: "Expected toolResult blocks at messages.content for the following Ids",
	unexpected: "The number of toolResult blocks exceeds the number of toolUse blocks of previous turn",
	twice:      "The toolUse blocks contain duplicate Ids",
}

// BedrockConverse judges a history as Amazon Bedrock's Converse API does.
func BedrockConverse(src []byte) error { return bedrock.validate(src, false) }

// contentOf returns the blocks of one kind, without what they are wrapped in.
func contentOf(m message, kind string) []object {
	var found []object
	for _, b := range m.objects("content") {
		if o, ok := b[kind].(object); ok {
			found = append(found, o)
		}
	}
	return found
}

func bedrockCalls(m message) ([]call, error) {
	blocks := contentOf(m, "tooluse")
	if len(blocks) > 0 && m.role != "assistant" {
		return nil, fmt.Errorf("messages.%d: the %s role cannot hold toolUse blocks", m.index, m.role)
	}
	var calls []call
	for _, o := range blocks {
		c := call{id: o.text("tooluseid"), name: o.text("name"), pending: o.pending()}
		switch {
		case c.id == "":
			c.fault = errors.New("toolUse.toolUseId: Member must have length greater than or equal to 1")
		case !objectOrAbsent(o, "input"):
			c.fault = errors.New("toolUse.input: The format of the value is invalid. Provide a json object for the field")
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// bedrockAnswers wants the results of a message before its other content.
func bedrockAnswers(m message) ([]reply, error) {
	var answers []reply
	list, _ := m.object["content"].([]any)
	for k, v := range list {
		b, _ := v.(object)
		o, ok := b["toolresult"].(object)
		switch {
		case !ok:
			continue
		case m.role != "user":
			return nil, fmt.Errorf("messages.%d: the %s role cannot hold toolResult blocks", m.index, m.role)
		case k != len(answers):
			return nil, fmt.Errorf("messages.%d: toolResult blocks must stand at the beginning of a message", m.index)
		}
		answers = append(answers, reply{result{id: o.text("tooluseid"), index: m.index}, o})
	}
	return answers, nil
}

func bedrockResults(m message) bool {
	list, _ := m.object["content"].([]any)
	n := len(contentOf(m, "toolresult"))
	return n > 0 && n == len(list)
}
