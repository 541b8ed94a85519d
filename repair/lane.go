package repair

import "slices"

// A lane is the messages of one branch. Branches are paired and laid out each
// for itself; most histories have one.
type lane struct {
	messages, calls, results []int32
	// groups holds where the calls of each exchange begin in calls. Turns
	// with nothing between them count as one exchange.
	groups []int32
	// tail is the first message of the last turn, if only results stand
	// behind it.
	tail int32
}

// A tally counts the messages that stand before a message of a lane and hold
// more than results.
type tally struct{ users, assistants, others int32 }

func (m *message) tally() tally {
	switch {
	case !m.content && (m.results.len() > 0 || m.role == roleTool):
		return tally{}
	case m.role == roleAssistant:
		return tally{assistants: 1}
	case m.role == roleUser:
		return tally{users: 1, others: 1}
	}
	return tally{others: 1}
}

func (a tally) add(b tally) tally {
	return tally{a.users + b.users, a.assistants + b.assistants, a.others + b.others}
}

func (a tally) sub(b tally) tally {
	return tally{a.users - b.users, a.assistants - b.assistants, a.others - b.others}
}

// between counts what stands between two messages of a lane.
func (p *planner) between(a, b int32) tally {
	return p.before[b].sub(p.before[a]).sub(p.t.messages[a].tally())
}

// split sorts the messages into lanes.
func (p *planner) split() []lane {
	branches := int32(1)
	for i := range p.t.messages {
		branches = max(branches, p.t.messages[i].branch+1)
	}
	lanes := make([]lane, branches)
	for i := range p.t.messages {
		m := &p.t.messages[i]
		if m.aside {
			continue
		}
		l := &lanes[m.branch]
		l.messages = append(l.messages, int32(i))
		for c := m.calls.lo; c < m.calls.hi; c++ {
			if !p.t.calls[c].wrongRole {
				l.calls = append(l.calls, c)
			}
		}
		for r := m.results.lo; r < m.results.hi; r++ {
			to := &lanes[p.t.results[r].branch]
			to.results = append(to.results, r)
		}
	}
	return lanes
}

// group finds the exchanges of a lane and what stands before each message.
// Where a turn is a run of an assistant's items, what else the assistant says in
// it neither ends the turn nor stands between it and its results.
func (p *planner) group(l *lane) {
	var before tally
	g, turn, touches, last := none, false, false, none
	wrong := false // a result stands in a message of a wrong role
	run := none    // where the run of an assistant's items began
	calls := int32(0)
	rest := l.results
	for _, i := range l.messages {
		p.work++
		if n := p.elsewhere(rest, i, g); n > 0 {
			rest, turn = rest[n:], false
		}
		m := &p.t.messages[i]
		p.before[i] = before
		before = before.add(m.tally())
		switch {
		case m.role != roleAssistant:
			run = none
		case run == none || !p.t.rules.runs():
			run = i
		}
		calling := p.t.isTurn(m)
		if calling {
			if !turn {
				g++
				l.groups = append(l.groups, calls)
			}
			for c := m.calls.lo; c < m.calls.hi; c++ {
				p.t.calls[c].group = g
				calls++
			}
			touches, wrong, last = true, false, run
		}
		for r := m.results.lo; r < m.results.hi; r++ {
			if p.t.results[r].branch != m.branch {
				continue
			}
			p.t.results[r].group = g
			wrong = wrong || p.t.results[r].wrongRole
			p.t.results[r].touches = touches && !p.t.results[r].behind
		}
		if turn && run != none && p.t.rules.runs() {
			continue // the turn goes on
		}
		turn = calling && m.results.len() == 0
		if m.content && !calling {
			touches = false
		}
	}
	p.elsewhere(rest, int32(len(p.t.messages)), g)
	l.tail = none
	if touches && !wrong {
		l.tail = last
	}
}

// elsewhere finds among the results that a lane has left those that stand before
// a message, in messages of another branch, and says what exchange is before
// them. It returns how many it passed.
func (p *planner) elsewhere(rest []int32, before, g int32) (n int) {
	for ; n < len(rest) && p.t.results[rest[n]].message < before; n++ {
		p.work++
		if r := &p.t.results[rest[n]]; r.branch != p.t.messages[r.message].branch {
			r.group = g
		}
	}
	return n
}

// groupCalls returns the calls of one exchange.
func (p *planner) groupCalls(l *lane, g int32) []int32 {
	lo, hi := l.groups[g], int32(len(l.calls))
	if int(g)+1 < len(l.groups) {
		hi = l.groups[g+1]
	}
	return l.calls[lo:hi]
}

// index gives the calls and results of one id the same key and lists them by
// key. What has no id has no key; where ids are optional the name stands in.
func (p *planner) index(l *lane) {
	clear(p.keys)
	for _, c := range l.calls {
		call := &p.t.calls[c]
		call.key = p.key(call.id, call.name, call.byName, call.kind)
	}
	ofCalls := int32(len(p.keys))
	for _, r := range l.results {
		res := &p.t.results[r]
		res.key = p.key(res.id, res.name, res.byName, res.kind)
		if res.otherKind != 0 && res.key >= ofCalls { // no call has it
			res.key = p.key(res.id, res.name, res.byName, res.otherKind)
		}
	}
	p.leave(l)
	p.inlined(l)
	p.callsBy.fill(len(p.keys), l.calls, func(c int32) int32 { return p.t.calls[c].key })
	p.resultsBy.fill(len(p.keys), l.results, func(r int32) int32 {
		if p.t.results[r].left || p.t.results[r].inline {
			return none
		}
		return p.t.results[r].key
	})
}

func (p *planner) key(id, name []byte, byName bool, kind byte) int32 {
	p.work++
	if byName {
		id = name
	}
	if len(id) == 0 {
		return none
	}
	p.scratch = append(p.scratch[:0], 'i', kind)
	if byName {
		p.scratch[0] = 'n'
	}
	p.scratch = append(p.scratch, id...)
	k, found := p.keys[string(p.scratch)]
	if !found {
		k = int32(len(p.keys))
		p.keys[string(p.scratch)] = k
	}
	return k
}

// inlined gives each result that the provider itself put into the message of
// its call to that call.
func (p *planner) inlined(l *lane) {
	for _, i := range l.results {
		p.work++
		r := &p.t.results[i]
		if !r.inline {
			continue
		}
		m := &p.t.messages[r.message]
		for c := m.calls.lo; c < m.calls.hi; c++ {
			if p.t.calls[c].key == r.key {
				p.give(i, c)
				break
			}
		}
	}
}

// leave marks the last turn, and the results that stand behind it and are its
// own, as left alone, if the options say so.
func (p *planner) leave(l *lane) {
	if !p.opts.KeepTail || l.tail == none {
		return
	}
	own, names := map[int32]bool{none: true}, map[string]bool{}
	from := l.tail
	if p.t.rules.many { // turns with nothing between them
		from = p.t.calls[l.calls[l.groups[len(l.groups)-1]]].message
	}
	for _, c := range slices.Backward(l.calls) {
		if p.t.calls[c].message < from {
			break
		}
		p.t.calls[c].left = true
		own[p.t.calls[c].key] = true
		names[string(p.t.calls[c].name)] = p.t.rules.optionalIDs
	}
	for _, r := range l.results {
		res := &p.t.results[r]
		res.left = res.message >= l.tail && (own[res.key] || names[string(res.name)])
	}
}

// byKey lists items by key, each list in document order.
type byKey struct{ start, items []int32 }

func (b *byKey) fill(keys int, items []int32, key func(int32) int32) {
	b.start = append(b.start[:0], make([]int32, keys+1)...)
	for _, it := range items {
		if k := key(it); k != none {
			b.start[k+1]++
		}
	}
	for k := range keys {
		b.start[k+1] += b.start[k]
	}
	b.items = append(b.items[:0], make([]int32, len(items))...)
	next := append([]int32(nil), b.start...)
	for _, it := range items {
		if k := key(it); k != none {
			b.items[next[k]] = it
			next[k]++
		}
	}
}

func (b *byKey) of(k int) []int32 { return b.items[b.start[k]:b.start[k+1]:b.start[k+1]] }

func (p *planner) keyCount() int           { return len(p.keys) }
func (p *planner) callsOf(k int) []int32   { return p.callsBy.of(k) }
func (p *planner) resultsOf(k int) []int32 { return p.resultsBy.of(k) }
