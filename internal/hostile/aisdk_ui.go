package hostile

// Call and result are one part, so what happens to results shows in the state
// of the part; steps of results are not spelled. Older histories are those of
// spelled.flat, which have toolInvocations, and of spelled.legacy, which have
// them as parts, and some beside those once more.
var aiSDKUI = dialect{
	name: "ai-sdk-ui",
	also: func(g *Gen) {
		for range g.r.IntN(1 + len(g.steps)) {
			g.steps = append([]*step{{kind: pick(g, user, text)}}, g.steps...)
		}
	},
	spell: spellUIMessage,
	knobs: []knob{
		{"lose a step of results", loseResults},
		{"lose a step of results", loseResults},
		{"lose a step of results", loseResults},
		{"lose most results", func(g *Gen) {
			for range 1 + g.r.IntN(1+len(g.steps)) {
				loseResults(g)
			}
		}},
		{"a question", func(g *Gen) {
			if c := g.someCall(); c != nil {
				c.status = "approval-requested"
				g.forget(c)
			}
		}},
		{"a question at the end", func(g *Gen) {
			s := g.turn()
			s.calls[0].status = pick(g, "approval-requested", "approval-responded")
			g.steps = append(g.steps, s)
		}},
		{"run by the provider", func(g *Gen) {
			if c := g.someCall(); c != nil {
				c.custom = true
				g.forget(c)
			}
		}},
	},
}

// forget takes out every result of a call.
func (g *Gen) forget(c *call) {
	for r := g.resultOf(c, 0); r != nil; r = g.resultOf(c, 0) {
		g.remove(r, 0)
	}
}

func spellUIMessage(g *Gen, s *step) []value {
	if s.kind == results {
		return nil
	}
	role := map[kind]string{user: "user", media: "user", system: "system", text: "assistant", turn: "assistant"}[s.kind]
	o := object{{"id", str("msg")}, {"role", str(role)}}
	bare := *s
	bare.status = "" // a part has its own state
	var list array
	for _, c := range s.calls {
		if g.spelled.flat || g.spelled.legacy {
			list = append(list, g.invocation(c))
		}
	}
	if g.spelled.flat {
		o = o.add("content", str(g.tag("m")))
	} else {
		o = o.add("parts", g.uiParts(s, list))
	}
	if list != nil && (g.spelled.flat || g.spelled.names) {
		o = o.add("toolInvocations", list)
	}
	return []value{g.tail(o, &bare)}
}

// uiParts are the parts of a message; older are its calls if they are parts as
// they were before version 5.
func (g *Gen) uiParts(s *step, older array) value {
	a := array{}
	if s.kind == turn && g.chance(0.5) {
		a = append(a, object{{"type", str("step-start")}})
	}
	if s.kind == media {
		a = append(a, object{{"type", str("file")}, {"mediaType", str("image/png")}, {"url", str(g.tag("m"))}})
	} else if s.content != asAbsent {
		a = append(a, g.textBlock())
	}
	for k, c := range s.calls {
		if older != nil {
			a = append(a, object{{"type", str("tool-invocation")}, {"toolInvocation", older[k]}})
		} else {
			a = append(a, g.uiPart(c))
		}
	}
	return a
}

func (g *Gen) uiPart(c *call) value {
	o := object{{"type", str("tool-" + c.name)}}
	if g.spelled.names {
		o = object{{"type", str("dynamic-tool")}, {"toolName", str(c.name)}}
	}
	o = o.add("toolCallId", idMember(c.id, c.form))
	if c.custom {
		o = o.add("providerExecuted", raw("true"))
	}
	input := g.objectArguments(c)
	r := g.resultOf(c, 0)
	switch {
	case r != nil && (r.failed || r.content == asMarker):
		o = o.add("state", str("output-error")).add("input", input).add("errorText", g.content(r.content, g.resultTag(r)))
	case r != nil:
		o = o.add("state", str("output-available")).add("input", input).add("output", g.content(r.content, g.resultTag(r)))
	case c.status == "approval-responded":
		o = o.add("state", str(c.status)).add("input", input).add("approval", object{{"id", str("ap")}, {"approved", raw("true")}})
	case c.status != "":
		approval := object{{"id", str("ap")}}
		if g.chance(0.3) {
			approval = approval.add("approved", raw("null")).add("reason", pick(g, raw(`""`), str(g.tag("m"))))
		}
		o = o.add("state", str("approval-requested")).add("input", input).add("approval", approval)
	default:
		o = o.add("state", str(pick(g, "input-streaming", "input-available"))).add("input", input)
	}
	return o
}

// invocation is a part as it was before version 5.
func (g *Gen) invocation(c *call) value {
	r := g.resultOf(c, 0)
	state := pick(g, "partial-call", "call")
	if r != nil {
		state = "result"
	} else if c.status != "" {
		state = "approval-requested"
	}
	o := object{{"state", str(state)}}.add("toolCallId", idMember(c.id, c.form))
	o = o.add("toolName", str(c.name)).add("args", g.objectArguments(c))
	if c.custom {
		o = o.add("providerExecuted", raw("true"))
	}
	if r != nil {
		o = o.add("result", g.content(r.content, g.resultTag(r)))
	}
	return o
}
