package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// Reasoning that has to come back to the provider as it gave it. It can be
// missing, have lost its signature, or stand where the turn was cut off. It
// can never be made up, so all this is only reported.
//
// Source: Anthropic, extended thinking ("cannot be modified", "thinking.signature:
// Field required", no thinking as the last block); Gemini 3, "Function call is
// missing a thought_signature"; DeepSeek, "The `reasoning_content` in the
// thinking mode must be passed back"; OpenAI Responses, "was provided without its
// required following item", "Item with id ... not found"; the threads are in
// docs/dialects.md, read 2026-11-30.

// thinking looks at a block of thinking of Anthropic; last says that nothing
// stands behind it in its message.
func (v *review) thinking(i int32, m *message, b, typ jsonedit.Ref, last bool) {
	d := v.rd.doc
	hidden := d.Is(typ, "redacted_thinking")
	if m.role != roleAssistant || !hidden && !d.Is(typ, "thinking") {
		return
	}
	if last {
		v.find(MissingReasoning, i, nil, "", false)
	}
	if hidden {
		return
	}
	thought, signed := v.member(b, "thinking"), !v.rd.isNothing(v.member(b, "signature"))
	switch {
	case !signed:
		v.findOnce(MissingSignature, i)
	case v.rd.isNothing(thought):
		v.blanked = append(v.blanked, i)
	default:
		v.hasThought = true
	}
}

// member returns the value of an object's last member of a folded name.
func (v *review) member(obj jsonedit.Ref, folded string) jsonedit.Ref {
	found := jsonedit.None
	for key, value := range v.rd.doc.Members(obj) {
		if fold(v.rd.doc.Text(key)) == folded {
			found = value
		}
	}
	return found
}

// findOnce notes a finding that a message has once, whatever it is of.
func (v *review) findOnce(code Code, message int32) {
	at := v.origin(message)
	for k := len(v.found) - 1; k >= 0 && v.found[k].Message == at; k-- {
		if v.found[k].Code == code {
			return
		}
	}
	v.find(code, message, nil, "", false)
}

// reasoning finds what each dialect's provider wants to have back.
func (v *review) reasoning() {
	switch v.dialect {
	case Anthropic:
		// Some models leave thinking out on purpose. Beside thinking that is
		// there, one that is not was lost.
		if v.hasThought || v.to != nil && v.to.name == ToAnthropic {
			for _, i := range v.blanked {
				v.findOnce(MissingReasoning, i)
			}
		}
	case Gemini, ADK:
		v.signatures()
	case OpenAIResponses:
		v.reasoningItems()
	case OpenAIChat:
		v.reasoningContent()
	}
}

// signatures finds the contents of Gemini whose first call is not signed. Only
// those count that the user has not spoken behind; and without a target only
// while the last of them waits to be sent, since older models sign nothing.
func (v *review) signatures() {
	target := v.to != nil && v.to.name == ToGemini
	if !target && !v.isOpen() || v.dialect == ADK && !target && !v.mentions("ignature") {
		return
	}
	for i := v.lastWord() + 1; int(i) < len(v.t.messages); i++ {
		m := &v.t.messages[i]
		if m.aside || m.calls.len() == 0 || m.role != roleAssistant {
			continue
		}
		c := m.calls.lo
		if v.rd.isNothing(v.member(v.rd.calls[c].node, "thoughtsignature")) {
			v.find(MissingSignature, i, v.callID(c), string(v.t.calls[c].name), false)
		}
	}
}

// isOpen reports whether the history ends with calls or results, so that it is
// to be sent as it is before the user speaks again.
func (v *review) isOpen() bool {
	for i := len(v.t.messages) - 1; i >= 0; i-- {
		if m := &v.t.messages[i]; !m.aside && !v.gone[int32(i)] {
			return m.calls.len() > 0 || m.results.len() > 0 && (!m.content || m.role == roleTool)
		}
	}
	return false
}

// lastWord returns the last message in which the user speaks.
func (v *review) lastWord() int32 {
	for i := len(v.t.messages) - 1; i >= 0; i-- {
		if m := &v.t.messages[i]; !m.aside && !v.gone[int32(i)] && m.role == roleUser && (m.content || m.results.len() == 0) {
			return int32(i)
		}
	}
	return none
}

// mentions reports whether some message has a text in it.
func (v *review) mentions(what string) bool {
	for i := range v.rd.sources {
		if bytes.Contains(v.rd.doc.Raw(v.rd.sources[i].node), []byte(what)) {
			return true
		}
	}
	return false
}

// reasoningContent finds the turns of Chat Completions that call without
// reasoning_content. Without a target only those count that are to be sent
// before the user speaks again, in a history that has some.
func (v *review) reasoningContent() {
	target := v.to != nil && v.to.name == ToDeepSeek
	from := int32(0)
	if !target {
		if !v.isOpen() || !v.mentions("easoning") {
			return
		}
		from = v.lastWord() + 1
	}
	some := target
	var without []int32
	for i := range v.t.messages {
		m := &v.t.messages[i]
		if m.aside || m.role != roleAssistant {
			continue
		}
		switch r := v.member(v.rd.sources[i].node, "reasoningcontent"); {
		case v.rd.doc.Kind(r) == jsonedit.String:
			some = some || !v.rd.isNothing(r)
		case m.calls.len() > 0 && int32(i) >= from:
			without = append(without, int32(i))
		}
	}
	for _, i := range without {
		if some {
			v.find(MissingReasoning, i, nil, "", false)
		}
	}
}

// reasoningItems finds the reasoning of the Responses API that nothing of the
// assistant follows, and that which only the server's memory has, if the rest
// of the history, or the target, does not rely on that.
func (v *review) reasoningItems() {
	sealed := v.to != nil && v.to.name == ToOpenAIResponses
	last := none
	var named []int32
	for i := range v.t.messages {
		m, s := &v.t.messages[i], &v.rd.sources[i]
		if m.aside {
			continue
		}
		if last != none && m.role == roleUser {
			v.find(MissingReasoning, last, nil, "", false)
		}
		last = none
		if !v.rd.is(s.members[mType], "reasoning") || s.family != itemFamily {
			continue
		}
		last = int32(i)
		if v.rd.isNothing(v.member(s.node, "encryptedcontent")) {
			named = append(named, int32(i))
		} else {
			sealed = true
		}
	}
	if last != none {
		v.find(MissingReasoning, last, nil, "", false)
	}
	for _, i := range named {
		if sealed {
			v.findOnce(MissingReasoning, i)
		}
	}
}
