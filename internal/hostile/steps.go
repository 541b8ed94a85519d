package hostile

import "slices"

// What the knobs take hold of.

// someStep returns a step of one of the kinds, nil if there is none.
func (g *Gen) someStep(kinds ...kind) (int, *step) {
	if len(g.steps) == 0 {
		return 0, nil
	}
	start := g.r.IntN(len(g.steps))
	for i := range g.steps {
		at := (start + i) % len(g.steps)
		if slices.Contains(kinds, g.steps[at].kind) {
			return at, g.steps[at]
		}
	}
	return 0, nil
}

func (g *Gen) some(kinds ...kind) *step {
	_, s := g.someStep(kinds...)
	return s
}

func (g *Gen) someCall() *call {
	if s := g.some(turn); s != nil {
		return s.calls[g.r.IntN(len(s.calls))]
	}
	return nil
}

// someResult returns a result and the step that it stands in.
func (g *Gen) someResult() (*result, int) {
	at, s := g.someStep(results)
	if s == nil {
		return nil, 0
	}
	return s.results[g.r.IntN(len(s.results))], at
}

// takeResult removes a result, and with it a step that holds no other. Now and
// then it leaves a message of nothing but text, or of nothing.
func (g *Gen) takeResult() (*result, int) {
	r, at := g.someResult()
	if r == nil {
		return nil, 0
	}
	g.remove(r, at)
	return r, at
}

// remove takes a result out of the first step that holds it at a place or
// behind it.
func (g *Gen) remove(r *result, at int) {
	for ; at < len(g.steps); at++ {
		s := g.steps[at]
		i := slices.Index(s.results, r)
		if i < 0 {
			continue
		}
		s.results = slices.Delete(s.results, i, i+1)
		switch {
		case len(s.results) > 0 || s.kind != results:
		case s.after || g.chance(0.1):
			*s = step{kind: user, content: pick(g, asString, asArray, asEmptyArray), branch: s.branch}
		default:
			g.steps = slices.Delete(g.steps, at, at+1)
		}
		return
	}
}

// resultOf returns the first result of a call behind a place, nil if there is
// none.
func (g *Gen) resultOf(c *call, at int) *result {
	for _, s := range g.steps[at:] {
		for _, r := range s.results {
			if r.of == c {
				return r
			}
		}
	}
	return nil
}

// putResult puts a result in a message at a place, or into the one that
// stands there if results can share one.
func (g *Gen) putResult(r *result, at int) {
	at = max(0, min(at, len(g.steps)))
	if g.grouped && at < len(g.steps) && g.steps[at].kind == results && g.chance(0.7) {
		s := g.steps[at]
		s.results = slices.Insert(s.results, g.r.IntN(len(s.results)+1), r)
		return
	}
	s := &step{kind: results, results: []*result{r}, after: g.chance(0.2), before: g.chance(0.1)}
	if at > 0 {
		s.branch = g.steps[at-1].branch
	}
	g.steps = slices.Insert(g.steps, at, s)
}

// copyResult puts in a second result of a call, with a content of its own if
// it is a fresh one.
func (g *Gen) copyResult(fresh bool) {
	r, at := g.someResult()
	if r == nil {
		return
	}
	if fresh {
		c := *r
		c.tag, c.content = 0, form(g.r.IntN(int(asMarker)+1))
		r = &c
	}
	g.putResult(r, pick(g, at, at+1, g.near(at), g.r.IntN(len(g.steps)+1)))
}

// near returns a place within a few steps of another.
func (g *Gen) near(at int) int {
	return max(0, min(at-4+g.r.IntN(9), len(g.steps)))
}
