package repair

import "boltmend/internal/jsonedit"

// Nearly every call of a Chat Completions history is stored in one way: "id",
// "type" and "function" with "name" and "arguments". It is seen here without
// collecting members, since this is where a scan of sound histories spends
// its time. Every other spelling takes the longer way.

// A plainCall is where the members of such a call stand.
type plainCall struct{ id, name, arguments jsonedit.Ref }

// plainCall reads a call that is stored in the usual way. False says nothing.
func (rd *reader) plainCall(c jsonedit.Ref) (p plainCall, ok bool) {
	d := rd.doc
	if d.Kind(c) != jsonedit.Object {
		return p, false
	}
	id, end := c+1, d.End(c)
	typ := d.End(id + 1)
	function := d.End(typ + 1)
	if function >= end || d.End(function+1) != end || string(d.Inner(id)) != "id" ||
		string(d.Inner(typ)) != "type" || string(d.Inner(function)) != "function" ||
		d.Kind(function+1) != jsonedit.Object || d.Kind(id+1) != jsonedit.String {
		return p, false
	}
	name := function + 2
	arguments := d.End(name + 1)
	if arguments >= end || d.End(arguments+1) != end ||
		string(d.Inner(name)) != "name" || string(d.Inner(arguments)) != "arguments" {
		return p, false
	}
	return plainCall{id + 1, name + 1, arguments + 1}, true
}

func (rd *reader) isPlainCall(c jsonedit.Ref) bool {
	_, ok := rd.plainCall(c)
	return ok
}

// addPlain notes a call that is stored in the usual way.
func (openAIChat) addPlain(rd *reader, c jsonedit.Ref, p plainCall) {
	rd.addCall(call{
		id:           text(rd.doc, p.id),
		name:         text(rd.doc, p.name),
		wrongRole:    rd.last().role != roleAssistant,
		badArguments: rd.badJSON(p.arguments),
	}, callSource{node: c, id: p.id, arguments: p.arguments})
}

// plainHistory reports whether all calls are stored in the usual way and all
// results answer by id, so that no other dialect could have a vote.
func (rd *reader) plainHistory() (calls, results bool) {
	for i := range rd.sources {
		s := &rd.sources[i]
		switch {
		case s.traits == 0:
		case s.family != roleFamily || s.traits&^(hasCalls|isTool) != 0:
			return false, false
		case s.traits == isTool:
			if s.role != toolRole || rd.doc.Kind(s.members[mToolCallID]) != jsonedit.String || s.members[mToolName] != jsonedit.None {
				return false, false
			}
			results = true
		default:
			list := s.members[mToolCalls]
			if s.members[mFunctionCall] != jsonedit.None || rd.doc.End(list) == list+1 {
				return false, false
			}
			for c, end := list+1, rd.doc.End(list); c < end; c = rd.doc.End(c) {
				if !rd.isPlainCall(c) {
					return false, false
				}
			}
			calls = true
		}
	}
	return calls, results
}
