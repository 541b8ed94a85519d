package migrate

import (
	"strings"

	"boltmend/internal/jsonedit"
)

// Beside a conversation that was judged much may speak of its calls: a log, a
// preview, what the app knows of each call under its id. Messages that were not
// judged are something else, as those of other branches in a map by number.

// mentions are what the objects of a text outside of judged histories say.
type mentions struct {
	any     string // of calls, in whatever way
	message string // the same as a message, or as a part of one
	trail   trail
}

// hear takes in an object.
func (m *mentions) hear(d *jsonedit.Doc, obj jsonedit.Ref) {
	if m.message != "" {
		return
	}
	why := mention(d, obj)
	if why == "" {
		return
	}
	if m.any == "" {
		m.any = why
	}
	if m.speaks(d, obj) {
		m.message = why + " in a message beside the conversation"
	}
}

// unjudged is what makes a text one that was not understood.
func (m *mentions) unjudged(judged bool) string {
	if judged {
		return m.message
	}
	return m.any
}

// speaks reports whether an object is a message, or in the content of one, and
// no log and no preview.
func (m *mentions) speaks(d *jsonedit.Doc, obj jsonedit.Ref) bool {
	m.trail.walk(d, obj)
	way := m.trail
	if !speaker(d, obj) {
		at := len(way) - 1
		for at >= 0 && d.Kind(way[at].box) != jsonedit.Object {
			at--
		}
		if at < 0 || !speaker(d, way[at].box) {
			return false
		}
		way = way[:at]
	}
	for _, s := range way[max(0, len(way)-2):] { // its own name, and that of what it is in
		if d.Kind(s.box) == jsonedit.Object && (namesDisplay(d.Text(s.child)) || namesPreview(d.Text(s.child))) {
			return false
		}
	}
	return true
}

// speaker reports whether an object is a message, by a role, or as an item that
// has none.
func speaker(d *jsonedit.Doc, obj jsonedit.Ref) bool {
	for name, value := range d.Members(obj) {
		if d.Kind(value) == jsonedit.String && fold(d.Inner(name)) == "role" {
			return true
		}
	}
	return d.Get(obj, "call_id") != jsonedit.None && mentionTypes[d.Text(d.Get(obj, "type"))] != nothing
}

// namesPreview reports whether a name is one for a copy of the last message.
func namesPreview(name string) bool {
	name = fold([]byte(name))
	return strings.HasPrefix(name, "last") || strings.HasPrefix(name, "latest") || strings.Contains(name, "preview")
}

// firstMention is the first mention of calls in a text, "" if there is none.
func firstMention(d *jsonedit.Doc) string {
	for r := jsonedit.Ref(0); r < d.Nodes(); r++ {
		if d.Kind(r) == jsonedit.Object {
			if why := mention(d, r); why != "" {
				return why
			}
		}
	}
	return ""
}
