package repair

import (
	"strings"

	"boltmend/internal/jsonedit"
)

// A source is one element of the history in the document.
type source struct {
	node   jsonedit.Ref
	family family
	role   roleName
	traits traits
	// body is the object that holds the members: the element itself, the
	// content of an event, or the kwargs of a serialized message.
	body jsonedit.Ref
	members
}

// A family is how an element says that it is a message.
type family uint8

const (
	roleFamily  family = 1 << iota // by a role
	itemFamily                     // by a type, as the items of OpenAI's Responses API
	eventFamily                    // by content that has a role and parts, as the events of ADK
	typeFamily                     // by a type that is a speaker, as the messages of LangChain
)

// traits say what an element has that some dialect gives a meaning to. Most
// messages have none, and no dialect is asked about them.
type traits uint8

const (
	hasCalls       traits = 1 << iota // a list of calls, or a call
	hasBlocks                         // content that is a list
	hasParts                          // a list of parts
	hasResults                        // a list of results
	hasInvocations                    // a list of calls with their results
	isTool                            // the role of a result
	isItem                            // an item by its type
)

// lists are the members that are a trait if they are a list.
var lists = [...]struct {
	member
	traits
}{
	{mToolCalls, hasCalls}, {mContent, hasBlocks}, {mParts, hasParts},
	{mToolResults, hasResults}, {mToolInvocations, hasInvocations},
}

// look finds the traits of a message.
func (s *source) look(d *jsonedit.Doc) {
	m := &s.members
	for _, t := range lists {
		if m[t.member] != jsonedit.None && d.Kind(m[t.member]) == jsonedit.Array {
			s.traits |= t.traits
		}
	}
	if d.Kind(m[mFunctionCall]) == jsonedit.Object {
		s.traits |= hasCalls
	}
	switch s.role {
	case toolRole, functionRole, toolResultRole:
		s.traits |= isTool
	}
	if s.family == itemFamily {
		s.traits |= isItem
	}
}

// A roleName is the role of a message as it is spelled.
type roleName uint8

const (
	otherRole roleName = iota
	assistantRole
	userRole
	toolRole
	functionRole
	toolResultRole
	systemRole
	modelRole
)

func roleOf(name []byte) roleName {
	if r := exactRole(string(name)); r != otherRole {
		return r
	}
	for r, s := range map[roleName]string{assistantRole: "assistant", userRole: "user", toolRole: "tool", systemRole: "system", modelRole: "model"} {
		if strings.EqualFold(s, string(name)) {
			return r
		}
	}
	return otherRole
}

func exactRole(name string) roleName {
	switch name {
	case "assistant":
		return assistantRole
	case "user":
		return userRole
	case "tool":
		return toolRole
	case "function":
		return functionRole
	case "toolResult":
		return toolResultRole
	case "system", "developer":
		return systemRole
	case "model":
		return modelRole
	}
	return otherRole
}

// speakerOf is the role that a type of LangChain stands for.
func speakerOf(name []byte) (roleName, bool) {
	switch string(name) {
	case "ai", "AIMessageChunk", "AIMessage":
		return assistantRole, true
	case "human", "HumanMessage", "HumanMessageChunk":
		return userRole, true
	case "tool", "ToolMessage":
		return toolRole, true
	case "system", "SystemMessage":
		return systemRole, true
	}
	return otherRole, false
}

// identify reads an element and says what kind of message it is, if it is
// one. What is none is none of ours and stays where it is.
func (s *source) identify(d *jsonedit.Doc, e jsonedit.Ref) {
	s.node, s.body = e, e
	s.collect(d, e)
	if s.classify(d); s.family != 0 {
		s.look(d)
	}
}

// classify finds the family and the role of an element.
func (s *source) classify(d *jsonedit.Doc) {
	if name := text(d, s.members[mRole]); name != nil {
		s.family, s.role = roleFamily, roleOf(name)
		return
	}
	if t := text(d, s.members[mType]); t != nil {
		if speaker, ok := speakerOf(t); ok {
			s.family, s.role = typeFamily, speaker
			return
		}
		if _, ok := itemKinds[string(t)]; ok {
			s.family = itemFamily
			return
		}
	}
	switch {
	case d.Kind(s.members[mKwargs]) == jsonedit.Object:
		s.serialized(d)
	case d.Kind(s.members[mContent]) == jsonedit.Object:
		s.event(d)
	}
}

// serialized reads the {"lc", "type", "id", "kwargs"} form of LangChain.
func (s *source) serialized(d *jsonedit.Doc) {
	last := jsonedit.None
	for name := range d.Elems(s.members[mID]) {
		last = name
	}
	speaker, ok := speakerOf(text(d, last))
	if !ok {
		return
	}
	body, outer := s.members[mKwargs], s.members
	s.collect(d, body)
	for _, m := range [...]member{mBranch, mLaneID, mIsSidechain, mLocalOnly, mParentID, mUUID} {
		if s.members[m] == jsonedit.None {
			s.members[m] = outer[m]
		}
	}
	s.body, s.family, s.role = body, typeFamily, speaker
}

// event reads an event whose content has a role, and parts if it says
// anything.
func (s *source) event(d *jsonedit.Doc) {
	var inner members
	inner.collect(d, s.members[mContent])
	name := text(d, inner[mRole])
	if name == nil {
		return
	}
	s.body, s.family, s.role = s.members[mContent], eventFamily, roleOf(name)
	s.members[mRole], s.members[mParts] = inner[mRole], inner[mParts]
}

// isMessage reports whether an element is a message.
func (s *source) isMessage() bool { return s.family != 0 }

// says reports whether a message has anything to say.
func (s *source) says() bool {
	for _, m := range [...]member{mContent, mParts, mText, mToolCalls, mFunctionCall, mToolCallID} {
		if s.members[m] != jsonedit.None {
			return true
		}
	}
	return false
}

// LooksLikeHistory reports whether an array may hold messages: some element
// says in one of the known ways that it is one. It is quick, and says yes
// rather too often.
func LooksLikeHistory(d *jsonedit.Doc, arr jsonedit.Ref) bool {
	for e, end := arr+1, d.End(arr); e < end; e = d.End(e) {
		if LooksLikeMessage(d, e) {
			return true
		}
	}
	return false
}

// LooksLikeMessage is [LooksLikeHistory] of one element.
func LooksLikeMessage(d *jsonedit.Doc, e jsonedit.Ref) bool {
	if d.Kind(e) != jsonedit.Object {
		return false
	}
	for key, stop := e+1, d.End(e); key < stop; key = d.End(key + 1) {
		switch nameOf(d, key) {
		case mRole, mKwargs:
			return true
		case mType:
			t := text(d, key+1)
			_, item := itemKinds[string(t)]
			if _, speaks := speakerOf(t); speaks || item {
				return true
			}
		case mContent:
			if d.Kind(key+1) == jsonedit.Object {
				return true
			}
		}
	}
	return false
}
