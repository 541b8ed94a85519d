package hostile

var grouped = dialect{
	name:    "grouped",
	grouped: true,
	spell:   spellGrouped,
	knobs: []knob{
		{"split results", splitResults},
		{"results of others", func(g *Gen) {
			if s := g.some(results); s != nil {
				s.role = pick(g, "assistant", "assistant", "system")
			}
		}},
		{"results in a turn", resultsInTurn},
		{"text beside results", func(g *Gen) {
			if s := g.some(results); s != nil {
				s.after = true
			}
		}},
	},
}

func spellGrouped(g *Gen, s *step) []value {
	role := map[kind]string{user: "user", media: "user", system: "system", text: "assistant", turn: "assistant"}[s.kind]
	if s.kind == results {
		role = "user"
		if g.spelled.legacy && !s.after {
			role = "tool"
		}
	}
	o := object{{"role", str(or(s.role, role))}}
	switch {
	case s.kind == media:
		o = o.add("content", g.media(g.tag("m")))
	case s.kind != results:
		o = o.add("content", g.content(s.content, g.tag("m")))
	case s.after || s.before:
		o = o.add("content", g.content(asString, g.tag("m")))
	case g.chance(0.3):
		o = o.add("content", pick[value](g, raw(`""`), raw("null")))
	}
	if len(s.calls) > 0 {
		var a array
		for _, c := range s.calls {
			a = append(a, g.groupedCall(c))
		}
		o = o.add("toolCalls", a)
	} else if g.spelled.goNames {
		o = o.add("toolCalls", raw("null"))
	}
	if len(s.results) > 0 {
		var a array
		for _, r := range s.results {
			a = append(a, g.groupedResult(r))
		}
		o = o.add("toolResults", a)
	} else if g.spelled.goNames {
		o = o.add("toolResults", raw("null"))
	}
	return []value{g.tail(o, s)}
}

func (g *Gen) groupedCall(c *call) value {
	o := object{}.add("id", idMember(c.id, c.form)).add("name", str(c.name))
	name := "input"
	if g.spelled.flat {
		name = "arguments"
	}
	return g.status(o.add(name, g.objectArguments(c)), c)
}

func (g *Gen) groupedResult(r *result) value {
	o := object{}.add("toolCallId", resultID(r)).add("content", g.content(r.content, g.resultTag(r)))
	if r.failed || g.chance(0.7) {
		o = o.add("isError", raw(map[bool]string{true: "true", false: "false"}[r.failed]))
	}
	if r.status != "" {
		o = o.add("status", str(r.status))
	}
	return o
}
