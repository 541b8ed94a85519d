package oracle

import (
	"errors"
	"fmt"
	"slices"
)

// The rules of an ADK session: events whose content is Gemini's, from which
// ADK builds the request. They are rules of a set:
//
//   - a functionCall has one functionResponse of its id behind it, or more: a
//     tool that runs long gives an interim one before the final one;
//   - a response stands behind an event with a call of its id;
//   - a call that its event lists as long running may wait, while it is last;
//   - ids are there and distinct within an event; args is an object or null.
//
// A response in an event of no branch is of the one branch that has a call of its
// id before it, unless events of no branch have one too.
//
// Where an id comes again in a later turn, a response is of the last turns
// before it if they have a call of its id, else of the one earlier turn that
// waits for it.
var adk = dialect{
	name:   "adk",
	judge:  judgeADK,
	turn:   func(m message) bool { return len(partsOf(contentOfEvent(m.object), "functioncall")) > 0 },
	result: adkResults,
	role:   adkRole,
	behind: responsesOfOthers,
	across: toTheirBranches,
}

// ADK judges a history as the Agent Development Kit does that replays it.
func ADK(src []byte) error { return adk.validate(src, false) }

// adkRole takes the role of an event's content for its role, or else tells it
// by the author. An event without content is no message: no model sees it.
func adkRole(o object) (string, bool) {
	if _, ok := o["content"].(object); !ok {
		return "", false
	}
	if role := contentOfEvent(o).text("role"); role != "" {
		return role, true
	}
	author, ok := o["author"].(string)
	if ok && author != "user" {
		author = "model"
	}
	return author, ok
}

func contentOfEvent(o object) object {
	content, _ := o["content"].(object)
	return content
}

// adkResults reports whether an event holds responses and nothing else.
func adkResults(m message) bool {
	content := contentOfEvent(m.object)
	list, _ := content["parts"].([]any)
	n := len(partsOf(content, "functionresponse"))
	return n > 0 && n == len(list)
}

// responsesOfOthers returns an event without the responses to an event's calls.
func responsesOfOthers(turn, m message) message {
	var parts []any
	list, _ := contentOfEvent(m.object)["parts"].([]any)
	for _, v := range list {
		p, _ := v.(object)
		r, _ := p["functionresponse"].(object)
		if !slices.ContainsFunc(partsOf(contentOfEvent(turn.object), "functioncall"), func(c object) bool { return c.text("id") == r.text("id") }) {
			parts = append(parts, v)
		}
	}
	return message{object: object{"content": object{"parts": parts}}, index: m.index, role: m.role}
}

func judgeADK(ms []message) error {
	var ids []string
	uses := map[string][]*use{}
	group, behindTurn := 0, false
	for i, m := range ms {
		calls, err := adkCalls(m, !slices.ContainsFunc(ms[i+1:], func(m message) bool { return !adkResults(m) }))
		if err != nil {
			return err
		}
		if len(calls) > 0 && !behindTurn {
			group++
		}
		behindTurn = len(calls) > 0
		for _, u := range append(calls, adkResponses(m)...) {
			u.group = group
			if uses[u.id] == nil {
				ids = append(ids, u.id)
			}
			uses[u.id] = append(uses[u.id], u)
		}
	}
	for _, id := range ids {
		if err := judgeUses(uses[id]); err != nil {
			return err
		}
	}
	return nil
}

// adkCalls reads the calls of an event; last says that nothing but responses
// stands behind it.
func adkCalls(m message, last bool) ([]*use, error) {
	long, _ := m.object["longrunningtoolids"].([]any)
	var calls []call
	for _, o := range partsOf(contentOfEvent(m.object), "functioncall") {
		c := partCall(o)
		c.pending = last && (c.pending || m.pending() || slices.Contains(long, any(c.id)))
		if c.id == "" {
			c.fault = errors.New("function call without an id")
		}
		calls = append(calls, c)
	}
	var found []*use
	for k, c := range calls {
		if c.id != "" && slices.ContainsFunc(calls[:k], func(o call) bool { return o.id == c.id }) {
			return nil, fmt.Errorf("events.%d: duplicate function call id %s", m.index, c.id)
		}
		found = append(found, &use{call: c, isCall: true, index: m.index})
	}
	return found, nil
}

func adkResponses(m message) []*use {
	var found []*use
	for _, o := range partsOf(contentOfEvent(m.object), "functionresponse") {
		found = append(found, &use{call: call{id: o.text("id")}, blank: o.blank("name"), index: m.index})
	}
	return found
}
