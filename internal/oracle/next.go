package oracle

import "fmt"

// A reply is a result with the object that it is written as.
type reply struct {
	result
	object object
}

// next is the rule of the formats that hold all results of a turn in the very
// next message: one for each call, and none where no turn is before it.
type next struct {
	// calls and answers return what a message holds, and what is wrong with
	// holding it there.
	calls   func(message) ([]call, error)
	answers func(message) ([]reply, error)
	// only reports whether a message holds results and nothing else.
	only func(message) bool
	// pair returns for each answer the call that it answers, -1 for none.
	pair func([]call, []reply) []int
	// accept judges an answer beyond its place, given its call.
	accept func(reply, call) error
	// unique is set where an id may be used but once in a request.
	unique bool
	// The provider's words for calls without a result, for a result without a
	// call and for an id that comes twice.
	unanswered, unexpected, twice string
}

func (n next) judge(ms []message) error {
	var turn message
	var open []call
	seen := map[string]bool{}
	for i, m := range ms {
		answers, err := n.answers(m)
		if err != nil {
			return err
		}
		last := i == len(ms)-1 && n.only(m)
		if err := n.exchange(turn, open, answers, last, seen); err != nil {
			return err
		}
		if open, err = n.calls(m); err != nil {
			return err
		}
		turn = m
	}
	return n.exchange(turn, open, nil, true, seen)
}

// exchange wants exactly one answer for each open call of the message before.
// At the end of the history a pending call may stay open.
func (n next) exchange(turn message, open []call, answers []reply, last bool, seen map[string]bool) error {
	if !n.unique {
		seen = map[string]bool{}
	}
	answered := make([]bool, len(open))
	for i, k := range n.pair(open, answers) {
		if k < 0 {
			return fmt.Errorf("messages.%d: %s: %q", answers[i].index, n.unexpected, answers[i].id)
		}
		answered[k] = true
		if err := n.accept(answers[i], open[k]); err != nil {
			return fmt.Errorf("messages.%d: %w", answers[i].index, err)
		}
	}
	waits := pending(turn, open, answered, last)
	if err := faults(turn, open, waits, seen, n.twice); err != nil {
		return err
	}
	return missing(turn, open, answered, waits, n.unanswered)
}

// byID pairs answers with calls of their id, each call once.
func byID(calls []call, answers []reply) []int {
	answered := make([]bool, len(calls))
	of := make([]int, len(answers))
	for i, a := range answers {
		if of[i] = pick(calls, answered, a.result); of[i] >= 0 {
			answered[of[i]] = true
		}
	}
	return of
}
