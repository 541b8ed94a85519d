package repair

import (
	"fmt"
	"slices"
)

// The planner claims results in one pass over each id. ruleBook does the same
// as the rule is written: step by step, with a look at everything each time.
type ruleBook struct {
	t     *thread
	group []int           // of each message: its exchange, or the last one before it
	near  []bool          // of each message: only results stand between that exchange and it
	got   map[int][]int   // by call: results
	owner map[int]int     // by result
	drop  map[int]Code    // by result
	turns map[int][]int32 // by exchange: its calls
}

func (b *ruleBook) give(r, c int) {
	b.owner[r] = c
	b.got[c] = append(b.got[c], r)
}

// best is the rank of the result that a call has.
func (b *ruleBook) best(c int) (best rank) {
	for _, r := range b.got[c] {
		best = max(best, b.t.results[r].rank)
	}
	return best
}

// exchanges splits the thread. Where a turn is a run of items, what else the
// assistant says in it does not end it.
func (b *ruleBook) exchanges() {
	g, turn, near := -1, false, false
	for i := range b.t.messages {
		m := &b.t.messages[i]
		calls := m.calls.len() > 0
		switch {
		case calls && !turn:
			g++
			turn, near = true, true
		case calls:
		case m.results.len() > 0:
			turn = false
		case !(b.t.rules.set && turn && m.role == roleAssistant):
			turn, near = false, false
		}
		b.group, b.near = append(b.group, g), append(b.near, near)
		for c := m.calls.lo; c < m.calls.hi; c++ {
			b.turns[g] = append(b.turns[g], c)
		}
	}
}

// callsOf are the calls of an id, or those of one exchange.
func (b *ruleBook) callsOf(id string, g int) (calls []int) {
	for c := range b.t.calls {
		if string(b.t.calls[c].id) == id && (g == anyGroup || b.group[b.t.calls[c].message] == g) {
			calls = append(calls, c)
		}
	}
	return calls
}

const anyGroup = -2

// left are the results of an id that nobody has claimed, or those of one exchange.
func (b *ruleBook) left(id string, g int) (results []int) {
	for r := range b.t.results {
		_, owned := b.owner[r]
		if !owned && b.drop[r] == "" && string(b.t.results[r].id) == id && (g == anyGroup || b.group[b.t.results[r].message] == g) {
			results = append(results, r)
		}
	}
	return results
}

// inOrder gives results to the last so many calls.
func (b *ruleBook) inOrder(results, calls []int) {
	calls = calls[max(0, len(calls)-len(results)):]
	for i, c := range calls {
		b.give(results[i], c)
	}
}

func (b *ruleBook) atHome(id string, g int) {
	calls, results := b.callsOf(id, g), b.left(id, g)
	if len(calls) == 0 {
		return
	}
	b.inOrder(results, calls)
	for _, r := range results[min(len(results), len(calls)):] {
		if b.near[b.t.results[r].message] {
			b.give(r, calls[len(calls)-1])
		}
	}
}

func (b *ruleBook) withoutID(g int) {
	results := b.left("", g)
	empty := b.callsOf("", g)
	var open []int
	for _, c := range b.turns[g] {
		if b.got[int(c)] == nil {
			open = append(open, int(c))
		}
	}
	switch len(results) {
	case len(empty):
		b.inOrder(results, empty)
	case len(open):
		b.inOrder(results, open)
	default:
		for _, r := range results {
			name := string(b.t.results[r].name)
			same := func(c int) bool { return string(b.t.calls[c].name) == name }
			again := func(o int) bool { return o != r && string(b.t.results[o].name) == name }
			if i := slices.IndexFunc(open, same); name != "" && i >= 0 && !slices.ContainsFunc(open[i+1:], same) && !slices.ContainsFunc(results, again) {
				b.give(r, open[i])
			}
		}
	}
}

// goBack is steps (b) and (c) for all results of an id. Those with the same
// calls before them are claimed together, real ones first.
func (b *ruleBook) goBack(id string) {
	calls := b.callsOf(id, anyGroup)
	runs := map[int][]int{}
	for _, r := range b.left(id, anyGroup) {
		n := 0
		for n < len(calls) && b.t.calls[calls[n]].message < b.t.results[r].message {
			n++
		}
		runs[n] = append(runs[n], r)
	}
	for n := 1; n <= len(calls); n++ {
		before, run := calls[:n], runs[n]
		open, free := b.open(before)
		if len(free) == len(open) && len(run) == len(open) {
			b.inOrder(run, open)
			continue
		}
		isStandIn := func(r int) bool { return b.t.results[r].rank.standIn() }
		b.claimRun(slices.DeleteFunc(slices.Clone(run), isStandIn), before, false)
		b.claimRun(slices.DeleteFunc(slices.Clone(run), func(r int) bool { return !isStandIn(r) }), before, true)
	}
}

// open are the calls without a result, and with them those that only a
// stand-in answers.
func (b *ruleBook) open(calls []int) (open, free []int) {
	for _, c := range calls {
		if b.got[c] == nil {
			open = append(open, c)
		}
		if b.got[c] == nil || b.best(c).standIn() {
			free = append(free, c)
		}
	}
	return open, free
}

func (b *ruleBook) claimRun(run, before []int, standIns bool) {
	open, owners := b.open(before)
	if standIns {
		owners = open
	}
	nearest := before[len(before)-1]
	groups := map[int]bool{}
	for _, c := range owners {
		groups[b.group[b.t.calls[c].message]] = true
	}
	switch {
	case len(groups) <= 1 || len(owners) == len(run):
		k := min(len(run), len(owners))
		b.inOrder(run[:k], owners)
		for _, r := range run[k:] {
			b.give(r, nearest)
		}
	default:
		for _, r := range run {
			b.drop[r] = AmbiguousResult
		}
	}
}

func (b *ruleBook) early(id string) {
	calls := b.callsOf(id, anyGroup)
	open, _ := b.open(calls)
	if len(open) != 1 {
		return
	}
	for _, r := range b.left(id, anyGroup) {
		from, to := b.t.results[r].message, b.t.calls[open[0]].message
		users := 0
		for m := from; m < to; m++ {
			if b.t.messages[m].role == roleUser {
				users++
			}
		}
		if to > from && users == 0 {
			b.give(r, open[0])
		}
	}
}

// decide runs all steps and returns what becomes of each result.
func (b *ruleBook) decide() (all []string) {
	b.exchanges()
	ids := []string{"x", "y"}
	for g := range b.turns {
		for _, id := range ids {
			b.atHome(id, g)
		}
	}
	for g := range b.turns {
		b.withoutID(g)
	}
	for _, id := range ids {
		b.goBack(id)
		b.early(id)
	}
	for r := range b.t.results {
		c, owned := b.owner[r]
		switch {
		case owned && slices.IndexFunc(b.got[c], func(o int) bool {
			return b.t.results[o].rank > b.t.results[r].rank || b.t.results[o].rank == b.t.results[r].rank && o < r
		}) >= 0:
			b.drop[r] = DuplicateResult
		case owned || b.drop[r] != "":
		case len(b.t.results[r].id) == 0:
			b.drop[r] = EmptyResultID
		default:
			b.drop[r] = OrphanResult
		}
		all = append(all, verdictOf(c, owned, b.drop[r]))
	}
	return all
}

func verdictOf(call int, owned bool, drop Code) string {
	if !owned {
		return string(drop)
	}
	return fmt.Sprint("call ", call, " ", drop)
}
