package hostile

import "slices"

var anthropic = dialect{
	name:    "anthropic",
	grouped: true,
	unique:  true,
	also:    serverTools,
	spell:   spellAnthropic,
	knobs: []knob{
		{"split results", splitResults},
		{"text before results", func(g *Gen) {
			if s := g.some(results); s != nil {
				s.before = true
			}
		}},
		{"results of an assistant", func(g *Gen) {
			if s := g.some(results); s != nil {
				s.role = pick(g, "assistant", "system", "tool")
			}
		}},
		{"results in a turn", resultsInTurn},
		{"server blocks elsewhere", moveServerBlock},
		{"server blocks lost", func(g *Gen) {
			if s, i := g.someBlock(); s != nil {
				s.blocks = slices.Delete(s.blocks, i, i+1)
			}
		}},
	},
}

// serverTools adds calls that the provider runs, with their results.
func serverTools(g *Gen) {
	for _, s := range g.steps {
		if (s.kind == turn || s.kind == text) && g.chance(0.1) {
			g.ids++
			kind := pick(g, "web_search", "mcp", "advisor")
			id := "srv_" + kind + string(rune('a'+g.ids%26))
			s.blocks = append(s.blocks, block{kind: kind, id: id})
			if g.chance(0.8) {
				s.blocks = append(s.blocks, block{kind: kind, id: id, result: true})
			}
		}
	}
}

func (g *Gen) someBlock() (*step, int) {
	for range 3 * len(g.steps) {
		if s := g.steps[g.r.IntN(len(g.steps))]; len(s.blocks) > 0 {
			return s, g.r.IntN(len(s.blocks))
		}
	}
	return nil, 0
}

// moveServerBlock moves a server tool's result to another message. A server
// tool's call stays: nothing else ever makes one.
func moveServerBlock(g *Gen) {
	s, i := g.someBlock()
	if s == nil || !s.blocks[i].result {
		return
	}
	b := s.blocks[i]
	s.blocks = slices.Delete(s.blocks, i, i+1)
	to := g.some(text, turn, user)
	to.blocks = slices.Insert(to.blocks, g.r.IntN(len(to.blocks)+1), b)
}

// splitResults puts a part of the results into a message of their own.
func splitResults(g *Gen) {
	at, s := g.someStep(results)
	if s == nil || len(s.results) < 2 {
		return
	}
	k := 1 + g.r.IntN(len(s.results)-1)
	second := &step{kind: results, results: slices.Clone(s.results[k:]), branch: s.branch, after: g.chance(0.2)}
	s.results = s.results[:k]
	g.steps = slices.Insert(g.steps, at+1, second)
}

// resultsInTurn moves results into the assistant message that called.
func resultsInTurn(g *Gen) {
	r, _ := g.takeResult()
	if r == nil {
		return
	}
	if s := g.some(turn); s != nil {
		s.results = append(s.results, r)
	}
}

func spellAnthropic(g *Gen, s *step) []value {
	role := map[kind]string{user: "user", media: "user", results: "user", system: "system", text: "assistant", turn: "assistant"}[s.kind]
	o := object{{"role", str(or(s.role, role))}}
	return []value{g.tail(o.add("content", g.blockContent(s)), s)}
}

func (g *Gen) blockContent(s *step) value {
	plain := s.kind == user || s.kind == system || s.kind == text
	switch {
	case s.kind == media:
		return g.media(g.tag("m"))
	case plain && len(s.blocks) == 0 && (s.content != asString || g.chance(0.5)):
		return g.content(s.content, g.tag("m"))
	}
	var a array
	if s.kind == turn && g.chance(0.2) {
		a = append(a, object{{"type", str("thinking")}, {"thinking", str(g.tag("m"))}, {"signature", raw(`"c2ln\/"`)}})
	}
	if s.kind != results && (s.content != asAbsent) || s.before {
		a = append(a, g.textBlock())
	}
	for _, b := range s.blocks {
		a = append(a, g.serverBlock(b))
	}
	for _, c := range s.calls {
		a = append(a, g.useBlock(c))
	}
	for _, r := range s.results {
		a = append(a, g.resultBlock(r))
	}
	if s.after {
		a = append(a, g.textBlock())
	}
	return a
}

func (g *Gen) textBlock() value {
	if g.chance(0.1) {
		return object{{"type", str("made_up_type")}, {"data", str(g.tag("m"))}}
	}
	return object{{"type", str("text")}, {"text", str(g.tag("m"))}}
}

func (g *Gen) serverBlock(b block) value {
	call := map[string]string{"mcp": "mcp_tool_use"}
	if b.result {
		return object{{"type", str(b.kind + "_tool_result")}, {"tool_use_id", id(b.id)}, {"content", str(g.tag("r"))}}
	}
	return object{{"type", str(or(call[b.kind], "server_tool_use"))}, {"id", id(b.id)}, {"name", str(b.kind)}, {"input", g.args()}}
}

func (g *Gen) useBlock(c *call) value {
	o := object{{"type", str("tool_use")}}
	o = o.add("id", idMember(c.id, c.form)).add("name", str(c.name)).add("input", g.objectArguments(c))
	return g.status(o, c)
}

func (g *Gen) resultBlock(r *result) value {
	o := object{{"type", str("tool_result")}}
	o = o.add("tool_use_id", resultID(r)).add("content", g.content(r.content, g.resultTag(r)))
	if r.failed {
		o = o.add("is_error", raw("true"))
	}
	if r.status != "" {
		o = o.add("status", str(r.status))
	}
	return o
}

// objectArguments returns arguments where an object is wanted.
func (g *Gen) objectArguments(c *call) value {
	switch c.args {
	case argsAbsent:
		return nil
	case argsOther:
		return object{}
	case argsCut:
		return raw(`"{\"path\":\"` + g.tag("a") + `"`)
	case argsEmptyText:
		return raw(`""`)
	case argsText:
		return raw(`" {\"path\":\"` + g.tag("a") + `\", \"n\": 1.50}"`)
	case argsNull:
		return raw("null")
	case argsList:
		return pick[value](g, array{str(g.tag("a"))}, raw("7"), raw("true"), raw(`"[1]"`))
	}
	return g.args()
}
