package repair

import (
	"bytes"
	"fmt"
	"strings"

	"boltmend/internal/jsonedit"
)

// A uiRepair is the repair of one history of parts.
type uiRepair struct {
	aiSDKUI
	rd      *reader
	edit    jsonedit.Edit
	found   []Finding
	removed []Removed
	dropped map[int]bool // messages
	calls   int
	results int
	made    int
	// last is the last message of each branch: its parts may wait for a person.
	last map[int32]int
}

// repairStates brings every open part to an end.
func (a aiSDKUI) repairStates(rd *reader) *uiRepair {
	u := &uiRepair{rd: rd, dropped: make(map[int]bool), last: make(map[int32]int)}
	clear(rd.branches)
	rd.unbranched = false
	for i := range rd.sources {
		if s := &rd.sources[i]; s.family == roleFamily && !rd.isTrue(s.members[mLocalOnly]) {
			u.last[rd.branch(s)] = i
		}
	}
	for i := range rd.sources {
		if s := &rd.sources[i]; s.family == roleFamily && s.role == assistantRole && !rd.isTrue(s.members[mLocalOnly]) {
			u.message(i, s)
		}
	}
	return u
}

// message repairs the parts of one message. The older list of invocations
// repeats what the parts say: it is kept the same and not counted twice.
func (u *uiRepair) message(i int, s *source) {
	var all []invocation
	seen := make(map[string]int)
	mirrors := make(map[int]bool)
	u.invocations(u.rd, s, func(inv *invocation) {
		id := string(u.rd.id(inv.members[mToolCallID]))
		if first, twice := seen[id]; twice && inv.listed && !all[first].listed {
			mirrors[len(all)] = true
		} else if !twice {
			seen[id] = len(all)
		}
		all = append(all, *inv)
	})
	used := make(map[string]bool)
	index := 0
	for k := range all {
		inv := &all[k]
		if mirrors[k] {
			u.end(i, inv, false)
			continue
		}
		u.calls++
		u.mint(i, index, inv, used, seen)
		u.arguments(i, inv)
		u.end(i, inv, true)
		index++
	}
	for k := range all {
		if u.dropped[i] && !mirrors[k] && !u.isOpen(&all[k]) {
			u.remove("result", MissingResult, i, &all[k], all[k].node)
		}
	}
}

func (u *uiRepair) find(code Code, i int, inv *invocation) {
	u.found = append(u.found, Finding{
		Code: code, Message: i, IDs: []string{string(u.rd.id(inv.members[mToolCallID]))},
		Name: u.toolName(inv), Fixed: true,
	})
}

func (u *uiRepair) toolName(inv *invocation) string {
	if name := text(u.rd.doc, inv.members[mToolName]); name != nil {
		return string(name)
	}
	return string(bytes.TrimPrefix(text(u.rd.doc, inv.members[mType]), []byte("tool-")))
}

// remove notes a text that goes.
func (u *uiRepair) remove(kind string, code Code, i int, inv *invocation, node jsonedit.Ref) {
	u.removed = append(u.removed, Removed{
		Kind: kind, Code: code, Message: i, ID: string(u.rd.id(inv.members[mToolCallID])),
		Text: bytes.Clone(u.rd.doc.Raw(node)),
	})
}

// set gives a part a member, spelled as the part spells its state.
func (u *uiRepair) set(inv *invocation, m member, name string, value []byte) {
	if inv.members[m] != jsonedit.None {
		u.edit.Replace(inv.members[m], value)
		return
	}
	if key := u.rd.doc.Inner(inv.members[mState] - 1); 'A' <= key[0] && key[0] <= 'Z' {
		name = camel("_" + name)
	} else {
		name = camel(name)
	}
	u.edit.AddMember(inv.node, name, value)
}

// mint mints an id for a part that has none, and another for the second use
// of an id in a message.
func (u *uiRepair) mint(i, index int, inv *invocation, used map[string]bool, taken map[string]int) {
	id := string(u.rd.id(inv.members[mToolCallID]))
	code, next := EmptyCallID, fmt.Sprintf("call_repair_%d_%d", i, index)
	switch {
	case u.staysOpen(i, inv) && id == "", u.rd.isTrue(inv.members[mProviderExecuted]), u.rd.opts.KeepTail && u.isLast(i):
		return
	case id != "" && !used[id]:
		used[id] = true
		return
	case id != "":
		code, next = DuplicateCallID, id+"_2"
	}
	stem := strings.TrimSuffix(next, "_2")
	for n := 2; used[next] || hasKey(taken, next); n++ {
		next = fmt.Sprintf("%s_%d", stem, n)
	}
	used[next] = true
	u.find(code, i, inv)
	u.set(inv, mToolCallID, "tool_call_id", jsonedit.Quote(next))
}

// isLast reports whether a message is the last of its branch.
func (u *uiRepair) isLast(i int) bool { return u.last[u.rd.branch(&u.rd.sources[i])] == i }

func hasKey(m map[string]int, key string) bool { _, ok := m[key]; return ok }

// arguments makes an object of what is none, in a part that comes to its end.
func (u *uiRepair) arguments(i int, inv *invocation) {
	args := inv.members[mInput]
	if args == jsonedit.None {
		args = inv.members[mArgs]
	}
	if !u.rd.badObject(args) || u.staysOpen(i, inv) || u.rd.isTrue(inv.members[mProviderExecuted]) {
		return
	}
	u.find(BadArguments, i, inv)
	u.remove("arguments", BadArguments, i, inv, args)
	u.edit.Replace(args, objectOf(u.rd.doc, args))
}

func (u *uiRepair) isOpen(inv *invocation) bool {
	return u.rd.is(inv.members[mState], "input-streaming", "input-available", "partial-call", "call",
		"approval-requested", "approval-responded")
}

// staysOpen reports whether an open part is left open: the provider's own, and
// in the last message what waits for a person.
func (u *uiRepair) staysOpen(i int, inv *invocation) bool {
	return u.isOpen(inv) && (u.rd.isTrue(inv.members[mProviderExecuted]) ||
		u.isLast(i) && (u.rd.opts.KeepTail || u.rd.is(inv.members[mState], "approval-requested", "approval-responded")))
}

// end brings one part to its end: an error, or where a person went on without
// deciding, a denial. The last message may still wait for a person.
func (u *uiRepair) end(i int, inv *invocation, counts bool) {
	state := inv.members[mState]
	switch {
	case !u.isOpen(inv):
		if counts {
			u.results++
		}
		return
	case u.staysOpen(i, inv):
		return
	}
	if counts {
		u.find(MissingResult, i, inv)
		if u.rd.opts.OnMissing == DropTurn {
			u.dropped[i] = true
			return
		}
		u.made++
	}
	marker := jsonedit.Quote(u.rd.opts.marker())
	if u.rd.is(state, "approval-requested") {
		u.edit.Replace(state, jsonedit.Quote("output-denied"))
		if approval := inv.members[mApproval]; u.rd.doc.Kind(approval) == jsonedit.Object {
			u.edit.AddMember(approval, "approved", []byte("false"))
			u.edit.AddMember(approval, "reason", marker)
		}
		return
	}
	u.edit.Replace(state, jsonedit.Quote("output-error"))
	if old := inv.members[mErrorText]; old != jsonedit.None {
		u.remove("members", MissingResult, i, inv, old)
	}
	u.set(inv, mErrorText, "error_text", marker)
}
