package hostile

// A history without ids is one in three: spelled.names, which says of other
// dialects that results have a tool name, says it here, where all have one.
// Names with underscores are those of spelled.flat.
var gemini = dialect{
	name:    "gemini",
	grouped: true,
	spell:   spellGemini,
	knobs: []knob{
		{"split results", splitResults},
		{"text before results", textBefore},
		{"results of a model", func(g *Gen) {
			if s := g.some(results); s != nil {
				s.role = pick(g, "model", "model", "system")
			}
		}},
		{"results in a turn", resultsInTurn},
		{"id in place of none", func(g *Gen) {
			if r, _ := g.someResult(); r != nil {
				r.id = pick(g, "w1", "w2", "k1")
			}
		}},
		{"name of another tool", func(g *Gen) {
			if r, _ := g.someResult(); r != nil {
				r.name = pick(g, "look", "read", "bash", "none")
			}
		}},
	},
}

// textBefore puts a text before the results of a message.
func textBefore(g *Gen) {
	if s := g.some(results); s != nil {
		s.before = true
	}
}

func spellGemini(g *Gen, s *step) []value {
	role := or(s.role, g.partsRole(s.kind))
	o := object{{"role", str(role)}}
	return []value{g.tail(o.add("parts", g.parts(s, g.spelled.names)), s)}
}

// partsRole is the role of a content, which for results is that of the user,
// or a tool's as older clients write it.
func (g *Gen) partsRole(k kind) string {
	switch {
	case k == turn || k == text:
		return "model"
	case k == results && g.spelled.scheme == 2 && g.spelled.branch == 2:
		return pick(g, "function", "tool")
	case k == system:
		return "system"
	}
	return "user"
}

// empty returns what stands for parts where a message says nothing: null, no
// member, no part, or an empty text.
func (s *step) empty() (v value, ok bool) {
	if s.kind == turn || s.kind == results || len(s.results) > 0 {
		return nil, false
	}
	switch s.content {
	case asNull:
		return raw("null"), true
	case asAbsent:
		return nil, true
	case asEmptyArray:
		return array{}, true
	case asEmpty:
		return array{object{{"text", raw(`""`)}}}, true
	}
	return nil, false
}

// parts returns the parts of a content, nil if it has none.
func (g *Gen) parts(s *step, idless bool) value {
	if v, ok := s.empty(); ok {
		return v
	}
	var a array
	if s.kind == turn && g.chance(0.2) {
		a = append(a, object{{"text", str(g.tag("m"))}, {"thought", raw("true")}, {"thoughtSignature", raw(`"c2ln\/"`)}})
	}
	if s.kind != results && s.content != asAbsent || s.before {
		a = append(a, g.textPart(s.kind))
	}
	for _, c := range s.calls {
		p := object{{g.snake("functionCall", "function_call"), g.partCall(c, idless)}}
		if g.chance(0.1) {
			p = p.add("thoughtSignature", str("c2ln"))
		}
		a = append(a, p)
	}
	for _, r := range s.results {
		a = append(a, object{{g.snake("functionResponse", "function_response"), g.partResponse(r, idless)}})
	}
	if s.after {
		a = append(a, g.textPart(s.kind))
	}
	return a
}

func (g *Gen) textPart(k kind) value {
	if k == media {
		return object{{"inlineData", object{{"mimeType", str("image/png")}, {"data", str("AAAA")}, {"name", str(g.tag("m"))}}}}
	}
	if g.chance(0.1) {
		return object{{"madeUpPart", object{{"data", str(g.tag("m"))}}}}
	}
	return object{{"text", str(g.tag("m"))}}
}

func (g *Gen) snake(camel, snake string) string {
	if g.spelled.flat {
		return snake
	}
	return camel
}

func (g *Gen) partCall(c *call, idless bool) value {
	var o object
	if !idless || c.form == asEmpty || c.form == asNull {
		o = o.add("id", idMember(c.id, c.form))
	}
	o = o.add("name", str(c.name)).add("args", g.objectArguments(c))
	return g.status(o, c)
}

func (g *Gen) partResponse(r *result, idless bool) value {
	var o object
	if !idless || r.id != "" || r.form == asEmpty || r.form == asNull {
		o = o.add("id", resultID(r))
	}
	o = o.add("name", str(toolName(r))).add("response", g.response(r))
	if r.status != "" {
		o = o.add("status", str(r.status))
	}
	return o
}

// response is what a tool gave, an object.
func (g *Gen) response(r *result) value {
	key := "output"
	if r.failed || r.content == asMarker || r.content == asPlaceholder {
		key = "error"
	}
	tagged := g.resultTag(r)
	switch r.content {
	case asNull:
		return raw("null")
	case asAbsent:
		return nil
	case asEmptyArray:
		return object{}
	}
	return object{{key, g.content(r.content, tagged)}}
}
