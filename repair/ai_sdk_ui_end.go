package repair

import (
	"bytes"
	"slices"
	"strings"

	"boltmend/internal/jsonedit"
)

// A uiCall is one call of a message: its part, and the entry of the older list
// that says the same again. What changes in one changes in both.
type uiCall struct {
	*invocation
	mirror *invocation // nil if there is none
}

// said returns each object that says the call.
func (c *uiCall) said() []*invocation {
	if c.mirror == nil {
		return []*invocation{c.invocation}
	}
	return []*invocation{c.invocation, c.mirror}
}

// callsOf returns the calls of a message. The nth entry of the older list that
// has an id says again what the nth part of that id says; without an id it has
// to be of the same tool as well.
func (u *uiRepair) callsOf(s *source) (calls []uiCall) {
	parts := make(map[string][]int)
	u.invocations(u.rd, s, func(inv *invocation) {
		key := string(u.rd.id(inv.members[mToolCallID]))
		if key == "" {
			key = "\x00" + u.toolName(inv)
		}
		one := *inv
		if at := parts[key]; inv.listed && len(at) > 0 {
			calls[at[0]].mirror, parts[key] = &one, at[1:]
			return
		}
		if !inv.listed {
			parts[key] = append(parts[key], len(calls))
		}
		calls = append(calls, uiCall{invocation: &one})
	})
	return calls
}

// ended returns what says of a call that it has come to an end, nil if nothing
// does.
func (u *uiRepair) ended(c *uiCall) *invocation {
	for _, inv := range c.said() {
		if !u.isOpen(inv) {
			return inv
		}
	}
	return nil
}

// end brings a call to its end: the one that its mirror has, else an error, or
// where a person went on without deciding a denial.
func (u *uiRepair) end(i int, c *uiCall) {
	ended := u.ended(c)
	if ended != nil {
		u.results++
	}
	open := slices.DeleteFunc(c.said(), func(inv *invocation) bool { return !u.isOpen(inv) || u.staysOpen(i, inv) })
	if len(open) == 0 {
		return
	}
	u.find(MissingResult, i, open[0])
	switch {
	case ended != nil:
	case u.rd.opts.OnMissing == DropTurn:
		u.dropped[i] = true
		return
	default:
		u.made++
	}
	for _, inv := range open {
		switch {
		case ended != nil:
			u.endAs(i, inv, ended)
		case u.rd.is(inv.members[mState], "approval-requested"):
			u.deny(i, inv)
		default:
			u.edit.Replace(inv.members[mState], jsonedit.Quote("output-error"))
			u.give(i, inv, inv.node, "error_text", jsonedit.Quote(u.rd.opts.marker()))
		}
	}
}

// endAs gives an open part the end that its mirror has.
func (u *uiRepair) endAs(i int, inv, ended *invocation) {
	u.edit.Replace(inv.members[mState], bytes.Clone(u.rd.doc.Raw(ended.members[mState])))
	for _, m := range [...]struct {
		member
		name string
	}{{mResult, "result"}, {mOutput, "output"}, {mErrorText, "error_text"}} {
		if value := ended.members[m.member]; value != jsonedit.None {
			u.give(i, inv, inv.node, m.name, bytes.Clone(u.rd.doc.Raw(value)))
		}
	}
}

// deny says of a part that nobody allowed its tool to run.
func (u *uiRepair) deny(i int, inv *invocation) {
	u.edit.Replace(inv.members[mState], jsonedit.Quote("output-denied"))
	if approval := inv.members[mApproval]; u.rd.doc.Kind(approval) == jsonedit.Object {
		u.give(i, inv, approval, "approved", []byte("false"))
		u.give(i, inv, approval, "reason", jsonedit.Quote(u.rd.opts.marker()))
	}
}

// give gives an object of a part a member and notes the text of the one that it
// has.
func (u *uiRepair) give(i int, inv *invocation, obj jsonedit.Ref, name string, value []byte) {
	if old := keyOf(u.rd.doc, obj, fold(name)); old != jsonedit.None {
		if bytes.Equal(u.rd.doc.Raw(old+1), value) {
			return
		}
		u.remove("members", MissingResult, i, inv, old+1)
	}
	u.put(obj, inv.node, name, value)
}

// put gives an object a member: in the place of the one that it has, or else
// spelled as its others are, or if it has none as those of its part.
func (u *uiRepair) put(obj, part jsonedit.Ref, name string, value []byte) {
	if old := keyOf(u.rd.doc, obj, fold(name)); old != jsonedit.None {
		u.edit.Replace(old+1, value)
		return
	}
	like := obj
	if u.rd.doc.End(obj) == obj+1 {
		like = part
	}
	u.edit.AddMember(obj, spelledLike(u.rd.doc, like, name), value)
}

// spelledLike spells a name in the style of an object's members.
func spelledLike(d *jsonedit.Doc, obj jsonedit.Ref, name string) string {
	for key := range d.Members(obj) {
		switch k := d.Text(key); {
		case k != "" && 'A' <= k[0] && k[0] <= 'Z':
			return camel("_" + name)
		case strings.ToLower(k) != k:
			return camel(name)
		case strings.Contains(k, "_"):
			return name
		}
	}
	return camel(name)
}
