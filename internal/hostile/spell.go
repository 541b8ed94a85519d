package hostile

import "strconv"

// What the dialects have in common.

// placeholders are texts of other programs that stand for a result which
// never came, as they write them.
var placeholders = []string{
	"No result provided",
	"Tool execution was interrupted before completion.",
	"[Tool execution was interrupted]",
}

var markers = []string{"[interrompu]", "[interrupted]"}

// tag returns the next tag of a class.
func (g *Gen) tag(class string) string {
	g.tags++
	return class + strconv.Itoa(g.tags) + ";"
}

// add appends a member, unless v is nil.
func (o object) add(name string, v value) object {
	if v == nil {
		return o
	}
	return append(o, member{name, v})
}

// content returns a text in a form, nil if it is absent. Blocks are of type
// text.
func (g *Gen) content(f form, tagged string) value {
	switch f {
	case asArray:
		a := array{object{{"type", str("text")}, {"text", str(tagged)}}}
		if g.chance(0.3) {
			a = append(a, object{{"type", str("made_up_type")}, {"id", str("x")}})
		}
		return a
	case asEmpty:
		return raw(`""`)
	case asNull:
		return raw("null")
	case asAbsent:
		return nil
	case asEmptyArray:
		return array{}
	case asPlaceholder:
		return str(pick(g, placeholders...))
	case asMarker:
		return str(pick(g, markers...))
	}
	return str(tagged + pick(g, "", " text", ` \ud83d`, ` \u00e9\/`, " été"))
}

// media is what a tool showed.
func (g *Gen) media(tagged string) value {
	kind := pick(g, "image_url", "video_url", "file", "image")
	return array{
		object{{"type", str("text")}, {"text", str(tagged)}},
		object{{"type", str(kind)}, {kind, object{{"url", str("data:;base64,AAAA")}}}},
	}
}

// idMember returns an id in a form, nil if it is absent.
func idMember(s string, f form) value {
	switch f {
	case asEmpty:
		return raw(`""`)
	case asNull:
		return raw("null")
	case asAbsent:
		return nil
	}
	return id(s)
}

// resultID returns the id of a result.
func resultID(r *result) value {
	s := r.id
	if s == "" && r.of != nil {
		s = r.of.id
	}
	f := r.form
	if s == "" && f == asString {
		f = asEmpty
	}
	return idMember(s, f)
}

// toolName returns the tool name of a result.
func toolName(r *result) string {
	switch {
	case r.blank:
		return ""
	case r.name != "":
		return r.name
	case r.of != nil:
		return r.of.name
	}
	return "look"
}

// resultTag gives each text of a result a tag once: a result that stands
// twice has one tag.
func (g *Gen) resultTag(r *result) string {
	if r.tag == 0 {
		g.tags++
		r.tag = g.tags
	}
	return "r" + strconv.Itoa(r.tag) + ";"
}

// object returns the arguments as an object.
func (g *Gen) args() object {
	return object{{"path", str(g.tag("a"))}}
}

// tail adds what any message may have.
func (g *Gen) tail(o object, s *step) value {
	if s.status != "" {
		o = o.add(pick(g, "status", "state"), str(s.status))
	}
	if g.spelled.times {
		o = o.add(pick(g, "created_at", "created_at", "ts"), raw("17600000000000000"+strconv.Itoa(10+len(o))))
	}
	o = g.linked(g.inBranch(o, s.branch))
	if g.spelled.extras && g.chance(0.5) {
		o = o.add("seq", raw("9007199254740993")).add("score", raw("1.50e+02")).add("note", raw(`"\ud800 \"\\"`))
	}
	if g.chance(0.2) {
		g.r.Shuffle(len(o), func(i, k int) { o[i], o[k] = o[k], o[i] })
	}
	return o
}

// linked adds a message's own name and that of the one before it.
func (g *Gen) linked(o object) object {
	if g.spelled.links == 0 {
		return o
	}
	before := raw("null")
	switch {
	case g.serial > 0 && g.spelled.links == 2 && g.chance(0.1):
		before = str("n" + strconv.Itoa(g.r.IntN(g.serial)))
	case g.serial > 0:
		before = str("n" + strconv.Itoa(g.serial-1))
	}
	o = o.add("uuid", str("n"+strconv.Itoa(g.serial))).add(pick(g, "parentUuid", "parentId"), before)
	g.serial++
	return o
}

func (g *Gen) inBranch(o object, branch int) object {
	switch {
	case g.spelled.branch == 0 && branch > 0:
		return o.add("branch", str("side"+strconv.Itoa(branch)))
	case g.spelled.branch == 1:
		return o.add("lane_id", raw(strconv.Itoa(branch+1)))
	case g.spelled.branch == 2 && branch > 0:
		return o.add("isSidechain", raw("true"))
	}
	return o
}
