// Package repair judges and repairs the history of one LLM conversation: for
// every tool call there is exactly one result, where the provider looks for
// it, and every result answers a call.
//
//	res, err := repair.History(stored, repair.Options{})
//
// It is pure: a text in, findings and a new text out, with no I/O, no clock
// and no randomness, and the input is never written to. An app can call
// [Check] before it sends a history, [History] when the user presses stop and
// when it stores one, and [Cut] to shorten one.
//
// # Layers
//
// Three layers do not know one another. A dialect (a file each:
// openai_chat.go, anthropic.go, pi.go) reads a history into a thread of calls,
// results and other messages. The planner (lane.go, claim.go, planner.go,
// place.go, layout.go) decides over the thread and knows no JSON. The writer
// (write.go, blocks.go, build.go) carries the decisions out through package
// jsonedit, which keeps every byte outside the changes.
//
// When calls and results pair, the history is looked at once more (review.go,
// the files lint_* and target_*): for what a certain provider refuses, if
// [Options].Target names one, and for lint, which is changed only where
// [Options].Fix names it.
//
// # Promises
//
//   - Repairing a repaired history changes nothing.
//   - Nothing changes without a finding, and no finding is called fixed
//     without a change.
//   - Results in are results out and results removed; real results are never
//     given up for made-up ones, and a call is never made up.
//   - Messages that are no results keep their order. An assistant message that
//     is not itself at fault stays byte for byte, its signed thinking with it.
//   - The work is linear in messages, calls and results.
package repair
