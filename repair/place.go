package repair

import "slices"

// locate says of each result that stays what is wrong with where it stands,
// and finds the message that takes in the results of each turn.
func (p *planner) locate(l *lane) {
	if p.t.rules.blocks {
		p.findHosts(l)
	}
	for _, i := range l.results {
		p.work++
		r := &p.t.results[i]
		if r.drop == "" && r.owner != none {
			c := &p.t.calls[r.owner]
			r.place = p.placeOf(r, c)
			if p.t.rules.set && r.place == EarlyResult {
				p.ahead[c.result] = append(p.ahead[c.result], i)
			}
		}
	}
	for _, i := range l.messages {
		if m := &p.t.messages[i]; p.t.isTurn(m) && !m.drop {
			p.order(m)
		}
	}
}

// findHosts finds, for each turn of a lane, the message behind it that takes
// in its results: the next one, if it is a user's. A message that loses all
// it has does not count.
func (p *planner) findHosts(l *lane) {
	next := none
	for _, i := range slices.Backward(l.messages) {
		p.work++
		m := &p.t.messages[i]
		if p.t.isTurn(m) && !m.drop {
			m.host = newHost
			if next != none && p.t.messages[next].canHost && !p.t.rules.set {
				m.host = next
			}
		}
		if !p.emptied(m) {
			next = i
		}
	}
}

// emptied reports whether an assistant message holds nothing but results,
// which all leave it.
func (p *planner) emptied(m *message) bool {
	return m.drop || m.role == roleAssistant && !m.content && m.results.len() > 0
}

func (p *planner) placeOf(r *result, c *call) Code {
	switch {
	case r.inline && r.message == c.message:
		return ""
	case r.message < c.message:
		return EarlyResult
	case p.t.rules.set:
		return ""
	case r.message == c.message || r.wrongRole:
		return DisplacedResult
	}
	between := p.between(c.message, r.message)
	switch {
	case between.assistants > 0:
		return DisplacedResult
	case p.t.rules.blocks && r.message == p.t.messages[c.message].host:
		if r.behind {
			return ResultNotFirst
		}
		return ""
	case between.others > 0:
		return InterleavedMessage
	case p.t.rules.blocks:
		return SplitResults
	}
	return ""
}

// order finds the results of a turn that stand right but for their order: a
// result of a later call stands before them.
func (p *planner) order(m *message) {
	if p.t.rules.set {
		return
	}
	first := int32(len(p.t.results))
	late := false
	for i := m.calls.hi - 1; i >= m.calls.lo; i-- {
		c := &p.t.calls[i]
		if c.result == none || c.left {
			continue
		}
		r := &p.t.results[c.result]
		if r.inline {
			continue
		}
		stands := r.place == "" || r.place == SplitResults && p.t.rules.spread
		if stands && first < c.result {
			r.place, late = OutOfOrderResult, true
		} else if stands {
			first = min(first, c.result)
		}
	}
	if p.t.rules.blocks {
		m.right = p.isRight(m.calls)
	}
	if late && p.t.rules.spread {
		p.onlyLate(m.calls)
	}
	if late && p.opts.KeepOrder && p.complete(m.calls) {
		m.keepOrder, m.right = true, p.t.rules.blocks
		for i := m.calls.lo; i < m.calls.hi; i++ {
			p.t.results[p.t.calls[i].result].place = ""
		}
	}
}

// isRight reports whether all results of a turn stand as they should. Where
// they may be spread over several messages, being apart is no fault of its own.
func (p *planner) isRight(turn span) bool {
	for i := turn.lo; i < turn.hi; i++ {
		c := &p.t.calls[i]
		switch {
		case c.answer:
			return false
		case c.result == none || c.left:
			continue
		}
		place := p.t.results[c.result].place
		if place != "" && !(place == SplitResults && p.t.rules.spread) {
			return false
		}
	}
	for i := turn.lo; i < turn.hi; i++ {
		if r := p.t.calls[i].result; r != none {
			p.t.results[r].place = ""
		}
	}
	return true
}

// onlyLate takes it back that results are apart, where they may be, if a
// turn's results have nothing wrong with them but their order.
func (p *planner) onlyLate(turn span) {
	for i := turn.lo; i < turn.hi; i++ {
		c := &p.t.calls[i]
		if c.answer || c.result != none && !slices.Contains([]Code{"", SplitResults, OutOfOrderResult}, p.t.results[c.result].place) {
			return
		}
	}
	for i := turn.lo; i < turn.hi; i++ {
		if r := p.t.calls[i].result; r != none && p.t.results[r].place == SplitResults {
			p.t.results[r].place = ""
		}
	}
}

// complete reports whether every call of a turn has an id and a result that
// stands right but for its order.
func (p *planner) complete(turn span) bool {
	for i := turn.lo; i < turn.hi; i++ {
		c := &p.t.calls[i]
		if c.byName || c.newID != "" || c.result == none || c.left {
			return false
		}
		if r := &p.t.results[c.result]; r.setID || r.place != "" && r.place != OutOfOrderResult {
			return false
		}
	}
	return true
}

// collect lists the findings in the order of their messages: one at most for
// each result and for the pairing of each call, the first that fits.
func (p *planner) collect() {
	add := func(code Code, f finding) {
		if code != "" {
			f.code = code
			p.findings = append(p.findings, f)
		}
	}
	t := p.t
	for i := range t.messages {
		m := int32(i)
		if t.messages[i].emptyCalls {
			add(EmptyCalls, finding{message: m, call: none, result: none, server: none})
		}
		for c := t.messages[i].calls.lo; c < t.messages[i].calls.hi; c++ {
			f := finding{message: m, call: c, result: none, server: none}
			add(p.callCode(&t.calls[c]), f)
			if p.rewritesArguments(&t.calls[c]) {
				add(BadArguments, f)
			}
		}
		for r := t.messages[i].results.lo; r < t.messages[i].results.hi; r++ {
			add(p.resultCode(&t.results[r]), finding{message: m, call: none, result: r, server: none})
		}
	}
	for i := range t.servers {
		if t.servers[i].moved || t.servers[i].drop {
			add(ServerOrphan, finding{message: t.servers[i].message, call: none, result: none, server: int32(i)})
		}
	}
	slices.SortStableFunc(p.findings, func(a, b finding) int { return int(a.message - b.message) })
}

func (p *planner) callCode(c *call) Code {
	switch {
	case c.aside:
		return ""
	case c.wrongRole:
		return WrongRoleCall
	case c.missing:
		return MissingResult
	case c.newID != "" && len(c.id) == 0:
		return EmptyCallID
	case c.newID != "":
		return DuplicateCallID
	}
	return ""
}

// rewritesArguments reports whether a call's arguments become an object.
func (p *planner) rewritesArguments(c *call) bool {
	return c.badArguments && !c.aside && !c.wrongRole && !c.left && !c.waits && !p.t.messages[c.message].drop
}

func (p *planner) resultCode(r *result) Code {
	switch {
	case r.left || r.drop == MissingResult:
		return "" // left alone, or gone with its turn, which has a finding
	case r.drop != "":
		return r.drop
	case r.place != "":
		return r.place
	case r.setID && len(r.id) == 0:
		return EmptyResultID
	case r.setName:
		return BlankToolName
	}
	return ""
}
