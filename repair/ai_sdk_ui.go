package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// AISDKUI is the UI message format of Vercel's AI SDK: a call and its result
// are one part, whose state says how far it is. There is nothing to move: a
// part that never got to an end is brought to one. Read are tool-* and
// dynamic-tool parts, and the older toolInvocation objects.
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
	node   jsonedit.Ref // the object that has the state
	listed bool         // in the older list of invocations
	members
}

// invocations calls fn for each invocation of a message.
func (aiSDKUI) invocations(rd *reader, s *source, fn func(*invocation)) {
	var inv invocation
	if parts, ok := rd.array(s.members[mParts]); ok {
		for part := range rd.doc.Elems(parts) {
			inv.node, inv.listed = part, false
			inv.collect(rd.doc, part)
			t := text(rd.doc, inv.members[mType])
			switch {
			case string(t) == "tool-invocation":
				inv.node = inv.members[mToolInvocation]
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
			inv.node, inv.listed = node, true
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
