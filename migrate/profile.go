package migrate

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"boltmend/internal/jsonedit"
)

// A profile is what the rows of a bucket have in common.
type profile struct {
	path         [][]byte // of the bucket
	rows, others int
	whole        keyStats
	parts        []parting // by separator
	wraps        map[string]int
	fields       map[string]*field
	prefixes     map[string]int // of keys, before the first of a few separators
	sealed       string         // the member that holds a digest of the row
	guard        guard
}

// A field is a member that some rows have.
type field struct {
	n        int
	first    []byte // raw text
	constant bool
	numbers  int
	times    int
	texts    int
	values   map[string]int // the first few
}

// maxFields bounds the members that a profile looks at, maxValues the values of
// each that it remembers.
const (
	maxFields = 64
	maxValues = 256
)

func newProfile(path [][]byte) *profile {
	return &profile{
		path: path, parts: make([]parting, len(separators)),
		wraps: make(map[string]int), fields: make(map[string]*field), prefixes: make(map[string]int),
	}
}

// add looks at a row whose message is the node msg.
func (p *profile) add(key []byte, d *jsonedit.Doc, msg jsonedit.Ref) {
	p.whole.add(key)
	for i, sep := range separators {
		p.parts[i].add(sep, key)
	}
	p.rows++
	if at := bytes.IndexAny(key, "/:|#"); at > 0 && len(p.prefixes) < maxValues {
		p.prefixes[string(key[:at])]++
	}
	wrap := ""
	if msg > 0 {
		wrap = d.Text(msg - 1)
	}
	p.wraps[wrap]++
	for name := range d.Members(0) {
		p.member(d, name)
	}
	if p.sealed == "" {
		p.sealed = p.guard.in(d, 0, msg, msg > 0)
	}
}

func (p *profile) member(d *jsonedit.Doc, name jsonedit.Ref) {
	key := d.Text(name)
	f := p.fields[key]
	if f == nil {
		if len(p.fields) >= maxFields {
			return
		}
		f = &field{first: bytes.Clone(d.Raw(name + 1)), constant: true}
		p.fields[key] = f
	}
	f.n++
	raw := d.Raw(name + 1)
	if len(f.values) < maxValues && len(raw) < 128 {
		if f.values == nil {
			f.values = make(map[string]int)
		}
		f.values[string(raw)]++
	}
	f.constant = f.constant && bytes.Equal(raw, f.first)
	switch d.Kind(name + 1) {
	case jsonedit.Number:
		f.numbers++
	case jsonedit.String:
		f.texts++
		if isTime(d.Text(name + 1)) {
			f.times++
		}
	}
}

func isTime(s string) bool {
	if len(s) < 20 || len(s) > 40 || s[4] != '-' {
		return false
	}
	_, err := time.Parse(time.RFC3339Nano, s)
	return err == nil
}

// wrap is where most rows have their message.
func (p *profile) wrap() string {
	best := ""
	for w, n := range p.wraps {
		if n > p.wraps[best] || n == p.wraps[best] && w < best {
			best = w
		}
	}
	return best
}

// layout chooses among the layouts that all rows can be of. An index has been
// looked for already.
func (p *profile) layout(x *index) *layout {
	l := &layout{kind: rows, form: p.whole.form(), wrap: p.wrap()}
	if !l.form.ordered() && l.form != uuid && x == nil {
		p.composite(l)
	}
	if l.kind == rows {
		if l.conv = p.conversation(); l.conv != "" && p.fields[l.conv].constant && p.isBucket(l.conv) {
			l.conv = ""
		}
		if l.conv != "" {
			l.kind = rowsField
		}
	}
	switch {
	case x != nil:
		l.kind, l.index = rowsIndexed, x
		if x.names() {
			l.conv = ""
		}
	case !l.form.ordered() || l.form.timed():
		l.order = p.field(slices.Concat(orderNames, timeNames), func(f *field) bool {
			number := l.form != ulid && (l.form != uuid7 || !f.constant || p.rows == 1)
			return f.numbers == p.rows && number || f.times == p.rows
		})
		if l.order != "" && l.kind == rows && !l.form.timed() {
			l.kind = rowsField
		}
	}
	l.kindOf = p.kind(l.wrap)
	l.constants, l.reason, l.doubt = p.constants(), p.reason(), p.doubt(l)
	return l
}

// constants are the members that are the same in all rows.
func (p *profile) constants() (all []constant) {
	for name, f := range p.fields {
		if p.rows > 1 && f.n == p.rows && f.constant && !isContent(name) {
			all = append(all, constant{name, f.first})
		}
	}
	slices.SortFunc(all, func(a, b constant) int { return strings.Compare(a.name, b.name) })
	return all
}

// reason says why the rows are not to be written, "" if they may be.
func (p *profile) reason() string {
	if p.sealed == "" {
		return ""
	}
	return "each row carries a digest (" + p.sealed + "), which a repair would break"
}

// isBucket reports whether a member that is the same in all rows says no more
// than that the bucket is of one conversation.
func (p *profile) isBucket(name string) bool {
	value := strings.Trim(string(p.fields[name].first), `"`)
	if len(p.path) > 1 {
		return true
	}
	return len(p.path) == 1 && strings.Contains(string(p.path[0]), value)
}

// conversation is the member that may name the conversation, "" if there is none.
func (p *profile) conversation() string {
	return p.field(conversationNames, func(f *field) bool { return f.texts == p.rows || f.numbers == p.rows })
}

// field is the first of some members that all rows have.
func (p *profile) field(folded []string, ok func(*field) bool) string {
	var names []string
	for name, f := range p.fields {
		if f.n == p.rows && ok(f) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, want := range folded {
		for _, name := range names {
			if fold([]byte(name)) == want {
				return name
			}
		}
	}
	return ""
}
