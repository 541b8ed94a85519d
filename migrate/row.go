package migrate

import (
	"boltmend/internal/jsonedit"
	"boltmend/repair"
)

// rowMessage returns the message of a value that is one message: the value
// itself, or the one member of it that looks like one; None for other values.
func rowMessage(d *jsonedit.Doc) jsonedit.Ref {
	if d.Kind(0) != jsonedit.Object {
		return jsonedit.None
	}
	if repair.LooksLikeMessage(d, 0) {
		return 0
	}
	found := jsonedit.None
	for key, end := jsonedit.Ref(1), d.End(0); key < end; key = d.End(key + 1) {
		if d.Kind(key+1) != jsonedit.Object || !repair.LooksLikeMessage(d, key+1) {
			continue
		}
		if found != jsonedit.None {
			return jsonedit.None // which of them is not clear
		}
		found = key + 1
	}
	return found
}

// isMessage reports whether a stored value is one message.
func (j *judge) isMessage(value []byte) bool {
	_, d := j.unwrapped(value)
	return d != nil && rowMessage(d) != jsonedit.None
}

// isSaid reports whether a node is in what the message of a row says.
func isSaid(d *jsonedit.Doc, msg, r jsonedit.Ref) bool {
	if r <= msg || r >= d.End(msg) {
		return false
	}
	for name, value := range d.Members(msg) {
		if value <= r && r < d.End(value) {
			return isContent(d.Text(name))
		}
	}
	return false
}
