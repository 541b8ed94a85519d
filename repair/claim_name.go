package repair

// byNameAtHome is for dialects whose ids are optional: a result that no call
// took by id or by name goes to an open call of its tool in its own exchange,
// in order. One with an id goes only to a call without, and only if no call
// there has that id.
func (p *planner) byNameAtHome(l *lane) {
	for rest := l.results; len(rest) > 0; {
		g := p.t.results[rest[0]].group
		n := p.run(rest, func(r int32) bool { return p.t.results[r].group == g })
		if g != none {
			p.nameGroup(rest[:n], p.groupCalls(l, g))
		}
		rest = rest[n:]
	}
}

func (p *planner) nameGroup(results, calls []int32) {
	open := make(map[string][]int32)
	ids := make(map[string]bool)
	for _, c := range calls {
		p.work++
		call := &p.t.calls[c]
		ids[string(call.id)] = true
		if call.result == none && !call.left {
			open[string(call.name)] = append(open[string(call.name)], c)
		}
	}
	waiting := make(map[string][]int32)
	for _, r := range results {
		p.work++
		res := &p.t.results[r]
		if res.owner != none || res.left || len(res.name) == 0 {
			continue
		}
		if res.byName || len(res.id) > 0 && !ids[string(res.id)] {
			waiting[string(res.name)] = append(waiting[string(res.name)], r)
		}
	}
	for _, r := range results { // in document order: maps have none
		name := string(p.t.results[r].name)
		if w := waiting[name]; len(w) > 0 && w[0] == r {
			p.matchNames(w, open[name])
		}
	}
}

// matchNames gives results to the calls of one tool, in order.
func (p *planner) matchNames(results, open []int32) {
	var free []int32
	for _, c := range open {
		p.work++
		if p.t.calls[c].byName || len(p.t.results[results[0]].id) == 0 {
			free = append(free, c)
		}
	}
	free = p.lastTurns(free, len(results))
	for i, r := range results[:min(len(results), len(free))] {
		p.give(r, free[i])
	}
}

// lastTurns drops the calls of earlier turns while the later ones are enough
// for n results: what was interrupted is the earlier turn. Within a turn the
// first calls come first.
func (p *planner) lastTurns(calls []int32, n int) []int32 {
	for i := 1; i < len(calls); i++ {
		p.work++
		if p.t.calls[calls[i]].message != p.t.calls[calls[i-1]].message && len(calls)-i >= n {
			return p.lastTurns(calls[i:], n)
		}
	}
	return calls
}
