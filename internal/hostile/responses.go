package hostile

import "slices"

// The kind of a call goes by the name of its tool.
var responses = dialect{
	name:   "openai-responses",
	unique: true,
	also: func(g *Gen) {
		kinds(g)
		hostedItems(g)
		g.loosen(func(*step) {})
	},
	spell: spellResponses,
	knobs: []knob{
		{"output of another kind", func(g *Gen) {
			if r, _ := g.someResult(); r != nil {
				r.name = pick(g, "look", "custom", "local_shell")
			}
		}},
		{"results before their turn", resultsBefore},
		{"lose a step of results", loseResults},
		{"hosted items", hostedItems},
	},
}

// kinds makes some calls calls of other kinds than functions. Those that are
// never answered, and so are only reported, are rare.
func kinds(g *Gen) {
	odd := g.chance(0.05)
	for _, s := range g.steps {
		for _, c := range s.calls {
			switch {
			case g.chance(0.15):
				c.name = pick(g, "custom", "custom", "local_shell", "tool_search")
			case odd && g.chance(0.3):
				c.name = pick(g, "computer", "shell", "apply_patch")
			}
		}
	}
}

// hostedItems puts in what the provider runs and answers itself.
func hostedItems(g *Gen) {
	for _, s := range g.steps {
		if (s.kind == turn || s.kind == text) && g.chance(0.1) {
			s.blocks = append(s.blocks, block{kind: pick(g, "web_search", "mcp", "tool_search")})
		}
	}
}

func spellResponses(g *Gen, s *step) []value {
	var items []object
	switch {
	case s.kind == results:
		for _, r := range s.results {
			items = append(items, g.outputItem(r))
		}
	case s.kind == turn:
		items = g.turnItems(s)
	default:
		for _, b := range s.blocks {
			items = append(items, g.hostedItem(b)...)
		}
		items = append(items, g.messageItem(s))
	}
	var vs []value
	for _, o := range items {
		bare := *s
		bare.status = "" // an item has its own
		vs = append(vs, g.tail(o, &bare))
	}
	return vs
}

func (g *Gen) turnItems(s *step) []object {
	var items []object
	if g.chance(0.3) {
		items = append(items, g.reasoningItem())
	}
	if s.content == asString {
		items = append(items, g.messageItem(s))
	}
	for _, b := range s.blocks {
		items = append(items, g.hostedItem(b)...)
	}
	for _, c := range s.calls {
		items = append(items, g.callItem(s, c))
		if g.chance(0.1) { // the turn goes on
			items = append(items, pick(g, g.reasoningItem, func() object { return g.messageItem(&step{kind: text}) })())
		}
	}
	return items
}

func (g *Gen) reasoningItem() object {
	return object{{"type", str("reasoning")}, {"id", str("rs_1")}, {"summary", array{}}, {"encrypted_content", str(g.tag("m"))}}
}

func (g *Gen) messageItem(s *step) object {
	role := map[kind]string{user: "user", media: "user", system: pick(g, "system", "developer"), text: "assistant", turn: "assistant"}[s.kind]
	o := object{{"role", str(role)}}
	if g.chance(0.7) {
		o = append(object{{"type", str("message")}}, o...)
	}
	if s.kind == media {
		return o.add("content", array{object{{"type", str("input_image")}, {"name", str(g.tag("m"))}, {"image_url", str("data:;base64,AAAA")}}})
	}
	return o.add("content", g.itemContent(s.content, g.tag("m"), role))
}

// itemContent is a text in a form, in blocks of the types that a role has.
func (g *Gen) itemContent(f form, tagged, role string) value {
	if f != asArray {
		return g.content(f, tagged)
	}
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return array{object{{"type", str(kind)}, {"text", str(tagged)}}}
}

func (g *Gen) callItem(s *step, c *call) object {
	o := object{{"type", str(callType(c.name))}}.add("call_id", idMember(c.id, c.form))
	switch callType(c.name) {
	case "function_call":
		o = append(o, g.functionItem(c)...)
	case "custom_tool_call":
		o = o.add("name", str("sh")).add("input", pick[value](g, str("ls {"), raw(`""`), str("{}")))
	case "tool_search_call":
		o = o.add("execution", str("client")).add("arguments", object{{"goal", str("x")}})
	default:
		o = o.add("action", object{{"type", str("exec")}})
	}
	if status := or(c.status, s.status); status != "" {
		return o.add("status", str(status))
	}
	return o
}

// functionItem is the name and the arguments of a function, as in a chat.
func (g *Gen) functionItem(c *call) object {
	flat := *c
	if flat.args == argsOther {
		flat.form = asString // an object will do: no other format has items
	}
	if flat.args == argsAbsent {
		return object{{"name", str(c.name)}}
	}
	return g.chatFunction(&flat)
}

func callType(name string) string {
	if slices.Contains([]string{"local_shell", "tool_search", "computer", "shell", "apply_patch"}, name) {
		return name + "_call"
	}
	if name == "custom" {
		return "custom_tool_call"
	}
	return "function_call"
}

func (g *Gen) outputItem(r *result) object {
	kind := callType(toolName(r)) + "_output"
	o := object{}
	switch {
	case kind == "tool_search_call_output":
		o = o.add("type", str("tool_search_output")).add("call_id", resultID(r)).add("execution", str("client"))
		return o.add("tools", array{object{{"type", str("function")}, {"name", str(g.resultTag(r))}}})
	case kind == "local_shell_call_output" && g.chance(0.3):
		kind = "function_call_output"
	}
	o = o.add("type", str(kind)).add("call_id", resultID(r))
	o = o.add("output", g.itemContent(r.content, g.resultTag(r), "user"))
	if r.status != "" {
		o = o.add("status", str(r.status))
	}
	return o
}

func (g *Gen) hostedItem(b block) []object {
	switch b.kind {
	case "mcp":
		return []object{{{"type", str("mcp_call")}, {"id", str("mcp_1")}, {"name", str("f")}, {"arguments", str("{")}, {"output", str(g.tag("m"))}}}
	case "tool_search":
		return []object{
			{{"type", str("tool_search_call")}, {"execution", str("server")}, {"call_id", raw("null")}, {"arguments", object{{"goal", str(g.tag("m"))}}}},
			{{"type", str("tool_search_output")}, {"execution", str("server")}, {"call_id", raw("null")}, {"tools", array{}}},
		}
	}
	return []object{{{"type", str("web_search_call")}, {"id", str("ws_1")}, {"status", str("completed")}, {"action", object{{"query", str(g.tag("m"))}}}}}
}
