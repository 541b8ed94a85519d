package hostile

import "slices"

var aiSDKModel = dialect{
	name:    "ai-sdk-model",
	grouped: true,
	also: func(g *Gen) {
		serverTools(g)
		for i := range g.steps {
			switch s := g.steps[i]; {
			case s.kind != results:
			case g.chance(0.1):
				splitAt(g, i)
			case i > 0 && g.steps[i-1].kind == turn && len(s.results) == 1 && g.chance(0.05):
				inlineResult(g, i)
			}
		}
	},
	spell: spellModelMessage,
	knobs: []knob{
		{"text before results", textBefore},
		{"results of others", func(g *Gen) {
			if s := g.some(results); s != nil {
				s.role = pick(g, "user", "assistant", "system")
			}
		}},
		{"results in a turn", resultsInTurn},
		{"results in their turn", func(g *Gen) {
			if i, s := g.someStep(results); s != nil && i > 0 && g.steps[i-1].kind == turn {
				g.steps[i-1].results = append(g.steps[i-1].results, s.results[0])
			}
		}},
		{"results split", func(g *Gen) {
			if i, s := g.someStep(results); s != nil {
				splitAt(g, i)
			}
		}},
		{"server blocks elsewhere", moveServerBlock},
	},
}

// splitAt makes two tool messages of one, which is fine.
func splitAt(g *Gen, at int) {
	s := g.steps[at]
	if len(s.results) < 2 {
		return
	}
	second := &step{kind: results, results: slices.Clone(s.results[1:]), branch: s.branch, after: s.after}
	s.results, s.after = s.results[:1], false
	g.steps = slices.Insert(g.steps, at+1, second)
}

// inlineResult moves the one result of a turn into it, as that of a tool that
// the provider runs, though its call does not say so.
func inlineResult(g *Gen, at int) {
	s, before := g.steps[at], g.steps[at-1]
	if len(before.calls) != 1 || before.calls[0] != s.results[0].of {
		return
	}
	before.results = s.results
	*s = step{kind: user, branch: s.branch}
}

func spellModelMessage(g *Gen, s *step) []value {
	if s.kind == results {
		return g.toolMessages(s)
	}
	role := map[kind]string{user: "user", media: "user", system: "system", text: "assistant", turn: "assistant"}[s.kind]
	o := object{{"role", str(or(s.role, role))}}
	if s.kind != turn && s.kind != media && len(s.results)+len(s.blocks) == 0 {
		return []value{g.tail(o.add("content", g.content(s.content, g.tag("m"))), s)}
	}
	return []value{g.tail(o.add("content", g.modelParts(s)), s)}
}

// toolMessages spells results, with the user's texts around them.
func (g *Gen) toolMessages(s *step) []value {
	var vs []value
	aside := &step{kind: user, branch: s.branch}
	if s.before {
		vs = append(vs, spellModelMessage(g, aside)...)
	}
	var a array
	for _, r := range s.results {
		a = append(a, g.modelResult(r))
	}
	vs = append(vs, g.tail(object{{"role", str(or(s.role, "tool"))}, {"content", a}}, s))
	if s.after {
		vs = append(vs, spellModelMessage(g, aside)...)
	}
	return vs
}

func (g *Gen) modelParts(s *step) value {
	var a array
	if s.kind == turn && g.chance(0.2) {
		a = append(a, object{{"type", str("reasoning")}, {"text", str(g.tag("m"))}})
	}
	if s.kind == media {
		a = append(a, object{{"type", str("file")}, {"mediaType", str("image/png")}, {"data", str(g.tag("m"))}})
	} else if s.content != asAbsent {
		a = append(a, g.textBlock())
	}
	for _, b := range s.blocks {
		o := object{{"type", str("tool-call")}, {"toolCallId", id(b.id)}, {"toolName", str(b.kind)}, {"input", object{}}, {"providerExecuted", raw("true")}}
		if b.result {
			o = object{{"type", str("tool-result")}, {"toolCallId", id(b.id)}, {"toolName", str(b.kind)}, {"output", object{{"type", str("text")}, {"value", str(g.tag("r"))}}}, {"providerExecuted", raw("true")}}
		}
		a = append(a, o)
	}
	for _, c := range s.calls {
		o := object{{"type", str("tool-call")}}.add("toolCallId", idMember(c.id, c.form)).add("toolName", str(c.name))
		o = o.add(map[bool]string{true: "args", false: "input"}[g.spelled.flat], g.objectArguments(c))
		a = append(a, g.status(o, c))
	}
	for _, r := range s.results {
		a = append(a, g.modelResult(r))
	}
	return a
}

func (g *Gen) modelResult(r *result) value {
	o := object{{"type", str("tool-result")}}.add("toolCallId", resultID(r)).add("toolName", str(toolName(r)))
	v := g.content(r.content, g.resultTag(r))
	if g.spelled.flat {
		o = o.add("result", v)
	} else {
		kind := pick(g, "text", "text", "json")
		if r.failed || r.content == asMarker {
			kind = "error-text"
		}
		o = o.add("output", object{{"type", str(kind)}}.add("value", v))
	}
	if r.status != "" {
		o = o.add("status", str(r.status))
	}
	return o
}
