package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/internal/jsonedit"
)

// A style is what all rows of a conversation have beside their messages, which
// a new row has too, and which follows a row that gets another spot.
type style struct {
	l *layout
	// echoes are members that say the key once more.
	echoes []echo
	// constants are members that are the same in all rows.
	constants []constant
	// mark is the member that orders rows, or else a time that all have; "" if
	// there is none. moves: it goes with the spot, not with the message.
	mark  string
	moves bool
}

type constant struct {
	name string
	raw  []byte
}

// styleOf learns the style of rows.
func styleOf(c *conversation, rows []row) (*style, error) {
	l := c.layout
	s := &style{l: l}
	docs := make([]*jsonedit.Doc, len(rows))
	for i := range rows {
		d, err := jsonedit.Parse(rows[i].text)
		if err != nil {
			return nil, err
		}
		docs[i] = d
	}
	if s.mark = l.order; s.mark == "" {
		s.mark = timeOf(docs)
	}
	s.moves = l.order != "" || !l.form.isNumber()
	for i := range rows {
		if s.mark != "" {
			rows[i].order = markOf(docs[i], docs[i].Get(0, s.mark))
		}
	}
	for name, value := range docs[0].Members(0) {
		key := docs[0].Text(name)
		if key == l.wrap && l.wrap != "" || key == s.mark && s.mark != "" {
			continue
		}
		if e, ok := echoOf(l, rows, docs, key); ok {
			s.echoes = append(s.echoes, e)
			continue
		}
		raw := docs[0].Raw(value)
		if !isContent(key) && (c.isNamed(docs[0], key, value) || l.isKind(key) || len(rows) > 1 || l.isConstant(key)) && l.allSay(docs, key, raw) {
			s.constants = append(s.constants, constant{key, raw})
		}
	}
	return s, nil
}

// isNamed reports whether a member names the conversation.
func (c *conversation) isNamed(d *jsonedit.Doc, name string, value jsonedit.Ref) bool {
	if name == c.layout.conv {
		return true
	}
	text := d.Text(value)
	return d.Kind(value) == jsonedit.String && text != "" &&
		(text == string(c.id) || bytes.HasSuffix(c.id, []byte(":"+text)) || bytes.HasSuffix(c.id, []byte("/"+text)))
}

// isKind reports whether a member says that a row has a message in it.
func (l *layout) isKind(name string) bool {
	return l.wrap != "" && slices.Contains(kindNames, fold([]byte(name)))
}

func (l *layout) isConstant(name string) bool {
	return slices.ContainsFunc(l.constants, func(c constant) bool { return c.name == name })
}

// allSay reports whether a member is the same in all rows.
func (l *layout) allSay(docs []*jsonedit.Doc, name string, raw []byte) bool {
	for _, d := range docs {
		if !bytes.Equal(d.Raw(d.Get(0, name)), raw) {
			return false
		}
	}
	return true
}

// isContent reports whether a member belongs to the message itself.
func isContent(name string) bool {
	switch fold([]byte(name)) {
	case "role", "content", "toolcalls", "toolcallid", "name", "toolname", "parts", "functioncall", "iserror",
		"status", "state", "stopreason", "tooluseid", "text", "output", "arguments", "callid", "toolresults",
		"usage", "tokens", "error", "reasoning", "reasoningcontent", "thinking":
		return true
	}
	return false
}

// timeOf is a member that holds a time in all rows, which never goes back.
func timeOf(docs []*jsonedit.Doc) string {
	for _, want := range timeNames {
		for name := range docs[0].Members(0) {
			key := docs[0].Text(name)
			if fold([]byte(key)) == want && allTimes(docs, key) {
				return key
			}
		}
	}
	return ""
}

func allTimes(docs []*jsonedit.Doc, name string) bool {
	last := mark{}
	for i, d := range docs {
		r := d.Get(0, name)
		if k := d.Kind(r); k != docs[0].Kind(docs[0].Get(0, name)) || k != jsonedit.Number && !(k == jsonedit.String && isTime(d.Text(r))) {
			return false
		}
		now := markOf(d, r)
		if i > 0 && last.compare(now) > 0 {
			return false
		}
		last = now
	}
	return true
}

// stored makes the stored value of a seat: of an old row with a new message or
// a new spot, or of a new row made like another.
func (j *judge) stored(s *style, rows []row, seat *seat) ([]byte, error) {
	like := seat.like
	if seat.from >= 0 {
		like = seat.from
	}
	old := &rows[like]
	u, d := j.unwrapped(old.value)
	if d == nil {
		return nil, errors.New("a row cannot be opened a second time")
	}
	var edit jsonedit.Edit
	if seat.from >= 0 {
		s.move(d, &edit, old, seat)
	} else {
		s.create(d, &edit, seat)
	}
	if edit.Empty() {
		return old.value, nil
	}
	return u.Rewrap(edit.Bytes(d))
}

// move edits an old row.
func (s *style) move(d *jsonedit.Doc, edit *jsonedit.Edit, old *row, seat *seat) {
	msg := jsonedit.Ref(0)
	if s.l.wrap != "" {
		msg = d.Get(0, s.l.wrap)
	}
	if text := seat.text; text != nil && !bytes.Equal(text, d.Raw(msg)) {
		if msg == 0 {
			// The members beside the message are in its text: they are set there.
			if t, err := jsonedit.Parse(text); err == nil {
				var inner jsonedit.Edit
				s.set(t, &inner, seat, old)
				edit.Replace(0, inner.Bytes(t))
				return
			}
		}
		edit.Replace(msg, text)
	}
	s.set(d, edit, seat, old)
}

// set gives the members that go with the spot their values.
func (s *style) set(d *jsonedit.Doc, edit *jsonedit.Edit, seat *seat, old *row) {
	put := func(name string, raw []byte) {
		if r := d.Get(0, name); r != jsonedit.None {
			edit.Replace(r, raw)
		} else {
			edit.AddMember(0, name, raw)
		}
	}
	if old == nil || !bytes.Equal(seat.spot.key, old.key) {
		for _, e := range s.echoes {
			key := seat.spot.key
			if e.place {
				key = s.l.place(key)
			}
			if text := e.text(key); text != nil {
				put(e.name, text)
			}
		}
	}
	if m := seat.spot.mark; s.mark != "" && (old == nil || !bytes.Equal(m, old.order.raw)) {
		put(s.mark, m)
	}
}

// create edits the row that a new one is made like: the message is replaced,
// and what is not the same in all rows goes.
func (s *style) create(d *jsonedit.Doc, edit *jsonedit.Edit, seat *seat) {
	if s.l.wrap == "" {
		t, err := jsonedit.Parse(seat.text)
		if err != nil {
			return
		}
		var inner jsonedit.Edit
		for _, c := range s.constants {
			if t.Get(0, c.name) == jsonedit.None {
				inner.AddMember(0, c.name, c.raw)
			}
		}
		s.set(t, &inner, seat, nil)
		edit.Replace(0, inner.Bytes(t))
		return
	}
	kept := func(name string) bool {
		return name == s.mark || slices.ContainsFunc(s.constants, func(c constant) bool { return c.name == name }) ||
			slices.ContainsFunc(s.echoes, func(e echo) bool { return e.name == name })
	}
	for name, value := range d.Members(0) {
		switch {
		case d.Is(name, s.l.wrap):
			edit.Replace(value, seat.text)
		case !kept(d.Text(name)):
			edit.RemoveMember(0, name)
		}
	}
	s.set(d, edit, seat, nil)
}
