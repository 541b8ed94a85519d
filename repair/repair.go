package repair

import "errors"

// A Dialect is how a provider spells messages, calls and results.
type Dialect string

// The errors of this package. Faults of a history are not errors but
// findings.
var (
	// ErrNotHistory is returned for a text that is valid JSON but no array
	// of messages.
	ErrNotHistory = errors.New("not an array of messages")
	// ErrUnknownDialect is returned when Options names a dialect that does
	// not exist.
	ErrUnknownDialect = errors.New("unknown dialect")
	// ErrUnknownProvider is returned when Options.Target is no provider that
	// is known.
	ErrUnknownProvider = errors.New("unknown provider")
	// ErrNoFix is returned when Options.Fix names a code that cannot be fixed:
	// it is not of lint, or only reported.
	ErrNoFix = errors.New("no fix for this finding")
	// ErrPoisoned is returned by Cut for a history that has a pairing or
	// arguments finding: repair it first.
	ErrPoisoned = errors.New("history is poisoned")
)

// OnMissing says what becomes of a call that has no result.
type OnMissing string

const (
	// Answer makes up a result that holds the marker. It is the default.
	Answer OnMissing = "answer"
	// DropTurn removes the assistant message and all results of its
	// exchange.
	DropTurn OnMissing = "drop-turn"
)

// The markers: the text of a made-up result.
const (
	DefaultMarker = "[interrompu]"
	EnglishMarker = "[interrupted]"
)

// Options steer a repair. The zero value is the default repair.
type Options struct {
	// Dialect is the history's dialect; "" detects it by votes.
	Dialect Dialect
	// OnMissing is what becomes of a call without a result; "" is Answer.
	OnMissing OnMissing
	// KeepTail leaves the last exchange alone if only results stand behind
	// its assistant message: its calls may still be running.
	KeepTail bool
	// KeepOrder leaves results that are complete and adjacent in the order
	// in which they stand.
	KeepOrder bool
	// Marker is the text of a made-up result; "" is DefaultMarker, "en" is
	// EnglishMarker.
	Marker string
	// Placeholders are more texts, beside the built-in ones, that stand for
	// a result that never came. They are compared whole.
	Placeholders []string
	// Target is the provider that the history is to be sent to, "" for none:
	// what it would refuse is found, and call ids that it would refuse are
	// changed.
	Target Provider
	// Fix are lint codes whose findings are changed and not only reported.
	Fix []Code
}

// A Result is what a repair found and made of a history.
type Result struct {
	// Dialect is the dialect that the history was read as; "" for a history
	// with nothing to pair.
	Dialect Dialect
	// JSON is the repaired history. Every byte outside the changes is that
	// of the input, and no memory is shared with it.
	JSON []byte
	// Order is where the elements of JSON come from: for each its index in the
	// input, -1 for one that is new. It is nil if none came, went or moved.
	Order []int
	// Findings are the faults, in the order of their messages.
	Findings []Finding
	// Removed are the texts that the repair took out, in the order in which
	// they stood.
	Removed []Removed
	// Unread says that the history holds calls that were not understood: that
	// nothing was found proves nothing then.
	Unread bool
	// Made counts the results that the repair made up.
	Made int
	// Reason says why some findings are only reported, "" if none is.
	Reason string
	// Messages, Calls and Results count what the history holds as read.
	Messages, Calls, Results int

	changed bool
}

// Changed reports whether JSON differs from the input.
func (r Result) Changed() bool { return r.changed }

// Removed is a text that a repair took out of a history, so that it can be
// put back.
type Removed struct {
	// Kind is "result", "call", "arguments", "message", "members", "id",
	// "name" or "content".
	Kind string
	// Code is the finding that called for the removal.
	Code Code
	// Message is the index of the message in the history as read.
	Message int
	// ID is the call id concerned.
	ID string
	// Text is the JSON text as it stood.
	Text []byte
}
