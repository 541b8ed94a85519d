package repair

import (
	"fmt"
	"slices"
	"strings"
)

// A Code names one kind of fault. Codes are stable: they appear in reports,
// in scripts and in docs/findings.md.
type Code string

// The pairing codes: a call and its result do not pair, or not where the
// provider looks for them.
const (
	MissingResult      Code = "missing-result"
	InterleavedMessage Code = "interleaved-message"
	DisplacedResult    Code = "displaced-result"
	EarlyResult        Code = "early-result"
	SplitResults       Code = "split-results"
	ResultNotFirst     Code = "result-not-first"
	OutOfOrderResult   Code = "out-of-order-result"
	DuplicateResult    Code = "duplicate-result"
	OrphanResult       Code = "orphan-result"
	AbortedResult      Code = "aborted-result"
	AmbiguousResult    Code = "ambiguous-result"
	EmptyCallID        Code = "empty-call-id"
	EmptyResultID      Code = "empty-result-id"
	DuplicateCallID    Code = "duplicate-call-id"
	WrongRoleCall      Code = "wrong-role-call"
	ServerOrphan       Code = "server-orphan"
	BlankToolName      Code = "blank-tool-name"
	EmptyCalls         Code = "empty-calls"
)

// The arguments codes: a stored call that some providers parse again on each
// request and cannot.
const (
	BadArguments Code = "bad-arguments"
)

// The target codes: what the provider of Options.Target would refuse and
// others take. They are found only if there is a target.
const (
	IDCharset   Code = "id-charset"
	IDLength    Code = "id-length"
	IDNotUnique Code = "id-not-unique"
	TargetRole  Code = "target-role"
)

// The lint codes: what some provider refuses, but no rule of pairing. They are
// reported, and changed only where Options.Fix names them. BrokenJSON is about
// a stored value and never found by this package.
const (
	EmptyContent         Code = "empty-content"
	EmptyMessage         Code = "empty-message"
	ToolName             Code = "tool-name"
	MissingReasoning     Code = "missing-reasoning"
	MissingSignature     Code = "missing-signature"
	RoleOrder            Code = "role-order"
	ServerToolUnanswered Code = "server-tool-unanswered"
	LoneSurrogate        Code = "lone-surrogate"
	BrokenJSON           Code = "broken-json"
)

// A Group says how a code is treated: pairing and arguments are repaired by
// default, target where there is a target, lint where it is asked for.
type Group string

// The groups of findings.
const (
	Pairing   Group = "pairing"
	Arguments Group = "arguments"
	Target    Group = "target"
	Lint      Group = "lint"
)

// codes lists every code in the order in which findings are explained.
var codes = []struct {
	Code  Code
	Group Group
}{
	{MissingResult, Pairing},
	{InterleavedMessage, Pairing},
	{DisplacedResult, Pairing},
	{EarlyResult, Pairing},
	{SplitResults, Pairing},
	{ResultNotFirst, Pairing},
	{OutOfOrderResult, Pairing},
	{DuplicateResult, Pairing},
	{OrphanResult, Pairing},
	{AbortedResult, Pairing},
	{AmbiguousResult, Pairing},
	{EmptyCallID, Pairing},
	{EmptyResultID, Pairing},
	{DuplicateCallID, Pairing},
	{WrongRoleCall, Pairing},
	{ServerOrphan, Pairing},
	{BlankToolName, Pairing},
	{EmptyCalls, Pairing},
	{BadArguments, Arguments},
	{IDCharset, Target},
	{IDLength, Target},
	{IDNotUnique, Target},
	{TargetRole, Target},
	{EmptyContent, Lint},
	{EmptyMessage, Lint},
	{ToolName, Lint},
	{MissingReasoning, Lint},
	{MissingSignature, Lint},
	{RoleOrder, Lint},
	{ServerToolUnanswered, Lint},
	{LoneSurrogate, Lint},
	{BrokenJSON, Lint},
}

// fixable are the lint codes that Options.Fix may name: the others cannot be
// put right without making something up.
var fixable = []Code{EmptyContent, EmptyMessage, ToolName, LoneSurrogate}

// Fixable returns the codes that Options.Fix may name.
func Fixable() []Code { return slices.Clone(fixable) }

// Codes returns every code, in the order in which they are explained.
func Codes() []Code {
	all := make([]Code, len(codes))
	for i, c := range codes {
		all[i] = c.Code
	}
	return all
}

// Group returns the group of c, "" for an unknown code.
func (c Code) Group() Group {
	for _, known := range codes {
		if known.Code == c {
			return known.Group
		}
	}
	return ""
}

// A Finding is one thing wrong with a history.
type Finding struct {
	Code Code
	// Message is the index, from 0, of the message at fault in the history
	// as it was read: the message of the call for a call's finding, that of
	// the result for a result's.
	Message int
	// IDs are the call ids concerned as the history spells them. It is one
	// id (empty if the history has none), but for findings that Check has
	// put together.
	IDs []string
	// Name is the tool's name, where it is known.
	Name string
	// Fixed says that the repair takes care of it. A finding that is not
	// fixed is only reported.
	Fixed bool
}

// Group returns the group of the finding's code.
func (f Finding) Group() Group { return f.Code.Group() }

// String says the finding in words: `message 7: 2 calls without a result:
// call_a, call_b`. The ids stand in it as stored.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "message %d: %s", f.Message, f.Code.Phrase(len(f.IDs)))
	ids := f.IDs
	if len(ids) == 1 && ids[0] == "" {
		ids = nil
	}
	if len(ids) > 0 {
		b.WriteString(": " + strings.Join(ids, ", "))
	}
	return b.String()
}
