package hostile

import "encoding/base64"

var openAIChat = dialect{
	name:  "openai-chat",
	spell: spellChat,
	knobs: []knob{{"empty calls", emptyCalls}, {"custom call", customCall}},
}

func emptyCalls(g *Gen) {
	if s := g.some(text); s != nil {
		s.noCalls = true
	}
}

// customCall makes a call one of free text, which is not at fault.
func customCall(g *Gen) {
	if c := g.someCall(); c != nil {
		c.custom = true
	}
}

func spellChat(g *Gen, s *step) []value {
	switch {
	case s.kind == results:
		var vs []value
		for _, r := range s.results {
			vs = append(vs, g.tail(g.chatResult(r), s))
		}
		return vs
	case s.kind == media:
		return []value{g.tail(object{{"role", str(or(s.role, "user"))}, {"content", g.media(g.tag("m"))}}, s)}
	}
	role := map[kind]string{user: "user", system: pick(g, "system", "developer"), text: "assistant", turn: "assistant"}[s.kind]
	o := object{{"role", str(or(s.role, role))}}
	o = o.add("content", g.content(s.content, g.tag("m")))
	switch {
	case s.noCalls:
		o = o.add("tool_calls", array{})
	case g.spelled.legacy && len(s.calls) > 0:
		c := s.calls[0]
		o = g.status(o.add("function_call", g.chatFunction(c)), c)
	case len(s.calls) > 0:
		o = o.add("tool_calls", g.chatCalls(s.calls))
	case g.spelled.goNames:
		o = o.add("tool_calls", raw("null")).add("tool_call_id", raw(`""`))
	}
	return []value{g.tail(o, s)}
}

func (g *Gen) chatCalls(calls []*call) array {
	var a array
	for _, c := range calls {
		o := object{}.add("id", idMember(c.id, c.form))
		switch {
		case c.custom && !g.spelled.flat:
			o = o.add("type", str("custom")).add("custom", object{{"name", str(c.name)}, {"input", str("a7 {")}})
		case g.spelled.flat:
			o = append(o, g.chatFunction(c)...)
		default:
			o = o.add("type", str("function")).add("function", g.chatFunction(c))
		}
		a = append(a, g.status(o, c))
	}
	return a
}

func (g *Gen) status(o object, c *call) object {
	if c.status == "" {
		return o
	}
	return o.add(pick(g, "status", "state"), str(c.status))
}

func (g *Gen) chatFunction(c *call) object {
	o := object{{"name", str(c.name)}}
	fine := g.tag("a")
	switch c.args {
	case argsAbsent:
		if g.spelled.flat && c.form != asString {
			return o.add("arguments", raw("null")) // a name alone does not make a call
		}
		return o
	case argsOther:
		b := base64.StdEncoding.EncodeToString([]byte(`{"path":1}`))
		if c.form != asString {
			return o.add("arguments", str(b)) // an object and no id would be Ollama's own format
		}
		return o.add("arguments", pick[value](g, g.args(), str(b), raw("null")))
	case argsCut:
		return o.add("arguments", raw(`"{\"path\":\"`+fine+`"`))
	case argsEmptyText:
		return o.add("arguments", raw(`""`))
	case argsNull:
		return o.add("arguments", raw("null"))
	case argsList:
		return o.add("arguments", pick(g, raw(`"[1]"`), raw(`"null"`), raw(`"{} x"`), raw(`" "`)))
	}
	return o.add("arguments", raw(`"{\"path\":\"`+fine+`\"}"`))
}

func (g *Gen) chatResult(r *result) object {
	if g.spelled.legacy {
		o := object{{"role", str("function")}, {"name", str(toolName(r))}}
		return g.chatContent(o, r)
	}
	o := object{{"role", str("tool")}}.add("tool_call_id", resultID(r))
	if g.spelled.names || r.blank {
		o = o.add("name", str(toolName(r)))
	}
	if g.spelled.goNames {
		o = o.add("tool_calls", raw("null"))
	}
	return g.chatContent(o, r)
}

func (g *Gen) chatContent(o object, r *result) object {
	o = o.add("content", g.content(r.content, g.resultTag(r)))
	if r.status != "" {
		o = o.add("status", str(r.status))
	}
	return o
}

// or returns the first string that is not empty.
func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
