package hostile

import "slices"

var pi = dialect{
	name:  "pi",
	also:  abortedTurns,
	spell: spellPi,
	knobs: []knob{
		{"abort a turn", func(g *Gen) {
			if s := g.some(turn); s != nil {
				s.stop = pick(g, "aborted", "error")
			}
		}},
		{"aborted turns", abortedTurns},
	},
}

// abortedTurns puts in turns that were cut off. Their calls may have the id of
// any other.
func abortedTurns(g *Gen) {
	for i := 0; i < len(g.steps); i++ {
		if !g.chance(0.05) {
			continue
		}
		s := g.turn()
		s.stop = pick(g, "aborted", "error")
		s.branch = g.steps[i].branch
		for _, c := range s.calls {
			if other := g.someCall(); other != nil && g.chance(0.5) {
				c.id = other.id
			}
			if g.chance(0.3) {
				c.args = argsCut
			}
		}
		g.steps = slices.Insert(g.steps, i, s)
		i++
	}
}

func spellPi(g *Gen, s *step) []value {
	switch s.kind {
	case results:
		var vs []value
		for _, r := range s.results {
			vs = append(vs, g.tail(g.piResult(r), s))
		}
		return vs
	case turn, text:
		o := object{{"role", str(or(s.role, "assistant"))}}
		o = o.add("content", g.piContent(s))
		stop := s.stop
		if stop == "" {
			stop = map[kind]string{turn: "toolUse", text: "stop"}[s.kind]
		}
		if s.stop != "" || g.chance(0.8) {
			o = o.add("stopReason", str(stop))
		}
		return []value{g.tail(o, s)}
	case media:
		return []value{g.tail(object{{"role", str("user")}, {"content", g.media(g.tag("m"))}}, s)}
	}
	role := map[kind]string{user: "user", system: pick(g, "bashExecution", "compactionSummary", "custom")}[s.kind]
	o := object{{"role", str(or(s.role, role))}}
	return []value{g.tail(o.add("content", g.content(s.content, g.tag("m"))), s)}
}

func (g *Gen) piContent(s *step) value {
	if s.kind == text && s.content != asString {
		return g.content(s.content, g.tag("m"))
	}
	var a array
	if g.chance(0.3) {
		a = append(a, object{{"type", str("thinking")}, {"thinking", str(g.tag("m"))}, {"thinkingSignature", str("c2ln")}})
	}
	if s.content != asAbsent {
		a = append(a, g.textBlock())
	}
	for _, c := range s.calls {
		o := object{{"type", str("toolCall")}}
		o = o.add("id", idMember(c.id, c.form)).add("name", str(c.name)).add("arguments", g.objectArguments(c))
		a = append(a, g.status(o, c))
	}
	return a
}

func (g *Gen) piResult(r *result) object {
	o := object{{"role", str("toolResult")}}
	o = o.add("toolCallId", resultID(r)).add("toolName", str(toolName(r)))
	f := r.content
	if f == asString {
		f = asArray
	}
	c := g.content(f, g.resultTag(r))
	if m, ok := c.(raw); ok && f >= asPlaceholder {
		c = array{object{{"type", str("text")}, {"text", m}}}
	}
	o = o.add("content", c)
	o = o.add("isError", raw(map[bool]string{true: "true", false: "false"}[r.failed]))
	if r.status != "" {
		o = o.add("status", str(r.status))
	}
	return o
}
