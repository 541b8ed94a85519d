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

// otherKinds are kinds of rows that are not sent, folded. Any kind that is not
// known to be one may be that of a message.
var otherKinds = map[string]bool{
	"audit": true, "status": true, "note": true, "draft": true, "log": true, "debug": true, "trace": true, "metric": true,
	"metrics": true, "progress": true, "typing": true, "heartbeat": true, "title": true, "usage": true, "checkpoint": true,
	"meta": true, "metadata": true, "preview": true, "snapshot": true, "ui": true, "display": true, "notification": true,
	"auditlog": true, "statusupdate": true, "telemetry": true, "bookmark": true, "annotation": true,
}

// isOther reports whether a row that looks like one with a message is of another
// kind.
func (l *layout) isOther(d *jsonedit.Doc, msg jsonedit.Ref) bool {
	if l.kindOf == "" || msg <= 0 {
		return false
	}
	r := d.Get(0, l.kindOf)
	return d.Kind(r) == jsonedit.String && otherKinds[fold(d.Inner(r))]
}
