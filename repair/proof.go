package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// Most stored chats are plain: Chat Completions messages of a role, a text and
// calls in their usual spelling, each call answered where it should be. A proof
// reads such a history in one pass and keeps nothing of it. It is a shortcut
// and no more: what it says is what the long way would say, and whatever it
// does not know in full it leaves to that.
type proof struct {
	doc *jsonedit.Doc
	arr jsonedit.Ref
	// callers counts the messages that call.
	calls, callers int
	// results counts the calls that were answered.
	results int
	// otherIDs: some call's id is none of Mistral's, whose roles have an order.
	otherIDs bool
	// open is the next call that waits for its result, end is the end of its
	// list.
	open, end jsonedit.Ref
}

// plainly tries to prove that an array is a plain history without a finding,
// or a plain chat without calls. found is what the long way would detect. Not
// ok says nothing.
func (rd *reader) plainly(arr jsonedit.Ref) (p proof, found Detection, ok bool) {
	p.doc, p.arr = rd.doc, arr
	if p.doc.Kind(arr) != jsonedit.Array {
		return p, found, false
	}
	last := jsonedit.None
	for e, end := arr+1, p.doc.End(arr); e < end; e = p.doc.End(e) {
		if !p.message(rd, e) {
			return p, found, false
		}
		last = e
		found.Messages++
	}
	if p.open != p.end || found.Messages == 0 || p.doc.Surrogates() && hasHalf(p.doc.Raw(arr)) {
		return p, found, false
	}
	if p.calls > 0 {
		// While results wait to be sent, reasoning may be missed.
		open := p.doc.Get(last, "tool_call_id") != jsonedit.None
		if !p.otherIDs || open && bytes.Contains(p.doc.Raw(arr), []byte("easoning")) {
			return p, found, false
		}
		found.Dialect, found.Proven, found.Results = OpenAIChat, true, p.results > 0
	}
	return p, found, true
}

// message takes in one element, and reports false if it is none of a plain
// history.
func (p *proof) message(rd *reader, e jsonedit.Ref) bool {
	d := p.doc
	if d.Kind(e) != jsonedit.Object {
		return false
	}
	// Of duplicates the last one counts. None is 0, the root, which is no
	// string.
	var role, content, calls, id jsonedit.Ref
	for key, end := e+1, d.End(e); key < end; key = d.End(key + 1) {
		switch name := d.Inner(key); string(name) {
		case "role":
			role = key + 1
		case "content":
			content = key + 1
		case "tool_calls":
			calls = key + 1
		case "tool_call_id":
			id = key + 1
		default:
			if d.Escaped(key) || foldedMember(name) != mOther {
				return false
			}
		}
	}
	if k := d.Kind(content); k != jsonedit.String && k != jsonedit.Null {
		return false
	}
	switch exactRole(string(d.Inner(role))) {
	case toolRole:
		return calls == 0 && id != 0 && p.answer(id)
	case assistantRole:
		if calls == 0 && len(d.Inner(content)) == 0 {
			return false // it may say nothing
		}
		return id == 0 && p.open == p.end && (calls == 0 || p.call(rd, calls))
	case userRole, systemRole:
		return id == 0 && p.open == p.end && calls == 0
	}
	return false
}

// answer takes in the id of a result. As stored it has to be that of the open
// call, which is no empty one and has no escapes.
func (p *proof) answer(id jsonedit.Ref) bool {
	d := p.doc
	if p.open == p.end || string(d.Inner(id)) != string(d.Inner(idOfPlain(p.open))) {
		return false
	}
	p.open = d.End(p.open)
	p.results++
	return true
}

// call takes in a list of calls.
func (p *proof) call(rd *reader, list jsonedit.Ref) bool {
	d := p.doc
	if d.Kind(list) != jsonedit.Array || d.End(list) == list+1 {
		return false
	}
	p.open, p.end = list+1, d.End(list)
	n := 0
	for c := p.open; c < p.end; c = d.End(c) {
		plain, ok := rd.plainCall(c)
		if !ok || d.Escaped(plain.id) || rd.badJSON(plain.arguments) || !anyName.takes(d.Inner(plain.name)) {
			return false
		}
		id := d.Inner(plain.id)
		p.otherIDs = p.otherIDs || !mistralID.takes(id)
		if n++; len(id) == 0 || n > 16 {
			return false
		}
		for other := p.open; other < c; other = d.End(other) {
			if string(d.Inner(idOfPlain(other))) == string(id) {
				return false
			}
		}
	}
	p.calls += n
	p.callers++
	return true
}

// idOfPlain is the id of a plain call: its first member.
func idOfPlain(call jsonedit.Ref) jsonedit.Ref { return call + 2 }

// ids yields the ids of the calls.
func (p *proof) ids(yield func(string) bool) {
	for e := range p.doc.Elems(p.arr) {
		for c := range p.doc.Elems(p.doc.Get(e, "tool_calls")) {
			if !yield(string(p.doc.Inner(idOfPlain(c)))) {
				return
			}
		}
	}
}
