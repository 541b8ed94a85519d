package repair

import "fmt"

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

	IDCharset:   {"1 call with an id of forbidden characters", "%d calls with ids of forbidden characters"},
	IDLength:    {"1 call with an id of a forbidden length", "%d calls with ids of a forbidden length"},
	IDNotUnique: {"1 call with an id of an earlier turn", "%d calls with ids of earlier turns"},
	TargetRole:  {"1 message of a role that is refused there", "%d messages of roles that are refused there"},

	EmptyContent:         {"1 empty text or result", "%d empty texts or results"},
	EmptyMessage:         {"1 message that says nothing", "%d messages that say nothing"},
	ToolName:             {"1 call with a tool name that is refused", "%d calls with tool names that are refused"},
	MissingReasoning:     {"1 turn without the reasoning that belongs to it", "%d turns without the reasoning that belongs to them"},
	MissingSignature:     {"1 turn without the signature of its reasoning", "%d turns without the signatures of their reasoning"},
	RoleOrder:            {"1 message behind one that it may not follow", "%d messages behind ones that they may not follow"},
	ServerToolUnanswered: {"1 server tool call without a result", "%d server tool calls without a result"},
	LoneSurrogate:        {"1 half of a character", "%d halves of characters"},
	BrokenJSON:           {"1 value that is broken JSON", "%d values that are broken JSON"},
}
