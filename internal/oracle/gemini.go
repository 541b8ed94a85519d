package oracle

import (
	"errors"
	"fmt"
)

// The rules of generateContent as its errors tell them:
//
//   - the content behind one with functionCall parts holds as many
//     functionResponse parts, before any other part, one for each call;
//   - a content with functionResponse parts stands behind one with calls, and
//     is the user's, or a function's or tool's; calls are the model's alone;
//   - ids may be left out: then name and order tell the call. An id that is
//     there is not empty, and distinct within a turn;
//   - args is an object; null is as good as none.
var gemini = dialect{
	name:   "gemini",
	judge:  geminiRules.judge,
	turn:   func(m message) bool { return fromModel(m.role) && len(partsOf(m.object, "functioncall")) > 0 },
	result: geminiResults,
}

var geminiRules = next{
	calls:      geminiCalls,
	answers:    geminiAnswers,
	only:       geminiResults,
	pair:       byIDOrName,
	accept:     acceptOptional("id", "name"),
	unanswered: "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn",
	unexpected: "Please ensure that function response turn comes immediately after a function call turn",
	twice:      "Please ensure that function call ids are unique within a turn",
}

// Gemini judges a history as the Gemini API does.
func Gemini(src []byte) error { return gemini.validate(src, false) }

func fromModel(role string) bool { return role == "model" || role == "assistant" }

// partsOf returns the objects of one kind in the parts of a content.
func partsOf(content object, kind string) []object {
	var found []object
	for _, p := range content.objects("parts") {
		if o, ok := p[kind].(object); ok {
			found = append(found, o)
		}
	}
	return found
}

func geminiCalls(m message) ([]call, error) {
	parts := partsOf(m.object, "functioncall")
	if len(parts) > 0 && !fromModel(m.role) {
		return nil, fmt.Errorf("messages.%d: Please ensure that function call parts are in contents of role model", m.index)
	}
	var calls []call
	for _, o := range parts {
		calls = append(calls, partCall(o))
	}
	return calls, nil
}

// partCall reads a functionCall.
func partCall(o object) call {
	c := call{id: o.text("id"), name: o.text("name"), pending: o.pending()}
	switch {
	case emptyID(o):
		c.fault = errors.New("function_call.id: must not be empty")
	case o["args"] != nil && !objectOrAbsent(o, "args"):
		c.fault = errors.New("function_call.args: expected an object (type google.protobuf.Struct)")
	}
	return c
}

// geminiAnswers wants the responses of a content before its other parts.
func geminiAnswers(m message) ([]reply, error) {
	var answers []reply
	list, _ := m.object["parts"].([]any)
	for k, v := range list {
		p, _ := v.(object)
		o, ok := p["functionresponse"].(object)
		switch {
		case !ok:
			continue
		case m.role != "user" && m.role != "function" && m.role != "tool":
			return nil, fmt.Errorf("messages.%d: Please ensure that function response parts are not in contents of role %s", m.index, m.role)
		case k != len(answers):
			return nil, fmt.Errorf("messages.%d: Please ensure that function response parts stand before other parts", m.index)
		}
		answers = append(answers, reply{result{id: o.text("id"), name: o.text("name"), index: m.index}, o})
	}
	return answers, nil
}

// geminiResults reports whether a content holds responses and nothing else.
func geminiResults(m message) bool {
	list, _ := m.object["parts"].([]any)
	n := len(partsOf(m.object, "functionresponse"))
	return n > 0 && n == len(list)
}
