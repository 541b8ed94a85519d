package oracle

import (
	"fmt"
	"strings"
)

// adjacent is the rule that the OpenAI Chat API and those after it share: the
// results of a turn stand directly behind it, one for each of its calls, in
// any order, and ids are distinct within a turn.
type adjacent struct {
	// calls returns the calls of a message, and what is wrong with having them.
	calls func(message) ([]call, error)
	// result returns the result that a message is.
	result func(message) (result, bool)
	// accept judges a result beyond its place, given its call.
	accept func(message, call) error
	// The provider's words for a call without a result (its id follows), for a
	// result without a call and for an id that comes twice.
	unanswered, unexpected, twice string
}

func (a adjacent) judge(ms []message) error {
	for i := 0; i < len(ms); {
		if _, ok := a.result(ms[i]); ok {
			return fmt.Errorf("messages.%d: %s", ms[i].index, a.unexpected)
		}
		calls, err := a.calls(ms[i])
		if err != nil {
			return err
		}
		if i, err = a.exchange(ms, i, calls); err != nil {
			return err
		}
	}
	return nil
}

// exchange judges the turn ms[i] and the results behind it, and returns the
// index behind them.
func (a adjacent) exchange(ms []message, i int, calls []call) (int, error) {
	turn := ms[i]
	answered := make([]bool, len(calls))
	for i++; i < len(ms); i++ {
		r, ok := a.result(ms[i])
		if !ok {
			break
		}
		k := pick(calls, answered, r)
		if k < 0 {
			return i, fmt.Errorf("messages.%d: %s", r.index, a.unexpected)
		}
		answered[k] = true
		if err := a.accept(ms[i], calls[k]); err != nil {
			return i, err
		}
	}
	open := pending(turn, calls, answered, i == len(ms))
	if err := faults(turn, calls, open, map[string]bool{}, a.twice); err != nil {
		return i, err
	}
	return i, missing(turn, calls, answered, open, a.unanswered)
}

// pick returns the call that r answers and that has no result yet, -1 if
// there is none.
func pick(calls []call, answered []bool, r result) int {
	for k, c := range calls {
		if !answered[k] && r.answers(c) {
			return k
		}
	}
	return -1
}

// pending says which calls may stay open for now: those of the last turn that
// are pending, or whose message is.
func pending(turn message, calls []call, answered []bool, last bool) []bool {
	open := make([]bool, len(calls))
	for k, c := range calls {
		open[k] = last && !answered[k] && (c.pending || turn.pending())
	}
	return open
}

// faults tells what is wrong with the calls themselves. Ids in seen are taken.
// A call that stays open is still the app's, which may give it an id yet and
// will run it with the arguments that it has.
func faults(turn message, calls []call, open []bool, seen map[string]bool, twice string) error {
	for k, c := range calls {
		if c.fault != nil && !open[k] {
			return fmt.Errorf("messages.%d: call %d: %w", turn.index, k, c.fault)
		}
		if c.id != "" && seen[c.id] {
			return fmt.Errorf("messages.%d: call %d: %s: %s", turn.index, k, twice, c.id)
		}
		seen[c.id] = true
	}
	return nil
}

func missing(turn message, calls []call, answered, open []bool, unanswered string) error {
	var labels []string
	for k, c := range calls {
		if !answered[k] && !open[k] {
			labels = append(labels, c.label())
		}
	}
	if labels == nil {
		return nil
	}
	return fmt.Errorf("messages.%d: %s: %s", turn.index, unanswered, strings.Join(labels, ", "))
}
