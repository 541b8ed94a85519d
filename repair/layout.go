package repair

import "slices"

// A slot is a place in the repaired history: a message as read, or something
// new.
type slot struct {
	// message is the message as read, none for a new one.
	message int32
	// call is the call that a new message answers; where results are blocks,
	// turn is the turn whose results it takes in.
	call, turn int32
}

// layOut orders the messages.
func (p *planner) layOut(lanes []lane) {
	if p.t.rules.blocks {
		p.layOutBlocks()
	} else {
		p.layOutMessages(lanes)
	}
	p.moved = len(p.slots) != len(p.t.messages)
	for i, s := range p.slots {
		p.moved = p.moved || s.message != int32(i)
	}
}

// layOutBlocks puts in the messages that take in results where no message is
// there for them.
func (p *planner) layOutBlocks() {
	for i := range p.t.messages {
		p.work++
		m := &p.t.messages[i]
		if m.drop {
			continue
		}
		p.slots = append(p.slots, slot{message: int32(i)})
		if !p.t.isTurn(m) || m.right || len(p.guests(m)) == 0 {
			continue
		}
		if m.host == newHost {
			p.slots = append(p.slots, slot{message: none, turn: int32(i)})
		} else if m.host != none {
			p.t.messages[m.host].guest = int32(i)
		}
	}
}

// guests returns the calls of a turn whose results its host takes in, in the
// order in which the results stand there.
func (p *planner) guests(m *message) []int32 {
	var calls []int32
	for i := m.calls.lo; i < m.calls.hi; i++ {
		p.work++
		if p.isGuest(&p.t.calls[i]) {
			calls = append(calls, i)
		}
	}
	if m.keepOrder {
		slices.SortFunc(calls, func(a, b int32) int { return int(p.t.calls[a].result - p.t.calls[b].result) })
	}
	return calls
}

// moves returns the results of a call that are put behind its turn.
func (p *planner) moves(c *call) []int32 {
	switch {
	case c.result == none:
		return nil
	case p.t.rules.set:
		return p.ahead[c.result]
	}
	return []int32{c.result}
}

// isGuest reports whether the result of a call is put behind its turn. Where
// any place behind the call will do, only what is new or was before it is.
func (p *planner) isGuest(c *call) bool {
	switch {
	case c.answer:
		return true
	case c.result == none || c.left:
		return false
	}
	if p.t.rules.set {
		return len(p.ahead[c.result]) > 0
	}
	return !p.t.results[c.result].inline
}

// layOutMessages puts the results of each turn behind it, where each result
// is a message. Results that stand directly behind their turn keep their
// places and only trade them; what else stands there on its own account, a
// turn that is never replayed or a message of another branch, stays.
func (p *planner) layOutMessages(lanes []lane) {
	at := make(map[int32][]slot)     // in place of a result
	behind := make(map[int32][]slot) // behind a turn
	for i := range lanes {
		l := &lanes[i]
		for j, turn := range l.messages {
			m := &p.t.messages[turn]
			if !p.t.isTurn(m) || m.drop {
				continue
			}
			p.layOutTurn(m, turn, p.window(l.messages[j+1:], m), at, behind)
		}
	}
	for i := range p.t.messages {
		p.work++
		m := &p.t.messages[i]
		switch {
		case m.drop:
		case m.results.len() > 0 && !m.aside && !p.stays(&p.t.results[m.results.lo]):
			p.slots = append(p.slots, at[int32(i)]...)
		default:
			p.slots = append(p.slots, slot{message: int32(i)})
		}
		p.slots = append(p.slots, behind[int32(i)]...)
	}
}

// stays reports whether a result keeps its place whatever becomes of its turn.
func (p *planner) stays(r *result) bool {
	return r.left || p.t.rules.set && r.drop == "" && r.place == ""
}

// settles reports whether a block that is a result stays in its message.
func (p *planner) settles(r *result) bool {
	if p.stays(r) {
		return true
	}
	return r.drop == "" && r.owner != none && (r.inline || p.t.messages[p.t.calls[r.owner].message].right)
}

// window returns the messages directly behind a turn that are results of its
// own.
func (p *planner) window(rest []int32, turn *message) []int32 {
	var own []int32
	for _, i := range rest {
		p.work++
		m := &p.t.messages[i]
		if m.drop {
			continue
		}
		if m.results.len() == 0 {
			break
		}
		r := &p.t.results[m.results.lo]
		if r.drop == "" && !r.left && turn.calls.lo <= r.owner && r.owner < turn.calls.hi {
			own = append(own, i)
		}
	}
	return own
}

// layOutTurn puts the results of one turn in order into the places that own
// results have, and the others and the made-up ones between them.
func (p *planner) layOutTurn(m *message, turn int32, own []int32, at, behind map[int32][]slot) {
	var wait []slot
	used := 0
	for _, c := range p.guests(m) {
		s := slot{message: none, call: c}
		if r := p.t.calls[c].result; r != none { // of a set, the early one
			s.message = p.t.results[r].message
			if _, inPlace := slices.BinarySearch(own, s.message); inPlace {
				at[own[used]] = append(wait, s)
				wait = nil
				used++
				continue
			}
		}
		wait = append(wait, s)
	}
	if used > 0 {
		at[own[used-1]] = append(at[own[used-1]], wait...)
	} else if len(wait) > 0 {
		behind[turn] = wait
	}
}
