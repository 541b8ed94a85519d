package migrate

import (
	"strings"

	"boltmend/internal/jsonedit"
)

// Rows of several kinds lie in one bucket, and those of other kinds may hold what
// looks like a message: a copy for an audit, a draft, a note. Where a member
// says which are messages, the others are none.

// kindNames are members that say of what kind a row is, folded.
var kindNames = []string{"kind", "type", "event", "eventtype", "entrytype", "recordtype"}

// messageKinds are kinds of rows that are messages, folded.
var messageKinds = map[string]bool{"message": true, "msg": true, "messages": true, "chatmessage": true}

// kind is the member that says which wrapped rows are messages, "" if none does.
func (p *profile) kind(wrap string) string {
	if wrap == "" {
		return ""
	}
	return p.field(kindNames, func(f *field) bool {
		if f.texts != p.rows || f.constant {
			return false
		}
		for raw := range f.values {
			if messageKinds[fold([]byte(strings.Trim(raw, `"`)))] {
				return true
			}
		}
		return false
	})
}

// isOther reports whether a row that looks like one with a message is of another
// kind. A kind that is the message's own type or role, or speaks of tools, is
// none.
func (l *layout) isOther(d *jsonedit.Doc, msg jsonedit.Ref) bool {
	if l.kindOf == "" || msg <= 0 {
		return false
	}
	r := d.Get(0, l.kindOf)
	kind := fold(d.Inner(r))
	if d.Kind(r) != jsonedit.String || messageKinds[kind] || strings.Contains(kind, "tool") || strings.Contains(kind, "call") {
		return false
	}
	for _, own := range []string{"type", "role"} {
		if o := d.Get(msg, own); d.Kind(o) == jsonedit.String && d.Text(o) == d.Text(r) {
			return false
		}
	}
	return true
}
