package repair

import "boltmend/internal/jsonedit"

// saysNothing notes a message that has no text, if it has nothing else either
// that could be sent.
func (v *review) saysNothing(i int32, m *message, s *source, rules contentRules) {
	switch {
	case m.calls.len() > 0 || m.results.len() > 0 || m.pending || s.family == itemFamily:
		return
	case m.role == roleUser && rules.users:
	case m.role != roleAssistant:
		return
	}
	if v.hasMore(s.node) || s.body != s.node && v.hasMore(s.body) {
		return
	}
	v.empty = append(v.empty, i)
}

// hasMore reports whether an object has a member that may be content: not one
// that is known to tell about the message, nor a number, nor nothing.
func (v *review) hasMore(obj jsonedit.Ref) bool {
	d := v.rd.doc
	for key, value := range d.Members(obj) {
		switch d.Kind(value) {
		case jsonedit.Number, jsonedit.True, jsonedit.False, jsonedit.Null:
			continue
		case jsonedit.Array, jsonedit.Object:
			if d.End(value) == value+1 {
				continue
			}
		case jsonedit.String:
			if len(d.Inner(value)) == 0 {
				continue
			}
		}
		if !tellsAbout[fold(d.Text(key))] {
			return true
		}
	}
	return false
}

// tellsAbout are the members, folded, that tell about a message and are no
// content of it, or whose content was looked at before.
var tellsAbout = map[string]bool{
	"role": true, "content": true, "parts": true, "type": true, "object": true, "name": true,
	"id": true, "uuid": true, "parentid": true, "parentuuid": true, "responseid": true, "requestid": true,
	"sessionid": true, "threadid": true, "runid": true, "conversationid": true, "invocationid": true,
	"branch": true, "laneid": true, "issidechain": true, "author": true, "sender": true,
	"timestamp": true, "time": true, "ts": true, "date": true, "createdat": true, "created": true,
	"updatedat": true, "sentat": true, "datetime": true,
	"status": true, "state": true, "stopreason": true, "stopsequence": true, "finishreason": true,
	"model": true, "modelid": true, "modelversion": true, "provider": true, "api": true, "usage": true,
	"usagemetadata": true, "metadata": true, "responsemetadata": true, "version": true,
	"lc": true, "kwargs": true,
}

// emptyMessages finds the messages that say nothing, and takes out those that
// are to go, but where that would put roles into an order that is refused.
func (v *review) emptyMessages() {
	if len(v.empty) == 0 {
		return
	}
	for _, i := range v.empty {
		if !v.may(EmptyMessage, i) {
			continue
		}
		if v.isLinked() {
			v.because(linkedReason)
			continue
		}
		if v.endsReasoning(i) {
			v.because("reasoning would have nothing behind it")
			continue
		}
		if v.closesTail(i) {
			v.because("without it the last exchange would be left alone")
			continue
		}
		if v.gone == nil {
			v.gone = make(map[int32]bool)
		}
		v.gone[i] = true
	}
	if laws := v.roleLaws(); len(v.gone) > 0 && laws != (roleLaws{}) {
		v.keepOrder(laws)
	}
	for _, i := range v.empty {
		v.find(EmptyMessage, i, nil, "", v.gone[i])
		if v.gone[i] {
			v.remove("message", EmptyMessage, i, nil, v.rd.sources[i].node)
		}
	}
}

// isLinked reports whether messages name the one before them.
func (v *review) isLinked() bool {
	for i := range v.rd.sources {
		if v.rd.doc.Kind(v.rd.sources[i].members[mParentID]) == jsonedit.String {
			return true
		}
	}
	return false
}

// closesTail reports whether results of the last turn may stand behind a message
// as well as before it, so that without it the last exchange, repaired now, would
// be one to be left alone.
func (v *review) closesTail(at int32) bool {
	if !v.opts.KeepTail || v.dl == nil || !v.dl.rules().set {
		return false
	}
	for i := range v.t.messages[at:] {
		if m := &v.t.messages[at:][i]; m.branch == v.t.messages[at].branch && v.t.isTurn(m) {
			return false
		}
	}
	return true
}

// endsReasoning reports whether a message stands directly behind an item of
// reasoning, which is refused without what came of it.
func (v *review) endsReasoning(at int32) bool {
	for i := at - 1; i >= 0; i-- {
		m, s := &v.t.messages[i], &v.rd.sources[i]
		switch here := m.branch == v.t.messages[at].branch; {
		case s.family == itemFamily && v.rd.is(s.members[mType], "reasoning") && (m.aside || here):
			return true // set aside where nothing calls
		case !m.aside && here:
			return false
		}
	}
	return false
}

// keepOrder keeps those of the messages that are to go without which roles
// would stand in a worse order. Going backwards, what stands behind is settled;
// what stands before may still go, so that it goes on until nothing changes.
func (v *review) keepOrder(laws roleLaws) {
	want := v.gone
	v.gone = make(map[int32]bool)
	before := make([]int32, len(v.t.messages))
	for {
		v.linkBefore(before)
		changed := false
		behind := make(map[int32]int32) // by branch
		for i := len(v.t.messages) - 1; i >= 0; i-- {
			m := &v.t.messages[i]
			if m.aside || m.role == roleOther || v.gone[int32(i)] {
				continue
			}
			next, found := behind[m.branch]
			if want[int32(i)] && (!found || !v.worse(laws, before[i], int32(i), next)) {
				v.gone[int32(i)] = true
				changed = true
				continue
			}
			behind[m.branch] = int32(i)
		}
		if !changed {
			break
		}
	}
	if len(v.gone) < len(want) {
		v.because("without it roles would stand in an order that is refused")
	}
}

// linkBefore notes for each message the one before it in its branch that is
// not gone.
func (v *review) linkBefore(before []int32) {
	last := make(map[int32]int32)
	for i := range v.t.messages {
		m := &v.t.messages[i]
		if m.aside || m.role == roleOther || v.gone[int32(i)] {
			continue
		}
		before[i] = none
		if b, found := last[m.branch]; found {
			before[i] = b
		}
		last[m.branch] = int32(i)
	}
}

// worse reports whether the order of roles is worse without the message at:
// whether the one behind it may not stand behind the one before it, but may
// behind this one.
func (v *review) worse(laws roleLaws, before, at, behind int32) bool {
	first := roleOther
	if before != none {
		first = v.t.messages[before].role
	}
	next := &v.t.messages[behind]
	return laws.breaks(first, next, 0, true) != "" && laws.breaks(v.t.messages[at].role, next, 0, true) == ""
}
