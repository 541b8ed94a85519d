package hostile

// Most histories have no ids; those of spelled.flat do. Of those without,
// some have no tool names either.
var ollama = dialect{
	name:  "ollama",
	spell: spellOllama,
	knobs: []knob{
		{"empty calls", emptyCalls},
		{"name of another tool", func(g *Gen) {
			if r, _ := g.someResult(); r != nil {
				r.name = pick(g, "look", "read", "bash", "none")
			}
		}},
	},
}

func spellOllama(g *Gen, s *step) []value {
	if s.kind == results {
		var vs []value
		for _, r := range s.results {
			vs = append(vs, g.tail(g.ollamaResult(r), s))
		}
		return vs
	}
	role := map[kind]string{user: "user", media: "user", system: "system", text: "assistant", turn: "assistant"}[s.kind]
	o := object{{"role", str(or(s.role, role))}}
	f := s.content
	if f == asArray || f == asEmptyArray {
		f = asString // content is a string here
	}
	o = o.add("content", g.content(f, g.tag("m")))
	if s.kind == media {
		o = o.add("images", array{str("AAAA")})
	}
	switch {
	case s.noCalls:
		o = o.add("tool_calls", array{})
	case len(s.calls) > 0:
		o = o.add("tool_calls", g.ollamaCalls(s.calls))
	case g.spelled.goNames:
		o = o.add("tool_calls", raw("null")).add("tool_name", raw(`""`))
	}
	return []value{g.tail(o, s)}
}

func (g *Gen) ollamaCalls(calls []*call) array {
	var a array
	for _, c := range calls {
		o := object{}
		if g.spelled.flat || c.form == asEmpty || c.form == asNull {
			o = o.add("id", idMember(c.id, c.form))
		}
		o = o.add("function", object{{"name", str(c.name)}}.add("arguments", g.objectArguments(c)))
		a = append(a, g.status(o, c))
	}
	return a
}

func (g *Gen) ollamaResult(r *result) object {
	o := object{{"role", str("tool")}}
	if g.spelled.flat || g.spelled.scheme > 0 || r.blank || r.name != "" {
		o = o.add("tool_name", str(toolName(r)))
	}
	if g.spelled.flat || r.id != "" || r.form == asEmpty || r.form == asNull {
		o = o.add("tool_call_id", resultID(r))
	}
	return g.chatContent(o, r)
}
