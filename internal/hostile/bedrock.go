package hostile

var bedrock = dialect{
	name:    "bedrock-converse",
	grouped: true,
	unique:  true,
	spell:   spellBedrock,
	knobs: []knob{
		{"split results", splitResults},
		{"text before results", textBefore},
		{"results of an assistant", func(g *Gen) {
			if s := g.some(results); s != nil {
				s.role = pick(g, "assistant", "assistant", "system")
			}
		}},
		{"results in a turn", resultsInTurn},
	},
}

func spellBedrock(g *Gen, s *step) []value {
	role := map[kind]string{user: "user", media: "user", results: "user", system: "system", text: "assistant", turn: "assistant"}[s.kind]
	o := object{{"role", str(or(s.role, role))}}
	return []value{g.tail(o.add("content", g.bedrockContent(s)), s)}
}

func (g *Gen) bedrockContent(s *step) value {
	if v, ok := s.empty(); ok {
		return v
	}
	var a array
	if s.kind == turn && g.chance(0.2) {
		a = append(a, object{{"reasoningContent", object{{"reasoningText", object{{"text", str(g.tag("m"))}, {"signature", raw(`"c2ln\/"`)}}}}}})
	}
	if s.kind != results && s.content != asAbsent || s.before {
		a = append(a, g.bedrockText(s.kind))
	}
	for _, c := range s.calls {
		o := object{}.add("toolUseId", idMember(c.id, c.form)).add("name", str(c.name)).add("input", g.objectArguments(c))
		a = append(a, object{{"toolUse", g.status(o, c)}})
	}
	for _, r := range s.results {
		a = append(a, object{{"toolResult", g.bedrockResult(r)}})
	}
	if s.after {
		a = append(a, g.bedrockText(s.kind))
	}
	return a
}

func (g *Gen) bedrockText(k kind) value {
	switch {
	case k == media:
		return object{{"image", object{{"format", str("png")}, {"name", str(g.tag("m"))}, {"source", object{{"bytes", str("AAAA")}}}}}}
	case g.chance(0.1):
		return object{{"cachePoint", object{{"type", str("default")}, {"note", str(g.tag("m"))}}}}
	}
	return object{{"text", str(g.tag("m"))}}
}

func (g *Gen) bedrockResult(r *result) value {
	o := object{}.add("toolUseId", resultID(r))
	tagged := g.resultTag(r)
	var content value = array{object{{"text", str(tagged)}}}
	switch r.content {
	case asArray:
		content = array{object{{"text", str(tagged)}}, object{{"json", object{{"n", raw("1.50")}}}}}
	case asEmpty:
		content = array{object{{"text", raw(`""`)}}}
	case asNull:
		content = raw("null")
	case asAbsent:
		content = nil
	case asEmptyArray:
		content = array{}
	case asPlaceholder, asMarker:
		content = array{object{{"text", g.content(r.content, "")}}}
	}
	o = o.add("content", content)
	switch {
	case r.status != "":
		o = o.add("status", str(r.status))
	case g.chance(0.8):
		o = o.add("status", str(map[bool]string{true: "error", false: "success"}[r.failed]))
	}
	return o
}
