package migrate

import (
	"slices"
	"strings"

	"boltmend/internal/jsonedit"
)

// Rows of several conversations that are taken for one look poisoned. If some
// member of theirs parts them into conversations with fewer faults, that is the
// better explanation.

// maxParts bounds the conversations that rows are parted into, maxMembers the
// members that may part them.
const (
	maxParts   = 256
	maxMembers = 32
)

// mixed names the member that parts the rows of a poisoned conversation into
// several that have fewer faults than it, "" if there is none.
func (j *judge) mixed(rows []row, faults int) string {
	parts := make(map[string]map[string][]row) // by member and its value
	for i := range rows {
		d, err := jsonedit.Parse(rows[i].text)
		if err != nil {
			return ""
		}
		for name, value := range labels(d) {
			if parts[name] == nil {
				if len(parts) == maxMembers {
					continue
				}
				parts[name] = make(map[string][]row)
			}
			parts[name][value] = append(parts[name][value], rows[i])
		}
	}
	var names []string
	for name := range parts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if j.parted(parts[name], len(rows), faults) {
			return name
		}
	}
	return ""
}

// labels are the short members of a row, and of the objects in it that are not
// its message, that may name the conversation.
func labels(d *jsonedit.Doc) map[string]string {
	all := make(map[string]string)
	take := func(prefix string, obj jsonedit.Ref) {
		for key, value := range membersOf(d, obj) {
			name := d.Text(key)
			k := d.Kind(value)
			if k == jsonedit.String && len(d.Raw(value)) <= 128 || k == jsonedit.Number {
				if !isContent(name) && !namesPart(name) {
					all[prefix+name] = string(d.Raw(value))
				}
			}
		}
	}
	take("", 0)
	for key, value := range membersOf(d, 0) {
		if d.Kind(value) == jsonedit.Object && !isContent(d.Text(key)) {
			take(d.Text(key)+".", value)
		}
	}
	return all
}

// namesPart reports whether a name is one for a part of a conversation, or for
// who or what made a message.
func namesPart(name string) bool {
	name = fold([]byte(name))
	for _, part := range []string{
		"turn", "run", "request", "trace", "step", "round", "message", "batch", "group", "iteration", "response", "model",
		"branch", "lane", "sidechain", "parent", "span", "event", "kind", "type",
		"user", "from", "sender", "author", "source", "date", "name",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// parted reports whether all rows were parted into conversations in each of
// which both sides speak, and that have fewer faults than there were.
func (j *judge) parted(by map[string][]row, all, faults int) bool {
	n := 0
	for _, part := range by {
		n += len(part)
	}
	if n != all || len(by) < 2 || len(by) > maxParts {
		return false
	}
	for _, part := range by {
		v := j.judgeRows(assemble(part), sieve{all: true})
		if faults -= faultsOf(v.histories); faults <= 0 || len(v.histories) != 1 || !bothSpeak(part) {
			return false
		}
	}
	return true
}

// faultsOf counts the findings that are no lint.
func faultsOf(hs []history) (n int) {
	for _, h := range hs {
		for _, f := range h.result.Findings {
			if isFault(f) {
				n++
			}
		}
	}
	return n
}

// bothSpeak reports whether some rows are of the user and some are not.
func bothSpeak(rows []row) bool {
	var user, other bool
	for _, w := range rows {
		d, err := jsonedit.Parse(w.text[w.msg.start:w.msg.end])
		if err != nil {
			return false
		}
		role := jsonedit.None
		for key, value := range membersOf(d, 0) {
			if name := fold(d.Inner(key)); name == "role" || name == "type" && role == jsonedit.None || name == "author" {
				role = value
			}
		}
		switch {
		case d.Is(role, "user"), d.Is(role, "human"):
			user = true
		default:
			other = true
		}
	}
	return user && other
}
