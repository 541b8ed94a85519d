package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// AISDKUI is the UI message format of Vercel's AI SDK: a call and its result
// are one part, whose state says how far it is. There is nothing to move: a
// part that never got to an end is brought to one. Read are tool-* and
// dynamic-tool parts, and the older toolInvocation objects, whose only end is
// "result".
//
// Source: AI SDK, UIMessage and convertToModelMessages, and the reports
// collected in docs/dialects.md, read 2026-11-30.
const AISDKUI Dialect = "ai-sdk-ui"

type aiSDKUI struct{}

func (aiSDKUI) rules() rules                    { return rules{} }
func (aiSDKUI) spelling() spelling              { return spelling{} }
func (aiSDKUI) read(*reader, *source, *message) {}
func (aiSDKUI) made(*writer, int32) []byte      { return nil }

// An invocation is a call and its result in one object.
type invocation struct {
	node jsonedit.Ref // the object that has the state
	old  bool         // a toolInvocation
	members
}

// invocations calls fn for each invocation of a message.
func (aiSDKUI) invocations(rd *reader, s *source, fn func(*invocation)) {
	var inv invocation
	if parts, ok := rd.array(s.members[mParts]); ok {
		for part := range rd.doc.Elems(parts) {
			inv.node, inv.old = part, false
			inv.collect(rd.doc, part)
			t := text(rd.doc, inv.members[mType])
			switch {
			case string(t) == "tool-invocation":
				inv.node, inv.old = inv.members[mToolInvocation], true
				inv.collect(rd.doc, inv.node)
			case string(t) != "dynamic-tool" && !bytes.HasPrefix(t, []byte("tool-")):
				continue
			}
			if rd.doc.Kind(inv.members[mState]) == jsonedit.String {
				fn(&inv)
			}
		}
	}
	if list, ok := rd.array(s.members[mToolInvocations]); ok {
		for node := range rd.doc.Elems(list) {
			inv.node, inv.old = node, true
			if inv.collect(rd.doc, node); rd.doc.Kind(inv.members[mState]) == jsonedit.String {
				fn(&inv)
			}
		}
	}
}

func (a aiSDKUI) vote(rd *reader, s *source) (e evidence) {
	a.invocations(rd, s, func(*invocation) { e.proofs++ })
	return e
}

// close brings every open part to an end. It returns what it found, and how
// many calls and results there are.
func (a aiSDKUI) close(rd *reader, edit *jsonedit.Edit) (found []Finding, calls, results int) {
	last := len(rd.sources) - 1
	for last >= 0 && rd.sources[last].family != roleFamily {
		last--
	}
	for i := range rd.sources {
		s := &rd.sources[i]
		if s.family != roleFamily || rd.isTrue(s.members[mLocalOnly]) {
			continue
		}
		a.invocations(rd, s, func(inv *invocation) {
			calls++
			if a.isClosed(rd, inv) {
				results++
				return
			}
			if i == last && (rd.opts.KeepTail || a.awaitsPerson(rd, inv)) {
				return
			}
			a.end(rd, inv, edit)
			found = append(found, Finding{
				Code: MissingResult, Message: i, IDs: []string{string(rd.id(inv.members[mToolCallID]))},
				Name: a.name(rd, inv), Fixed: true,
			})
		})
	}
	return found, calls, results
}

func (aiSDKUI) isClosed(rd *reader, inv *invocation) bool {
	return !rd.is(inv.members[mState], "input-streaming", "input-available", "partial-call", "call",
		"approval-requested", "approval-responded")
}

// awaitsPerson reports whether a part waits for a person's word.
func (aiSDKUI) awaitsPerson(rd *reader, inv *invocation) bool {
	return rd.is(inv.members[mState], "approval-requested", "approval-responded")
}

func (aiSDKUI) name(rd *reader, inv *invocation) string {
	if name := text(rd.doc, inv.members[mToolName]); name != nil {
		return string(name)
	}
	return string(bytes.TrimPrefix(text(rd.doc, inv.members[mType]), []byte("tool-")))
}

// end brings one part to its end: an error, or where a person went on without
// deciding, a denial.
func (aiSDKUI) end(rd *reader, inv *invocation, edit *jsonedit.Edit) {
	marker := jsonedit.Quote(rd.opts.marker())
	state := func(s string) { edit.Replace(inv.members[mState], jsonedit.Quote(s)) }
	set := func(m member, name string, value []byte) {
		if inv.members[m] != jsonedit.None {
			edit.Replace(inv.members[m], value)
		} else {
			edit.AddMember(inv.node, name, value)
		}
	}
	switch {
	case inv.old:
		state("result")
		set(mResult, "result", marker)
	case rd.is(inv.members[mState], "approval-requested"):
		state("output-denied")
		if approval := inv.members[mApproval]; rd.doc.Kind(approval) == jsonedit.Object {
			edit.AddMember(approval, "approved", []byte("false"))
			edit.AddMember(approval, "reason", marker)
		}
	default:
		state("output-error")
		set(mErrorText, "errorText", marker)
	}
}
