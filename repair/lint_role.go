package repair

import "boltmend/internal/jsonedit"

// Orders of roles that are refused. Whether an app brings the roles of another
// dialect into order when it sends them cannot be known, so they are judged
// only in the dialect that a provider speaks. Nothing is joined, cut off or put
// in between on disk: all this is only reported.
//
// Source: Bedrock, "must alternate" and "Conversation blocks and tool result
// blocks cannot be provided in the same turn" (langchain-aws issue 141);
// Gemini, "function call turn comes immediately after a user turn or after a
// function response turn" (openfang issue 1011); Mistral, "Unexpected role
// 'user' after role 'tool'" (mistral-vibe issue 1114); templates of llama.cpp,
// "Conversation roles must alternate", "System message must be at the
// beginning"; MiniMax, error 2013 (opencode issue 32609); read 2026-11-30.

// roleLaws are the rules that may hold for a history.
type roleLaws struct {
	alternate  bool // two of one role may not stand side by side, nor an assistant first
	calls      bool // a call comes behind the user or results
	mixed      bool // no text in a message of results
	afterTool  bool // no user behind a result
	template   bool // as templates of local servers want it
	afterFirst bool // nothing of the system but at the beginning
}

// roleLaws returns the rules of the target if the history is in its dialect,
// else those of the provider whose dialect it is. Of Mistral are also
// histories all of whose ids are as only Mistral makes them. That no text may
// stand beside results is a rule of some models of Bedrock, not of all.
func (v *review) roleLaws() (r roleLaws) {
	to := Provider("")
	if v.to != nil && v.to.speaks == v.spoken {
		to = v.to.name
	}
	switch v.spoken {
	case BedrockConverse:
		r.alternate, r.mixed = true, to == ToBedrock
	case Gemini:
		r.calls = true
	case Anthropic:
		r.mixed = to == ToMiniMax
	case OpenAIChat:
		r.afterTool = to == ToMistral || v.to == nil && v.areMistrals()
		r.template, r.afterFirst = to == ToLlamaCpp, to == ToLlamaCpp
	}
	return r
}

// speaks returns the dialect of the history. Without calls none can be told;
// but a plain chat is the same for all who take that of OpenAI.
func (v *review) speaks() Dialect {
	if v.dialect != "" || v.to == nil || v.to.speaks != OpenAIChat {
		return v.dialect
	}
	for i := range v.rd.sources {
		s := &v.rd.sources[i]
		if !v.t.messages[i].aside && (s.family != roleFamily || s.members[mRole] == jsonedit.None || s.members[mContent] == jsonedit.None) {
			return ""
		}
	}
	return OpenAIChat
}

// mistralID is what only Mistral's ids are.
var mistralID = idRule{chars: isLetterOrDigit, max: 9, exact: true}

// areMistrals reports whether all call ids are nine letters and digits.
func (v *review) areMistrals() bool {
	for i := range v.t.calls {
		if !mistralID.takes(v.t.calls[i].id) {
			return false
		}
	}
	return len(v.t.calls) > 0
}

// roles finds roles out of order, and roles that the target does not know.
func (v *review) roles() {
	laws := v.roleLaws()
	known := v.to != nil && v.to.speaks == v.spoken && len(v.to.roles) > 0
	if laws == (roleLaws{}) && !known {
		return
	}
	for i := range v.t.messages {
		m := &v.t.messages[i]
		if m.aside || v.gone[int32(i)] {
			continue
		}
		if known && v.isUnknownRole(&v.rd.sources[i]) {
			v.refuse(TargetRole, int32(i))
			continue
		}
		for len(v.lastRole) <= int(m.branch) {
			v.lastRole = append(v.lastRole, roleOther)
		}
		before := &v.lastRole[m.branch]
		if code := laws.breaks(*before, m, i, known); code != "" {
			v.refuse(code, int32(i))
		}
		if m.role != roleOther {
			*before = m.role
		}
	}
}

// refuse notes a finding about a role.
func (v *review) refuse(code Code, message int32) {
	if code == TargetRole {
		v.because("roles are reported and never written")
	}
	v.find(code, message, nil, "", false)
}

// isUnknownRole reports whether the target has no such role.
func (v *review) isUnknownRole(s *source) bool {
	if s.family != roleFamily {
		return false
	}
	for _, role := range v.to.roles {
		if v.rd.doc.Is(s.members[mRole], role) {
			return false
		}
	}
	return true
}

// breaks says by which code a message may not stand behind one of a role.
// What a target refuses from everybody is a fault there; what depends on the
// model or its template is lint.
func (r roleLaws) breaks(before role, m *message, at int, target bool) Code {
	order := RoleOrder
	if target {
		order = TargetRole
	}
	switch {
	case r.alternate && m.role != roleOther && (before == m.role || before == roleOther && m.role == roleAssistant),
		r.calls && m.role == roleAssistant && m.calls.len() > 0 && before != roleUser:
		return order
	case r.mixed && m.results.len() > 0 && m.content,
		r.afterTool && m.role == roleUser && before == roleTool,
		r.template && m.role == roleUser && before == roleUser,
		r.template && m.role == roleAssistant && (before == roleOther || before == roleAssistant),
		r.afterFirst && m.role == roleOther && at > 0 && before != roleOther:
		return RoleOrder
	}
	return ""
}
