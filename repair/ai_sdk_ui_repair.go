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

// message repairs the parts of one message.
func (u *uiRepair) message(i int, s *source) {
	calls := u.callsOf(s)
	taken := make(map[string]bool)
	for _, c := range calls {
		taken[string(u.rd.id(c.members[mToolCallID]))] = true
	}
	used := make(map[string]bool)
	for index := range calls {
		c := &calls[index]
		u.calls++
		u.mint(i, index, c, used, taken)
		u.arguments(i, c)
		u.end(i, c)
	}
	for k := range calls {
		if ended := u.ended(&calls[k]); u.dropped[i] && ended != nil {
			u.remove("result", MissingResult, i, ended, ended.node)
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

// mint mints an id for a call that has none, and another for the second use of
// an id in a message.
func (u *uiRepair) mint(i, index int, c *uiCall, used, taken map[string]bool) {
	id := string(u.rd.id(c.members[mToolCallID]))
	code, next := EmptyCallID, fmt.Sprintf("call_repair_%d_%d", i, index)
	switch {
	case u.staysOpen(i, c.invocation) && id == "", u.rd.isTrue(c.members[mProviderExecuted]), u.rd.opts.KeepTail && u.isLast(i):
		return
	case id != "" && !used[id]:
		used[id] = true
		return
	case id != "":
		code, next = DuplicateCallID, id+"_2"
	}
	stem := strings.TrimSuffix(next, "_2")
	for n := 2; used[next] || taken[next]; n++ {
		next = fmt.Sprintf("%s_%d", stem, n)
	}
	used[next] = true
	u.find(code, i, c.invocation)
	for _, inv := range c.said() {
		u.put(inv.node, inv.node, "tool_call_id", jsonedit.Quote(next))
	}
}

// isLast reports whether a message is the last of its branch.
func (u *uiRepair) isLast(i int) bool { return u.last[u.rd.branch(&u.rd.sources[i])] == i }

// arguments makes an object of what is none, in a part that comes to its end.
func (u *uiRepair) arguments(i int, c *uiCall) {
	found := false
	for _, inv := range c.said() {
		args := inv.members[mInput]
		if args == jsonedit.None {
			args = inv.members[mArgs]
		}
		if !u.rd.badObject(args) || u.staysOpen(i, inv) || u.rd.isTrue(inv.members[mProviderExecuted]) {
			continue
		}
		if !found {
			u.find(BadArguments, i, inv)
			found = true
		}
		u.remove("arguments", BadArguments, i, inv, args)
		u.edit.Replace(args, objectOf(u.rd.doc, args))
	}
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
