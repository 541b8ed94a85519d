package repair

// Claims: which result answers which call. Pairing is by occurrence and not
// by a set of ids, since ids repeat across turns in real stores. Each step
// works on what the steps before it left; real results come first and nothing
// is made up or removed before all claims are done, since every other order
// loses real results.

// claim runs all steps over one lane.
func (p *planner) claim(l *lane) {
	p.tail = l.tail
	p.index(l)
	for k := range p.keyCount() {
		if !p.byName(k) || !p.t.rules.optionalIDs {
			p.atHome(p.callsOf(k), p.resultsOf(k))
		}
	}
	if p.t.rules.optionalIDs {
		p.byNameAtHome(l)
	}
	p.withoutID(l)
	for k := range p.keyCount() {
		rest := p.unclaimed(p.resultsOf(k))
		rest = p.displaced(p.callsOf(k), rest)
		p.early(p.callsOf(k), rest)
	}
	p.orphans(l)
}

// give makes a result one of those that go to a call; the best of them stays,
// and of equals the first.
func (p *planner) give(r, c int32) {
	p.work++
	res, to := &p.t.results[r], &p.t.calls[c]
	res.owner = c
	if res.rank > to.best || res.rank == to.best && r < to.result {
		to.result, to.best = r, res.rank
	}
}

// match gives results to calls in order, over the last calls if there are
// more of them: what was interrupted is the earlier turn.
func (p *planner) match(results, calls []int32) {
	if len(calls) > len(results) {
		calls = p.settled(calls, len(results))
	}
	calls = calls[max(0, len(calls)-len(results)):]
	for i, c := range calls {
		p.give(results[i], c)
	}
}

// settled returns the calls that do not wait for their results, if there are
// at least n of them.
func (p *planner) settled(calls []int32, n int) []int32 {
	var settled []int32
	for _, c := range calls {
		p.work++
		if call := &p.t.calls[c]; !call.pending || p.tail == none || call.message < p.tail {
			settled = append(settled, c)
		}
	}
	if len(settled) < n {
		return calls
	}
	return settled
}

// atHome is step (a): a result belongs to the last exchange before it if that
// has a call of its id.
func (p *planner) atHome(calls, results []int32) {
	for len(results) > 0 {
		g := p.t.results[results[0]].group
		n := p.run(results, func(r int32) bool { return p.t.results[r].group == g })
		for len(calls) > 0 && p.t.calls[calls[0]].group < g {
			calls = calls[1:]
			p.work++
		}
		m := p.run(calls, func(c int32) bool { return p.t.calls[c].group == g })
		if g != none && m > 0 {
			here := results[:n]
			p.match(here[:min(n, m)], calls[:m])
			for _, r := range here[min(n, m):] {
				if p.t.results[r].touches || p.t.rules.many { // interim and final
					p.give(r, calls[m-1])
				}
			}
		}
		results = results[n:]
	}
}

// run returns how many of the first items are alike.
func (p *planner) run(items []int32, alike func(int32) bool) int {
	for i, it := range items {
		p.work++
		if !alike(it) {
			return i
		}
	}
	return len(items)
}

// unclaimed returns the results without an owner. The slice is reused.
func (p *planner) unclaimed(results []int32) []int32 {
	p.rest = p.rest[:0]
	for _, r := range results {
		p.work++
		if p.t.results[r].owner == none {
			p.rest = append(p.rest, r)
		}
	}
	return p.rest
}

// displaced is steps (b) and (c): a result goes back to an earlier call of its
// id that is open, or held only by a stand-in, if there is no doubt which; with
// no such call it is a duplicate of the nearest earlier one. It returns the
// results that have no call of their id before them.
func (p *planner) displaced(calls, results []int32) (ahead []int32) {
	p.open, p.held = p.open[:0], p.held[:0]
	ahead = results[:0]
	next := 0
	for len(results) > 0 {
		first := &p.t.results[results[0]]
		for next < len(calls) && p.t.calls[calls[next]].message <= first.message {
			p.offer(calls[next])
			next++
		}
		n := p.run(results, func(r int32) bool {
			return next == len(calls) || p.t.results[r].message < p.t.calls[calls[next]].message
		})
		if next == 0 {
			ahead = append(ahead, results[:n]...)
		} else {
			p.giveBack(results[:n], calls[next-1])
		}
		results = results[n:]
	}
	return ahead
}

// offer lists a call for results that come back to it.
func (p *planner) offer(c int32) {
	p.work++
	switch call := &p.t.calls[c]; {
	case call.left:
	case call.result == none:
		p.open = append(p.open, c)
	case call.best.standIn() && !p.t.rules.many: // of many, an interim result holds it rightly
		p.held = append(p.held, c)
	}
}

// giveBack does steps (b) and (c) for a run of results: of one id, with no
// call of that id between them. nearest is the last call before the run. Where
// results stay where they are, their order does not tell whose they are. A call
// that gets a stand-in here is still there for a real result further down.
func (p *planner) giveBack(run []int32, nearest int32) {
	if !p.t.rules.many && len(p.held) == 0 && len(p.open) == len(run) {
		p.match(run, p.open)
		for _, c := range p.open {
			if p.t.calls[c].best.standIn() {
				p.hold(c)
			}
		}
		p.open = p.open[:0]
		return
	}
	var real, standIns []int32
	for _, r := range run {
		if p.t.results[r].rank.standIn() {
			standIns = append(standIns, r)
		} else {
			real = append(real, r)
		}
	}
	p.giveReal(real, nearest)
	p.giveStandIns(standIns, nearest)
}

func (p *planner) giveReal(real []int32, nearest int32) {
	n := len(p.open) + len(p.held)
	switch {
	case len(real) == 0:
	case n == 0:
		p.duplicates(real, nearest)
	case p.oneGroup(p.open, p.held):
		k := min(len(real), n)
		p.match(real[:k], p.popLast(k))
		p.duplicates(real[k:], nearest)
	case len(real) == n && !p.t.rules.many:
		p.match(real, p.popLast(n))
	default:
		p.ambiguous(real)
	}
}

// giveStandIns is for results that are stand-ins themselves: they never take
// a call that a stand-in holds.
func (p *planner) giveStandIns(standIns []int32, nearest int32) {
	n := len(p.open)
	switch {
	case len(standIns) == 0:
	case n == 0:
		p.duplicates(standIns, nearest)
	case p.oneGroup(p.open, nil) || len(standIns) == n && !p.t.rules.many:
		k := min(len(standIns), n)
		p.match(standIns[:k], p.open[n-k:])
		for _, c := range p.open[n-k:] {
			p.hold(c)
		}
		p.open = p.open[:n-k]
		p.duplicates(standIns[k:], nearest)
	default:
		p.ambiguous(standIns)
	}
}

func (p *planner) duplicates(results []int32, of int32) {
	for _, r := range results {
		p.give(r, of)
	}
}

func (p *planner) ambiguous(results []int32) {
	for _, r := range results {
		p.work++
		p.t.results[r].drop = AmbiguousResult
	}
}
