package repair

import "slices"

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
	for i := range t.messages {
		if m := &t.messages[i]; m.with != none && t.messages[m.with].drop {
			m.drop = true
		}
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
	broken, apart := p.lastBreak(l), p.keptApart(l)
	for _, i := range l.calls {
		p.work++
		c := &p.t.calls[i]
		if c.left || c.result != none {
			continue
		}
		if c.pending && l.tail != none && c.message >= l.tail && c.message > broken {
			c.waits = true // it may still get its result
			continue
		}
		c.missing = true
		switch {
		case c.reportOnly:
		case p.opts.OnMissing == DropTurn && !apart[c.group] && p.droppable(l, c.message):
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

// lastBreak returns the last call of the last turn, where a turn is a run of
// items, behind which something will come to stand within the run: what is made
// up, or comes back to its call. What stands before it is not the last then.
func (p *planner) lastBreak(l *lane) int32 {
	if !p.t.rules.runs() || l.tail == none {
		return none
	}
	end := p.position(l, l.tail)
	for end+1 < len(l.messages) && p.t.messages[l.messages[end+1]].role == roleAssistant {
		p.work++
		end++
	}
	for _, i := range slices.Backward(l.calls) {
		p.work++
		c := &p.t.calls[i]
		if c.message < l.tail {
			break
		}
		if c.message == l.messages[end] || c.left || c.reportOnly {
			continue
		}
		if c.result == none && !c.pending || c.result != none && p.t.results[c.result].message < c.message {
			return c.message
		}
	}
	return none
}
