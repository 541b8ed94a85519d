package repair

import "slices"

// oneGroup reports whether two ordered lists of calls are of one exchange.
func (p *planner) oneGroup(a, b []int32) bool {
	if len(a) == 0 {
		a, b = b, nil
	}
	g := p.t.calls[a[0]].group
	same := p.t.calls[a[len(a)-1]].group == g
	if len(b) > 0 {
		same = same && p.t.calls[b[0]].group == g && p.t.calls[b[len(b)-1]].group == g
	}
	return same
}

// popLast takes the last k of the open and the held calls, in document order.
func (p *planner) popLast(k int) []int32 {
	out := make([]int32, k)
	for i := k - 1; i >= 0; i-- {
		p.work++
		o, h := len(p.open), len(p.held)
		if h == 0 || o > 0 && p.open[o-1] > p.held[h-1] {
			out[i], p.open = p.open[o-1], p.open[:o-1]
		} else {
			out[i], p.held = p.held[h-1], p.held[:h-1]
		}
	}
	return out
}

// hold lists a call as held by a stand-in.
func (p *planner) hold(c int32) {
	p.work++
	at, _ := slices.BinarySearch(p.held, c)
	p.held = slices.Insert(p.held, at, c)
}

// withoutID is step (a'): results without an id, in the exchange where they
// stand.
func (p *planner) withoutID(l *lane) {
	results := p.strays[:0]
	for _, r := range l.results {
		if res := &p.t.results[r]; res.key == none && res.owner == none && !res.left {
			results = append(results, r)
		}
	}
	p.strays = results
	for len(results) > 0 {
		g := p.t.results[results[0]].group
		n := p.run(results, func(r int32) bool { return p.t.results[r].group == g })
		if g != none {
			p.fill(results[:n], p.groupCalls(l, g))
		}
		results = results[n:]
	}
}

// fill gives the results without an id of one exchange to its calls, those of
// each kind to the calls of that kind.
func (p *planner) fill(results, calls []int32) {
	for len(results) > 0 {
		first := &p.t.results[results[0]]
		var same, others []int32
		for _, r := range results {
			p.work++
			if p.t.results[r].kind == first.kind {
				same = append(same, r)
			} else {
				others = append(others, r)
			}
		}
		p.fillKind(same, calls, first)
		results = others
	}
}

func (p *planner) fillKind(results, calls []int32, kind *result) {
	if p.t.rules.many {
		if results = p.fillMany(results, calls); len(results) == 0 {
			return
		}
	}
	var empty, open []int32
	for _, c := range calls {
		p.work++
		call := &p.t.calls[c]
		if call.left {
			return
		}
		if call.kind != kind.kind && (kind.otherKind == 0 || call.kind != kind.otherKind) {
			continue
		}
		if call.key == none && !(p.t.rules.many && call.result != none) { // of many, those of its tool went to it
			empty = append(empty, c)
		}
		if call.result == none {
			open = append(open, c)
		}
	}
	open = p.settled(open, len(results))
	switch len(results) {
	case len(empty):
		p.match(results, empty)
	case len(open):
		p.match(results, open)
	default:
		p.fillByName(results, open)
	}
}

// fillByName gives a result without an id to the one open call of its tool.
func (p *planner) fillByName(results, open []int32) {
	owner := make(map[string]int32, len(open))
	for _, c := range open {
		p.once(owner, p.t.calls[c].name, c)
	}
	only := make(map[string]int32, len(results))
	for _, r := range results {
		p.once(only, p.t.results[r].name, r)
	}
	for _, r := range results {
		name := p.t.results[r].name
		c, found := owner[string(name)]
		if found && c != none && len(name) > 0 && only[string(name)] == r {
			p.give(r, c)
		}
	}
}

// once notes what a name stands for, none if it stands for several.
func (p *planner) once(m map[string]int32, name []byte, v int32) {
	p.work++
	if _, twice := m[string(name)]; twice {
		v = none
	}
	m[string(name)] = v
}

// early is step (d): a result before the only unanswered call of its id, with
// no user message between, belongs to that call.
func (p *planner) early(calls, results []int32) {
	owner := none
	for _, c := range calls {
		p.work++
		if p.t.calls[c].result != none || p.t.calls[c].left {
			continue
		}
		if owner != none {
			return
		}
		owner = c
	}
	if owner == none {
		return
	}
	for _, r := range results {
		if p.between(p.t.results[r].message, p.t.calls[owner].message).users == 0 {
			p.give(r, owner)
		}
	}
}

// orphans says why the results that nobody claimed are removed, and drops the
// lesser ones where a call got several.
func (p *planner) orphans(l *lane) {
	for _, r := range l.results {
		p.work++
		res := &p.t.results[r]
		switch {
		case res.left || res.drop != "":
		case res.owner != none:
			if p.t.calls[res.owner].result != r && !p.t.rules.many {
				res.drop = DuplicateResult
			}
		case res.key == none && !res.byName:
			res.drop = EmptyResultID
		case p.isAborted(res):
			res.drop = AbortedResult
		default:
			res.drop = OrphanResult
		}
	}
}

// isAborted reports whether a result answers a call of a turn that is never
// replayed.
func (p *planner) isAborted(r *result) bool {
	at, found := p.abortedAt[string(r.id)]
	return found && at <= r.message
}
