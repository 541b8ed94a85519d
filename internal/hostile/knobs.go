package hostile

import "slices"

// A knob makes one thing happen to a history. It does nothing where there is
// nothing that it could happen to.
type knob struct {
	name string
	turn func(*Gen)
}

var knobs = []knob{
	{"lose a result", func(g *Gen) { g.takeResult() }},
	{"lose several results", func(g *Gen) {
		for range 1 + g.r.IntN(4) {
			g.takeResult()
		}
	}},
	{"copy a result", func(g *Gen) { g.copyResult(false) }},
	{"answer a call again", func(g *Gen) { g.copyResult(true) }},
	{"move a result", func(g *Gen) {
		if r, at := g.takeResult(); r != nil {
			g.putResult(r, g.near(at))
		}
	}},
	{"move a result far", func(g *Gen) {
		if r, _ := g.takeResult(); r != nil {
			g.putResult(r, g.r.IntN(len(g.steps)+1))
		}
	}},
	{"late results of one id", lateResults},
	{"late results of one id", lateResults},
	{"move a step", moveStep},
	{"two turns back to back", backToBack},
	{"a stranger's result", func(g *Gen) { g.putResult(&result{id: "zz"}, g.r.IntN(len(g.steps)+1)) }},
	{"a message between", messageBetween},
	{"results in another order", shuffleResults},
	{"id twice in a turn", repeatInTurn},
	{"id of another turn", repeatAcross},
	{"one id for all", oneID},
	{"call without id", emptyCallID},
	{"result without id", func(g *Gen) {
		if r, _ := g.someResult(); r != nil {
			r.form = pick(g, asEmpty, asNull, asAbsent)
		}
	}},
	{"results without ids", emptyResultIDs},
	{"result of another id", func(g *Gen) {
		if r, _ := g.someResult(); r != nil {
			r.id = pick(g, "zz", "k1", "k2", "call_0_0", "call_0_1")
		}
	}},
	{"content of a result", func(g *Gen) {
		if r, _ := g.someResult(); r != nil {
			r.content = form(g.r.IntN(int(asMarker) + 1))
		}
	}},
	{"content of a message", func(g *Gen) {
		g.steps[g.r.IntN(len(g.steps))].content = pick(g, asArray, asEmpty, asNull, asAbsent, asEmptyArray)
	}},
	{"pending", pending},
	{"bad arguments", func(g *Gen) {
		if c := g.someCall(); c != nil {
			c.args = arguments(g.r.IntN(int(argsList) + 1))
		}
	}},
	{"blank tool name", func(g *Gen) {
		if r, _ := g.someResult(); r != nil {
			r.blank = true
		}
	}},
	{"blank name of a call", func(g *Gen) {
		if c := g.someCall(); c != nil {
			c.name = ""
		}
	}},
	{"wrong role of calls", func(g *Gen) {
		if s := g.some(turn); s != nil {
			s.role = pick(g, "user", "user", "system")
		}
	}},
	{"head cut off", func(g *Gen) { g.steps = g.steps[g.r.IntN(len(g.steps)):] }},
	{"tail cut off", func(g *Gen) { g.steps = g.steps[:1+g.r.IntN(len(g.steps))] }},
	{"step in another branch", func(g *Gen) { g.steps[g.r.IntN(len(g.steps))].branch = g.r.IntN(3) }},
}

// moveStep puts a step elsewhere.
func moveStep(g *Gen) {
	i := g.r.IntN(len(g.steps))
	s := g.steps[i]
	g.steps = slices.Delete(g.steps, i, i+1)
	g.steps = slices.Insert(g.steps, g.near(i), s)
}

// backToBack moves a turn up to the turn before it.
func backToBack(g *Gen) {
	i, s := g.someStep(turn)
	for k := i - 1; k >= 0 && s != nil; k-- {
		if g.steps[k].kind == turn {
			g.steps = slices.Delete(g.steps, i, i+1)
			g.steps = slices.Insert(g.steps, k+1, s)
			return
		}
	}
}

// messageBetween puts messages directly behind a turn or one of its results.
func messageBetween(g *Gen) {
	i, s := g.someStep(turn, results)
	for range 1 + g.r.IntN(3) {
		if s == nil {
			return
		}
		m := &step{kind: pick(g, user, user, media, system, text), branch: s.branch}
		g.steps = slices.Insert(g.steps, i+1, m)
		i += g.r.IntN(3)
		i = min(i, len(g.steps)-1)
	}
}

func shuffleResults(g *Gen) {
	r, at := g.someResult()
	if r == nil {
		return
	}
	if rs := g.steps[at].results; len(rs) > 1 {
		g.r.Shuffle(len(rs), func(i, k int) { rs[i], rs[k] = rs[k], rs[i] })
	}
	if at > 0 && g.steps[at-1].kind == results {
		g.steps[at-1], g.steps[at] = g.steps[at], g.steps[at-1]
	}
}

func repeatInTurn(g *Gen) {
	if s := g.some(turn); s != nil {
		c := s.calls[g.r.IntN(len(s.calls))]
		c.id = s.calls[0].id
	}
}

func repeatAcross(g *Gen) {
	a, b := g.someCall(), g.someCall()
	if a != nil {
		a.id = b.id
	}
}

// oneID gives several calls the same id.
func oneID(g *Gen) {
	for _, s := range g.steps {
		for _, c := range s.calls {
			if g.chance(0.5) {
				c.id = "k1"
			}
		}
	}
}

// lateResults gives calls of several turns the same id and moves their results
// behind others, or leaves a stand-in and adds a late one.
func lateResults(g *Gen) {
	var late []*result
	for at := 0; at < len(g.steps); at++ {
		s := g.steps[at]
		if s.kind != turn || g.chance(0.4) {
			continue
		}
		c := s.calls[g.r.IntN(len(s.calls))]
		c.id = "k1"
		switch r := g.resultOf(c, at); {
		case r == nil:
		case g.chance(0.6):
			g.remove(r, at)
			late = append(late, r)
		default:
			r.content = pick(g, asPlaceholder, asMarker, asEmpty)
			late = append(late, &result{of: c, content: pick(g, asString, asString, asPlaceholder)})
		}
	}
	for _, r := range late {
		at := len(g.steps) - g.r.IntN(1+len(g.steps)/3)
		if g.chance(0.5) {
			g.steps = slices.Insert(g.steps, at, &step{kind: pick(g, user, text)})
		}
		g.putResult(r, at)
	}
}

func emptyCallID(g *Gen) {
	c := g.someCall()
	if c == nil {
		return
	}
	c.form = pick(g, asEmpty, asNull, asAbsent)
	for _, s := range g.steps {
		for _, r := range s.results {
			if r.of == c && g.chance(0.7) {
				r.form = pick(g, asEmpty, asEmpty, c.form)
			}
		}
	}
}

func emptyResultIDs(g *Gen) {
	for _, s := range g.steps {
		for _, r := range s.results {
			if g.chance(0.4) {
				r.form = asEmpty
			}
		}
	}
}

func pending(g *Gen) {
	status := pick(g, "waiting_approval", "pending", "running", "in_progress", "approval-requested", "completed")
	switch g.r.IntN(3) {
	case 0:
		if c := g.someCall(); c != nil {
			c.status = status
		}
	case 1:
		if s := g.some(turn); s != nil {
			s.status = status
		}
	default:
		if r, _ := g.someResult(); r != nil {
			r.status = status
		}
	}
}
