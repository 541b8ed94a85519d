package repair

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// The planner decides what becomes of a thread. It knows no JSON and no
// provider: its input is who called and who answered where, its output is the
// decisions in the thread's calls, results and messages, the findings, and the
// order of the messages.
type planner struct {
	t    *thread
	opts *Options

	findings []finding
	slots    []slot
	moved    bool // slots are not simply all messages

	// work counts steps: a test holds it to be linear in messages, calls
	// and results.
	work int

	keys               map[string]int32
	callsBy, resultsBy byKey
	before             []tally
	tail               int32   // of the lane
	tails              []int32 // of all lanes
	abortedAt          map[string]int32
	// ahead are, where any place behind the call will do, the results before
	// it, by the result that answers the call.
	ahead        map[int32][]int32
	taken        map[string]bool
	numbers      map[string]int // the next number to try for an id
	open, held   []int32
	rest, strays []int32
	scratch      []byte
}

// A finding is a Finding that still points into the thread.
type finding struct {
	code    Code
	message int32
	// What it is about, or none.
	call, result, server int32
}

// plan decides over a thread.
func (p *planner) plan(t *thread, opts *Options) {
	p.t, p.opts = t, opts
	p.reset()
	lanes := p.split()
	p.noteAborted()
	for i := range lanes {
		l := &lanes[i]
		p.group(l)
		p.tails = append(p.tails, l.tail)
		p.claim(l)
		p.missing(l)
		p.nameCalls(l)
	}
	p.servers()
	for i := range lanes {
		p.locate(&lanes[i])
	}
	p.collect()
	p.layOut(lanes)
}

func (p *planner) reset() {
	if p.keys == nil {
		p.keys = make(map[string]int32)
	}
	p.findings, p.slots, p.moved = p.findings[:0], p.slots[:0], false
	p.tails = p.tails[:0]
	p.before = append(p.before[:0], make([]tally, len(p.t.messages))...)
	p.abortedAt, p.taken = nil, nil
	if p.t.rules.set {
		p.ahead = make(map[int32][]int32)
	}
}

// noteAborted lists the call ids of turns that are never replayed.
func (p *planner) noteAborted() {
	for i := range p.t.calls {
		c := &p.t.calls[i]
		if !c.aside {
			continue
		}
		if p.abortedAt == nil {
			p.abortedAt = make(map[string]int32)
		}
		if _, found := p.abortedAt[string(c.id)]; !found {
			p.abortedAt[string(c.id)] = c.message
		}
	}
}

// missing decides what becomes of calls without a result.
func (p *planner) missing(l *lane) {
	broken := p.breaksRun(l)
	for _, i := range l.calls {
		p.work++
		c := &p.t.calls[i]
		if c.left || c.result != none {
			continue
		}
		if c.pending && l.tail != none && c.message >= l.tail && !broken {
			c.waits = true // it may still get its result
			continue
		}
		c.missing = true
		switch {
		case c.reportOnly:
		case p.opts.OnMissing == DropTurn && p.droppable(l, c.message):
			p.dropTurn(l, c.message)
		default:
			c.answer = true
		}
	}
	for _, i := range l.calls {
		if c := &p.t.calls[i]; p.t.messages[c.message].drop {
			c.answer = false
		}
	}
	for _, i := range l.results {
		r := &p.t.results[i]
		if r.drop == "" && r.owner != none && p.t.messages[p.t.calls[r.owner].message].drop {
			r.drop = MissingResult
		}
	}
}

// breaksRun reports whether what is made up will stand between the calls of
// the last turn, where a turn is a run of items: then none of it is the last.
func (p *planner) breaksRun(l *lane) bool {
	if !p.t.rules.set || p.t.rules.blocks || l.tail == none {
		return false
	}
	for _, i := range slices.Backward(l.calls) {
		p.work++
		c := &p.t.calls[i]
		if c.message < l.tail {
			break
		}
		if c.result == none && !c.pending && !c.left && !c.reportOnly {
			return true
		}
	}
	return false
}

// nameCalls mints an id for each call that has none and renames the second use
// of an id; results follow their call.
func (p *planner) nameCalls(l *lane) {
	used := make(map[string]bool)
	turn := none
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
		case used[string(c.id)]:
			c.newID = p.free(string(c.id), false)
		}
		used[string(c.finalID())] = true
	}
	for _, i := range l.results {
		p.follow(&p.t.results[i])
	}
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
