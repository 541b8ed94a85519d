package repair

import "bytes"

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
	if p.byPlace(results, calls) {
		return
	}
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
		name := p.t.results[r].name
		if w := waiting[string(name)]; len(w) > 0 && w[0] == r {
			p.matchNames(w, open[string(name)])
		}
	}
}

// byPlace gives the results without an id to the open calls one by one, if
// there are as many and no name speaks against it.
func (p *planner) byPlace(results, calls []int32) bool {
	var rs, cs []int32
	for _, r := range results {
		p.work++
		if res := &p.t.results[r]; res.owner == none && !res.left && len(res.id) == 0 {
			rs = append(rs, r)
		}
	}
	for _, c := range calls {
		p.work++
		if call := &p.t.calls[c]; call.result == none && !call.left {
			cs = append(cs, c)
		}
	}
	if len(rs) != len(cs) {
		return false
	}
	for i, r := range rs {
		name := bytes.TrimSpace(p.t.results[r].name)
		if len(name) > 0 && !bytes.Equal(p.t.results[r].name, p.t.calls[cs[i]].name) {
			return false
		}
	}
	p.match(rs, cs)
	return true
}

// matchNames gives results to the open calls of one tool, in order; what is
// left over and touches its exchange is a duplicate.
func (p *planner) matchNames(results, open []int32) {
	open = p.lastTurns(open, len(results))
	taken := make([]bool, len(open))
	next := [2]int{} // the first call that may be free: any, and one without an id
	for _, r := range results {
		res := &p.t.results[r]
		k := 0
		if len(res.id) > 0 {
			k = 1
		}
		for next[k] < len(open) && (taken[next[k]] || k == 1 && !p.t.calls[open[next[k]]].byName) {
			next[k]++
			p.work++
		}
		switch {
		case next[k] < len(open):
			taken[next[k]] = true
			p.give(r, open[next[k]])
		case len(open) > 0 && res.touches && k == 0:
			p.give(r, open[len(open)-1])
		}
	}
}

// byName reports whether a key is a name and no id.
func (p *planner) byName(k int) bool {
	for _, r := range p.resultsOf(k) {
		return p.t.results[r].byName
	}
	return false
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

// fillMany is for dialects where a call may have several results: those
// without an id are all of the one call of their tool, or of the only call, if
// no name speaks against it. It returns the others.
func (p *planner) fillMany(results, calls []int32) (rest []int32) {
	only := make(map[string]int32, len(calls))
	for _, c := range calls {
		if p.t.calls[c].left {
			return results
		}
		p.once(only, bytes.TrimSpace(p.t.calls[c].name), c)
	}
	for _, r := range results {
		p.work++
		name := bytes.TrimSpace(p.t.results[r].name)
		c, found := only[string(name)]
		if len(calls) == 1 && (len(name) == 0 || len(bytes.TrimSpace(p.t.calls[calls[0]].name)) == 0) {
			c, found = calls[0], true
		}
		if found && c != none && (len(name) > 0 || len(calls) == 1) {
			p.give(r, c)
		} else {
			rest = append(rest, r)
		}
	}
	return rest
}
