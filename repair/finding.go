package repair

import (
	"fmt"
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

// A Group says how a code is treated: pairing and arguments are repaired by
// default.
type Group string

// The groups of findings.
const (
	Pairing   Group = "pairing"
	Arguments Group = "arguments"
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
}

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

// Phrase says what n findings of one code are, in words: "2 calls without a
// result".
func (c Code) Phrase(n int) string {
	p, ok := phrases[c]
	if !ok {
		return string(c)
	}
	if n == 1 {
		return p.one
	}
	return fmt.Sprintf(p.many, n)
}

var phrases = map[Code]struct{ one, many string }{
	MissingResult:      {"1 call without a result", "%d calls without a result"},
	InterleavedMessage: {"1 result behind another message", "%d results behind other messages"},
	DisplacedResult:    {"1 result away from its call", "%d results away from their calls"},
	EarlyResult:        {"1 result before its call", "%d results before their calls"},
	SplitResults:       {"1 result apart from its siblings", "%d results apart from their siblings"},
	ResultNotFirst:     {"1 result behind other content", "%d results behind other content"},
	OutOfOrderResult:   {"1 result out of call order", "%d results out of call order"},
	DuplicateResult:    {"1 result too many for its call", "%d results too many for their calls"},
	OrphanResult:       {"1 result without a call", "%d results without a call"},
	AbortedResult:      {"1 result of an aborted turn", "%d results of an aborted turn"},
	AmbiguousResult:    {"1 result that several calls could own", "%d results that several calls could own"},
	EmptyCallID:        {"1 call without an id", "%d calls without an id"},
	EmptyResultID:      {"1 result without an id", "%d results without an id"},
	DuplicateCallID:    {"1 call with an id used before", "%d calls with ids used before"},
	WrongRoleCall:      {"1 call in a role that cannot call", "%d calls in a role that cannot call"},
	ServerOrphan:       {"1 server tool result without its call", "%d server tool results without their calls"},
	BlankToolName:      {"1 result with a blank tool name", "%d results with blank tool names"},
	EmptyCalls:         {"an empty list of calls", "%d empty lists of calls"},
	BadArguments:       {"1 call whose arguments cannot be parsed", "%d calls whose arguments cannot be parsed"},
}
