package migrate

import (
	"strings"

	"boltmend/internal/jsonedit"
)

// A resize is what a repair changes of a conversation that others may have
// written down: the number of its messages, the numbers of its last and its next
// row, and the list of its rows.
type resize struct {
	id       []byte
	alone    bool // its bucket has no other conversation
	old, now int  // messages
	tops     []top
	lists    []rowList
}

// A top is the number of the last row. That of a bucket that conversations share
// may have been raised for others of this run.
type top struct {
	old, raised, now uint64
	shared           bool
}

// A rowList is how something elsewhere may list the rows of a conversation, in
// order: JSON texts, nil for a row that has no such name.
type rowList struct{ old, now [][]byte }

func (rs *resize) nothing() bool { return rs.old == rs.now && len(rs.tops) == 0 && len(rs.lists) == 0 }

// shared is what a repair changes of all rows of a bucket that conversations
// share, nil if they do not.
func (rs *resize) shared() *resize {
	for _, t := range rs.tops {
		if t.shared {
			return &resize{tops: []top{t}}
		}
	}
	return nil
}

// resizeOf compares the rows of a conversation with those that it is to have.
// raised is the end of its bucket as promised to others.
func resizeOf(c *conversation, old, after []row, raised uint64) *resize {
	l := c.layout
	rs := &resize{id: c.id, alone: l.kind == rows, old: len(old), now: len(after)}
	if l.form.isNumber() {
		was, is := topOf(l, old), topOf(l, after)
		rs.top(top{was, was, is, false})
		if l.kind == rowsField || l.kind == rowsIndexed {
			rs.top(top{c.max, raised, max(c.max, raised, is), true})
		}
	}
	if l.order != "" {
		was, is := lastMark(old), lastMark(after)
		rs.top(top{was, was, is, false})
	}
	if sameKeys(old, after) {
		return rs
	}
	for _, f := range echoForms {
		name := func(w *row) []byte {
			if f.place {
				return f.text(l.form, l.place(w.key))
			}
			return f.text(l.form, w.key)
		}
		rs.list(old, after, name)
	}
	for _, id := range []string{"id", "message_id", "messageId", "msg_id", "msgId", "uuid"} {
		rs.list(old, after, func(w *row) []byte { return memberText(w.text, id) })
	}
	return rs
}

func (rs *resize) top(t top) {
	if t.old != t.now && t.old > 0 {
		rs.tops = append(rs.tops, t)
	}
}

// list takes a way to name rows, if it names all that there were.
func (rs *resize) list(rows, after []row, name func(*row) []byte) {
	var l rowList
	for i := range rows {
		text := name(&rows[i])
		if text == nil {
			return
		}
		l.old = append(l.old, text)
	}
	for i := range after {
		l.now = append(l.now, name(&after[i]))
	}
	rs.lists = append(rs.lists, l)
}

func topOf(l *layout, rows []row) (last uint64) {
	for i := range rows {
		n, _ := l.form.number(l.place(rows[i].key))
		last = max(last, n)
	}
	return last
}

func lastMark(rows []row) (last uint64) {
	for i := range rows {
		if m := rows[i].order; m.time.IsZero() && m.whole > 0 {
			last = max(last, uint64(m.whole))
		}
	}
	return last
}

func sameKeys(a, b []row) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if string(a[i].key) != string(b[i].key) {
			return false
		}
	}
	return true
}

// memberText is the text of a member of a row, nil if it is no name of a row.
func memberText(text []byte, name string) []byte {
	d, err := jsonedit.Parse(text)
	if err != nil {
		return nil
	}
	r := d.Get(0, name)
	if k := d.Kind(r); k != jsonedit.String && k != jsonedit.Number || k == jsonedit.String && d.Text(r) == "" {
		return nil
	}
	return d.Raw(r)
}

// A countKind is what a number says, by the name of the member that holds it.
type countKind uint8

const (
	noCount   countKind = iota
	isNext              // the number of the next row
	isLast              // that of the last one
	isNumber            // of one of both
	howMany             // how many rows there are
	mayBeMany           // the same, if nothing else can be meant
)

// countKindOf says what a number of a name says.
func countKindOf(name string) countKind {
	name = fold([]byte(name))
	switch {
	case isCount(name, "", false):
		return howMany
	case name == "messages", name == "count":
		return mayBeMany
	}
	if name == "next" || name == "last" {
		name += "id"
	}
	kind := isNumber
	for _, w := range []struct {
		prefix string
		kind   countKind
	}{{"next", isNext}, {"last", isLast}, {"latest", isLast}, {"max", isLast}, {"head", isLast}, {"highest", isLast}} {
		if rest, ok := strings.CutPrefix(name, w.prefix); ok {
			name, kind = rest, w.kind
			break
		}
	}
	for _, what := range []string{"message", "msg", "row", "entry", "event"} {
		if rest, ok := strings.CutPrefix(name, what); ok {
			name = rest
			if rest == "" && kind != isNumber {
				return kind
			}
			break
		}
	}
	switch name {
	case "seq", "sequence", "seqno", "counter", "ordinal":
		return kind
	case "index", "idx", "id", "key", "number", "no", "pos", "position":
		if kind != isNumber {
			return kind
		}
	}
	return noCount
}

// says is the number that has to stand where n stood, if n was right.
func (rs *resize) says(kind countKind, n uint64) (now uint64, ok bool) {
	switch kind {
	case howMany, mayBeMany:
		return uint64(rs.now), n == uint64(rs.old) && rs.old != rs.now
	}
	for _, t := range rs.tops {
		if t.now < t.old && kind != isLast {
			continue // a number that was given is not given again
		}
		if kind != isLast && (n == t.old+1 || n == t.raised+1) {
			return t.now + 1, true
		}
		if kind != isNext && (n == t.old || n == t.raised) {
			return t.now, true
		}
	}
	return 0, false
}
