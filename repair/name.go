package repair

import (
	"bytes"
	"fmt"
	"strconv"
)

// nameCalls mints an id for each call that has none and renames the second use
// of an id; results follow their call.
func (p *planner) nameCalls(l *lane) {
	used := make(map[string]bool)
	turn := none
	again := p.parted(l)
	for _, i := range l.calls {
		p.work++
		c := &p.t.calls[i]
		if c.byName || p.t.messages[c.message].drop {
			continue
		}
		if !p.t.rules.uniqueIDs && c.message != turn {
			clear(used)
		}
		turn = c.message
		switch {
		case c.left, c.waits && len(c.id) == 0:
		case len(c.id) == 0:
			c.newID = p.free(fmt.Sprintf("call_repair_%d_%d", c.message, c.index), true)
		case used[string(c.id)] || again[i]:
			c.newID = p.free(string(c.id), false)
		}
		used[string(c.finalID())] = true
	}
	for _, i := range l.results {
		p.follow(&p.t.results[i])
	}
}

// parted returns the calls that need an id of their own because something will
// come to stand between the turns of their exchange, where any place behind a
// call will do. Those turns were one as read and are several from now on: of an
// id that others have too it would not be known any more which result is whose.
func (p *planner) parted(l *lane) map[int32]bool {
	if !p.t.rules.many {
		return nil
	}
	again := make(map[int32]bool)
	for g := range l.groups {
		calls := p.groupCalls(l, int32(g))
		last := p.t.calls[calls[len(calls)-1]].message
		here, isParted := make(map[int32]int), false
		for _, i := range calls {
			p.work++
			c := &p.t.calls[i]
			here[c.key]++
			isParted = isParted || c.message != last && (c.answer || c.result != none && p.t.results[c.result].message < c.message)
		}
		seen := make(map[int32]bool)
		for _, i := range calls {
			if c := &p.t.calls[i]; isParted && c.key != none {
				again[i] = seen[c.key] || c.message != last && len(p.callsOf(int(c.key))) > here[c.key]
				seen[c.key] = true
			}
		}
	}
	return again
}

// follow lets a result that stays take the id and the name of its call.
func (p *planner) follow(r *result) {
	p.work++
	if r.drop != "" || r.owner == none {
		return
	}
	c := &p.t.calls[r.owner]
	// Beside calls without an id, one without may be another's.
	r.setID = (!r.byName || r.emptyID || c.newID != "") && !c.byName && !bytes.Equal(r.id, c.finalID())
	r.setName = r.blankName && len(bytes.TrimSpace(c.name)) > 0
}

// finalID is the id that a call has in the end.
func (c *call) finalID() []byte {
	if c.newID != "" {
		return []byte(c.newID)
	}
	return c.id
}

// free returns the first of id_2, id_3, ... that no call and no result has; a
// bare id itself if it is free.
func (p *planner) free(id string, bare bool) string {
	if p.taken == nil {
		p.taken, p.numbers = make(map[string]bool), make(map[string]int)
		for i := range p.t.calls {
			p.taken[string(p.t.calls[i].id)] = true
		}
		for i := range p.t.results {
			p.taken[string(p.t.results[i].id)] = true
		}
		for i := range p.t.servers {
			p.taken[string(p.t.servers[i].id)] = true
		}
	}
	n := max(2, p.numbers[id])
	next := id
	if !bare {
		next = id + "_" + strconv.Itoa(n)
		n++
	}
	for ; p.taken[next]; n++ {
		p.work++
		next = id + "_" + strconv.Itoa(n)
	}
	p.taken[next], p.numbers[id] = true, n
	return next
}
