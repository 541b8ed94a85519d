package hostile

import "slices"

// An event is a content of Gemini's with an author. Ids are always there.
var adk = dialect{
	name:    "adk",
	grouped: true,
	unique:  true,
	also:    looseEvents,
	spell:   spellADK,
	knobs: []knob{
		{"long running", longRunning},
		{"split results", splitResults},
		{"results before their turn", resultsBefore},
		{"results before their turn", resultsBefore},
		{"lose a step of results", loseResults},
		{"lose a step of results", loseResults},
	},
}

// looseEvents uses what a rule of a set allows: results move behind what
// follows, and come more than once.
func looseEvents(g *Gen) {
	g.loosen(func(s *step) {
		if g.chance(0.2) {
			r := s.results[g.r.IntN(len(s.results))]
			g.steps = append(g.steps, &step{kind: results, results: []*result{{of: r.of}}})
		}
	})
	if g.chance(0.1) && len(g.steps) > 0 {
		if s := g.steps[len(g.steps)-1]; s.kind == turn && s.calls[len(s.calls)-1].status != "" {
			s.calls[len(s.calls)-1].status = "long"
		}
	}
}

// loosen moves some steps of results back behind what follows, but for the
// last turn and its results, and lets do more with each.
func (g *Gen) loosen(also func(*step)) {
	end := len(g.steps)
	for end > 0 && g.steps[end-1].kind == results {
		end--
	}
	tail := slices.Clone(g.steps[max(0, end-1):])
	g.steps = g.steps[:max(0, end-1)]
	for i := 0; i < len(g.steps); i++ {
		s := g.steps[i]
		if s.kind != results || !g.chance(0.2) {
			continue
		}
		to := min(i+1+g.r.IntN(4), len(g.steps)-1)
		g.steps = slices.Delete(g.steps, i, i+1)
		g.steps = slices.Insert(g.steps, to, s)
		also(s)
	}
	g.steps = append(g.steps, tail...)
}

// longRunning makes a call one that its event lists as long running.
func longRunning(g *Gen) {
	if c := g.someCall(); c != nil {
		c.status = "long"
	}
}

// resultsBefore moves a step of results before the turn that stands before it.
func resultsBefore(g *Gen) {
	i, s := g.someStep(results)
	for k := i - 1; k >= 0 && s != nil; k-- {
		if g.steps[k].kind == turn {
			g.steps = slices.Delete(g.steps, i, i+1)
			g.steps = slices.Insert(g.steps, k, s)
			return
		}
	}
}

// loseResults takes out a step of results.
func loseResults(g *Gen) {
	if i, s := g.someStep(results); s != nil {
		g.steps = slices.Delete(g.steps, i, i+1)
	}
}

func spellADK(g *Gen, s *step) []value {
	role := g.partsRole(s.kind)
	if s.kind == system {
		role = "user"
	}
	author := "agent"
	if role == "user" && s.kind != results || s.kind == results && g.chance(0.1) {
		author = "user"
	}
	var long array
	for _, c := range s.calls {
		if c.status == "long" {
			long = append(long, id(c.id))
		}
	}
	o := object{{"author", str(author)}}
	o = o.add("content", object{{"role", str(role)}}.add("parts", g.parts(s, false)))
	if long != nil {
		o = o.add(g.snake("longRunningToolIds", "long_running_tool_ids"), long)
	}
	at := *s
	if s.kind == results && g.spelled.branch != 1 && g.chance(0.2) {
		at.branch = 0 // a person answers what an agent of a branch asked
	}
	vs := []value{g.tail(o, &at)}
	if g.chance(0.05) {
		vs = append(vs, g.tail(object{{"author", str("agent")}, {"actions", object{}}}, &step{branch: s.branch}))
	}
	return vs
}
