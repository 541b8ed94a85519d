package oracle

import (
	"errors"
	"strings"
)

// The rules of the AI SDK for UI messages (convertToModelMessages): call and
// result are one part of an assistant message, and its state tells how far it
// has come. Every part is closed, but for a question to the user that is open
// or just answered, in the last message. Ids are there and distinct within a
// message, input is an object.
//
// A part is of type tool-NAME or dynamic-tool, or of type tool-invocation with
// an object of that name, or an element of toolInvocations, which older
// messages have beside the parts, to say the same again. Those that the
// provider runs, and the parts of other roles, which are never sent as calls,
// are let be.
var aiSDKUI = dialect{
	name:  "ai-sdk-ui",
	judge: judgeUIMessages,
	turn:  func(m message) bool { return m.role == "assistant" && len(toolLists(m)) > 0 },
	// A result is in the part of its call.
	result: func(message) bool { return false },
}

// AISDKUI judges a history as the AI SDK does that converts it.
func AISDKUI(src []byte) error { return aiSDKUI.validate(src, false) }

func judgeUIMessages(ms []message) error {
	for i, m := range ms {
		if m.role != "assistant" {
			continue
		}
		for _, list := range toolLists(m) {
			if err := judgeTools(m, list, i == len(ms)-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// toolLists returns the tool parts of a message, and those beside its parts.
func toolLists(m message) [][]object {
	var parts []object
	for _, p := range m.objects("parts") {
		kind := p.text("type")
		if inner, ok := p["toolinvocation"].(object); ok && kind == "tool-invocation" {
			p = inner
		} else if !strings.HasPrefix(kind, "tool-") && kind != "dynamic-tool" {
			continue
		}
		parts = append(parts, p)
	}
	var lists [][]object
	for _, list := range [][]object{parts, m.objects("toolinvocations")} {
		var tools []object
		for _, p := range list {
			if p.text("state") != "" && p["providerexecuted"] != true {
				tools = append(tools, p)
			}
		}
		if tools != nil {
			lists = append(lists, tools)
		}
	}
	return lists
}

func judgeTools(m message, tools []object, last bool) error {
	calls := make([]call, len(tools))
	answered, open := make([]bool, len(tools)), make([]bool, len(tools))
	for k, p := range tools {
		c := call{id: p.text("toolcallid")}
		switch {
		case c.id == "":
			c.fault = errors.New("toolCallId: must not be empty")
		case !objectOrAbsent(p, "input") || !objectOrAbsent(p, "args"):
			c.fault = errors.New("input: expected an object")
		}
		calls[k] = c
		switch state := p.text("state"); state {
		case "input-streaming", "input-available", "partial-call", "call":
		case "approval-requested", "approval-responded":
			open[k] = last
		default:
			answered[k] = true
		}
	}
	if err := faults(m, calls, open, map[string]bool{}, "duplicate toolCallId"); err != nil {
		return err
	}
	return missing(m, calls, answered, open, "Tool result is missing for tool call")
}
