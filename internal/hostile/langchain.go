package hostile

// Histories of spelled.flat are serialized.
var langChain = dialect{
	name:  "langchain",
	spell: spellLangChain,
	knobs: []knob{{"empty calls", emptyCalls}},
}

func spellLangChain(g *Gen, s *step) []value {
	bare := *s
	if g.spelled.flat {
		bare.status = "" // a serialized message has nothing beside its kwargs
	}
	if s.kind == results {
		var vs []value
		for _, r := range s.results {
			vs = append(vs, g.tail(g.langChainMessage("tool", g.langChainResult(r)), &bare))
		}
		return vs
	}
	kind := map[kind]string{user: "human", media: "human", system: "system", text: "ai", turn: "ai"}[s.kind]
	if s.role == "user" {
		kind = "human"
	} else if s.role != "" {
		kind = s.role
	}
	var o object
	if s.kind == media {
		o = o.add("content", g.media(g.tag("m")))
	} else {
		o = o.add("content", g.content(s.content, g.tag("m")))
	}
	var answer []value
	switch {
	case len(s.calls) > 0:
		o = o.add("tool_calls", g.langChainCalls(s.calls))
		if kind == "ai" && g.chance(0.1) {
			o = o.add("invalid_tool_calls", array{object{{"id", str("bad")}, {"name", str("read")}, {"args", str("{")}, {"error", raw("null")}}})
			told := object{{"tool_call_id", str("bad")}, {"content", str(g.tag("m"))}}
			answer = append(answer, g.tail(g.langChainMessage("tool", told), &bare))
		}
	case s.noCalls, kind == "ai" && g.chance(0.5):
		o = o.add("tool_calls", array{}).add("invalid_tool_calls", array{})
	}
	return append([]value{g.tail(g.langChainMessage(kind, o), &bare)}, answer...)
}

// langChainMessage wraps the fields of a message.
func (g *Gen) langChainMessage(kind string, fields object) object {
	if !g.spelled.flat {
		return append(object{{"type", str(kind)}}, fields...)
	}
	class := map[string]string{"ai": "AIMessage", "human": "HumanMessage", "system": "SystemMessage", "tool": "ToolMessage"}[kind]
	if kind == "ai" && g.chance(0.2) {
		class = "AIMessageChunk"
	}
	path := array{str("langchain"), str("schema"), str("messages"), str(class)}
	return object{{"lc", raw("1")}, {"type", str("constructor")}, {"id", path}, {"kwargs", fields}}
}

func (g *Gen) langChainCalls(calls []*call) array {
	var a array
	for _, c := range calls {
		o := object{}.add("id", idMember(c.id, c.form)).add("name", str(c.name)).add("args", g.objectArguments(c))
		a = append(a, g.status(o.add("type", str("tool_call")), c))
	}
	return a
}

func (g *Gen) langChainResult(r *result) object {
	o := object{}.add("tool_call_id", resultID(r))
	if g.spelled.names || r.blank {
		o = o.add("name", str(toolName(r)))
	}
	o = o.add("content", g.content(r.content, g.resultTag(r)))
	switch {
	case r.status != "":
		o = o.add("status", str(r.status))
	case g.chance(0.7):
		o = o.add("status", str(map[bool]string{true: "error", false: "success"}[r.failed]))
	}
	return o
}
