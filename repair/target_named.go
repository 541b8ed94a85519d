package repair

import (
	"slices"

	"boltmend/internal/jsonedit"
)

// A namer looks for what else in a message names its calls and results: the
// list of calls that run long, the question to a person whether a tool may run,
// and calls that a message keeps in a second spelling. A string that happens to
// be the same, in arguments, in what a tool said or in what an app wrote down,
// names nothing.
type namer struct {
	*review
	message jsonedit.Ref
	ids     map[string]int32 // the use of each id
	uses    []idUse
	// whole are the calls and results that were read. Of them only what names
	// the call is looked at, and nothing that they hold.
	whole []jsonedit.Ref
}

// namesCall are the members, folded, that hold the id of a call, or a list of
// such ids, wherever they stand.
var namesCall = map[string]bool{
	"toolcallid": true, "tooluseid": true, "callid": true,
	"toolcallids": true, "tooluseids": true, "callids": true, "longrunningtoolids": true,
}

// isPayload are the members, folded, that hold what a model, a tool or an app
// wrote, so that nothing in them names a call.
var isPayload = map[string]bool{
	"arguments": true, "args": true, "input": true, "rawinput": true, "parameters": true,
	"output": true, "response": true, "result": true, "results": true, "artifact": true, "details": true,
	"thinking": true, "reasoning": true, "reasoningcontent": true, "reasoningdetails": true,
	"state": true, "statedelta": true, "metadata": true, "custommetadata": true,
}

// ofCalls returns where the calls and results of a message stand.
func (v *review) ofCalls(message int32) (all []jsonedit.Ref) {
	m := &v.t.messages[message]
	for c := m.calls.lo; c < m.calls.hi; c++ {
		all = append(all, v.rd.calls[c].node)
	}
	for r := m.results.lo; r < m.results.hi; r++ {
		all = append(all, v.rd.results[r].node)
	}
	return all
}

// object looks at the members of an object. ofCall says that it is a call, so
// that its plain id is the call's.
func (n *namer) object(obj jsonedit.Ref, ofCall bool) {
	d := n.rd.doc
	isBlock, skip := n.kindOf(obj)
	if skip {
		return
	}
	ofCall = ofCall || isBlock && obj != n.message
	whole := slices.Contains(n.whole, obj)
	for key, value := range d.Members(obj) {
		name := fold(d.Text(key))
		switch {
		case namesCall[name], ofCall && name == "id":
			n.take(value)
		case whole || isPayload[name]:
		case d.Kind(value) == jsonedit.Object:
			n.object(value, false)
		case d.Kind(value) == jsonedit.Array:
			for e := range d.Elems(value) {
				if d.Kind(e) == jsonedit.Object {
					n.object(e, name == "toolcalls")
				}
			}
		}
	}
}

// kindOf reads the type of an object: whether it is a call in a list of
// content, and whether it is what the model thought, in which nothing is
// looked at.
func (n *namer) kindOf(obj jsonedit.Ref) (isCall, skip bool) {
	for key, value := range n.rd.doc.Members(obj) {
		if n.rd.doc.Kind(value) != jsonedit.String || fold(n.rd.doc.Text(key)) != "type" {
			continue
		}
		switch n.rd.doc.Text(value) {
		case "tool_use", "tool_call":
			return true, false
		case "thinking", "redacted_thinking", "reasoning":
			return false, true
		}
	}
	return false, false
}

// take adds a member, or the elements of a list, to the uses of their ids.
func (n *namer) take(r jsonedit.Ref) {
	d := n.rd.doc
	if d.Kind(r) == jsonedit.Array {
		for e := range d.Elems(r) {
			if d.Kind(e) == jsonedit.String {
				n.take(e)
			}
		}
		return
	}
	use, found := n.ids[string(text(d, r))]
	if found && use != none && !slices.Contains(n.uses[use].nodes, r) {
		n.uses[use].nodes = append(n.uses[use].nodes, r)
	}
}
