package repair

// dropTurn takes a turn out: the message of the call, and where a turn is a
// run of items the items of that run.
func (p *planner) dropTurn(l *lane, message int32) {
	p.t.messages[message].drop = true
	if !p.t.rules.runs() {
		return
	}
	at := p.position(l, message)
	for i := at - 1; i >= 0 && p.t.messages[l.messages[i]].role == roleAssistant; i-- {
		p.work++
		p.t.messages[l.messages[i]].drop = true
	}
	for i := at + 1; i < len(l.messages) && p.t.messages[l.messages[i]].role == roleAssistant; i++ {
		p.work++
		p.t.messages[l.messages[i]].drop = true
	}
}

// keptApart returns the exchanges that have to stay, where results stay where
// they are: a late result of an id that several calls have stands in them, and
// without them it would be taken for that of another call.
func (p *planner) keptApart(l *lane) map[int32]bool {
	if !p.t.rules.many || p.opts.OnMissing != DropTurn {
		return nil
	}
	apart := make(map[int32]bool)
	for _, i := range l.results {
		p.work++
		r := &p.t.results[i]
		if r.owner != none && r.key != none && p.t.calls[r.owner].group != r.group && len(p.callsOf(int(r.key))) > 1 {
			apart[r.group] = true
		}
	}
	return apart
}

// droppable reports whether a turn can go. Where roles have to alternate, it
// cannot if two messages of one role would come to stand side by side, or an
// assistant first.
func (p *planner) droppable(l *lane, message int32) bool {
	if !p.t.rules.alternate {
		return true
	}
	at := p.position(l, message)
	before, behind := roleOther, roleOther
	for i := at - 1; i >= 0 && before == roleOther; i-- {
		if m := &p.t.messages[l.messages[i]]; !m.drop {
			before = m.role
		}
	}
	for i := at + 1; i < len(l.messages) && behind == roleOther; i++ {
		p.work++
		if m := &p.t.messages[l.messages[i]]; !m.drop && !p.onlyAnswers(m, message) {
			behind = m.role
		}
	}
	return behind == roleOther || behind != before && !(before == roleOther && behind == roleAssistant)
}

// onlyAnswers reports whether a message holds nothing but results of a turn,
// and goes with it.
func (p *planner) onlyAnswers(m *message, turn int32) bool {
	for r := m.results.lo; r < m.results.hi; r++ {
		if res := &p.t.results[r]; res.drop == "" && (res.owner == none || p.t.calls[res.owner].message != turn) {
			return false
		}
	}
	return !m.content && m.results.len() > 0
}

// position finds a message in its lane.
func (p *planner) position(l *lane, message int32) int {
	lo, hi := 0, len(l.messages)
	for lo < hi {
		mid := (lo + hi) / 2
		if l.messages[mid] < message {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
