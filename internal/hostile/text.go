package hostile

import (
	"fmt"
	"strings"
)

// A value is a JSON value to be printed.
type value interface{ print(p *printer) }

type (
	raw    string // printed as it is
	array  []value
	object []member
	member struct {
		name string
		v    value
	}
	id string // a string that may be printed with escapes
)

// str returns a plain string as JSON text.
func str(s string) raw { return raw(`"` + s + `"`) }

// A spelling is how one history is written.
type spelling struct {
	goNames bool // as the fields of a Go struct
	flat    bool // openai-chat: calls without a function member
	legacy  bool // openai-chat: function_call
	scheme  int  // of ids
	names   bool // results have a tool name where that is optional
	times   bool // messages have a time
	branch  int  // which member tells the branch
	noise   bool // elements that are no messages
	keys    bool // names come twice, or with escapes
	escapes bool // ids are escaped now and then
	extras  bool // numbers and strings that a decoder would spoil
	links   int  // messages name the one before them; 2: and fork
	spacing int
}

func newSpelling(g *Gen) spelling {
	s := spelling{
		goNames: g.chance(0.15),
		flat:    g.chance(0.2),
		scheme:  g.r.IntN(3),
		names:   g.chance(0.3),
		times:   g.chance(0.3),
		branch:  g.r.IntN(3),
		noise:   g.chance(0.1),
		keys:    g.chance(0.1),
		escapes: g.chance(0.1),
		extras:  g.chance(0.2),
		spacing: g.r.IntN(5),
	}
	s.legacy = g.chance(0.1)
	if g.chance(0.05) {
		s.links = 1 + g.r.IntN(2)
	}
	return s
}

func (s spelling) print(g *Gen, v value) []byte {
	p := &printer{g: g, spelling: s}
	if s.spacing == odd {
		p.gap()
	}
	v.print(p)
	if s.spacing != compact && g.chance(0.5) {
		p.WriteByte('\n')
	}
	return []byte(p.String())
}

const (
	compact = iota
	spaced
	pretty
	crlf
	odd
)

type printer struct {
	strings.Builder
	spelling
	g     *Gen
	depth int
}

func (r raw) print(p *printer) { p.WriteString(string(r)) }

func (s id) print(p *printer) { p.quote(string(s), p.escapes && p.g.chance(0.5)) }

func (a array) print(p *printer) {
	p.list("[", "]", len(a), func(i int) { a[i].print(p) })
}

func (o object) print(p *printer) {
	if p.keys {
		o = o.doubled(p.g)
	}
	p.list("{", "}", len(o), func(i int) {
		name := o[i].name
		if p.goNames {
			name = goName(name)
		}
		p.quote(name, p.keys && p.g.chance(0.1))
		p.colon()
		o[i].v.print(p)
	})
}

// doubled puts before some members one of the same name, which does not
// count.
func (o object) doubled(g *Gen) object {
	var d object
	for _, m := range o {
		if g.chance(0.1) {
			d = append(d, member{m.name, pick[value](g, raw("null"), raw("7"), str("user"), str("other"), array{}, object{{"id", str("x")}})})
		}
		d = append(d, m)
	}
	return d
}

func (p *printer) list(begin, end string, n int, item func(int)) {
	p.WriteString(begin)
	p.depth++
	for i := range n {
		if i > 0 {
			p.WriteByte(',')
			if p.spacing == spaced {
				p.WriteByte(' ')
			}
		}
		p.line(n)
		item(i)
	}
	p.depth--
	p.line(n)
	p.WriteString(end)
}

func (p *printer) line(n int) {
	switch {
	case n > 0 && p.spacing == pretty:
		p.WriteString("\n" + strings.Repeat("  ", p.depth))
	case n > 0 && p.spacing == crlf:
		p.WriteString("\r\n" + strings.Repeat("\t", p.depth))
	case p.spacing == odd:
		p.gap()
	}
}

func (p *printer) colon() {
	switch p.spacing {
	case compact:
		p.WriteByte(':')
	case odd:
		p.gap()
		p.WriteByte(':')
		p.gap()
	default:
		p.WriteString(": ")
	}
}

func (p *printer) gap() {
	for p.g.chance(0.3) {
		p.WriteString(pick(p.g, " ", "\t", "\n", "\r\n", "  "))
	}
}

// quote prints a string of plain characters, one of them escaped if asked.
func (p *printer) quote(s string, escaped bool) {
	if escaped && s != "" {
		i := p.g.r.IntN(len(s))
		s = s[:i] + fmt.Sprintf(`\u%04x`, s[i]) + s[i+1:]
	}
	p.WriteString(`"` + s + `"`)
}

// goName spells a member as the field of a Go struct that has no tag for it.
func goName(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if word == "id" {
			word = "ID"
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	s := b.String()
	if strings.HasSuffix(s, "Id") {
		s = strings.TrimSuffix(s, "Id") + "ID"
	}
	return s
}
