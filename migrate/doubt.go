package migrate

import (
	"bytes"
	"cmp"
	"strings"

	"boltmend/internal/codec"
	"boltmend/store"
)

// Rows that are put together wrongly look poisoned and are not. Where the order
// of rows, or the conversation that they are of, is not certain, nothing is said
// of them but that they were not understood.

// unknownOrder is the doubt about rows that nothing orders.
const unknownOrder = "nothing says in which order the app reads the rows"

// doubt says what is not known of how the rows make up conversations, "" if all
// is.
func (p *profile) doubt(l *layout) string {
	if l.unordered() {
		return unknownOrder
	}
	if l.kind == rowsComposite || l.conv != "" || len(p.path) > 1 {
		return ""
	}
	for name, f := range p.fields {
		folded := fold([]byte(name))
		switch {
		case isConversationName(folded) && f.n < p.rows:
			return "some rows do not say which conversation they are of (" + name + ")"
		case f.n == p.rows && !f.constant && mayName(folded) && len(f.values) < p.rows && len(f.values) < maxValues:
			return "the rows may be of several conversations (" + name + ")"
		}
	}
	if !l.form.ordered() && !l.ranked && len(p.prefixes) > 1 && len(p.prefixes) < p.rows && sum(p.prefixes) == p.rows {
		return "which part of the key names the conversation is not known"
	}
	return ""
}

// unordered reports whether nothing orders the rows.
func (l *layout) unordered() bool {
	return !l.form.ordered() && !l.ranked && l.order == "" && l.index == nil
}

func isConversationName(folded string) bool {
	for _, n := range conversationNames {
		if n == folded {
			return true
		}
	}
	return false
}

// mayName reports whether a member's name is one for something that several
// rows have in common, as a conversation.
func mayName(folded string) bool {
	if !strings.HasSuffix(folded, "id") && !strings.HasSuffix(folded, "key") {
		return false
	}
	switch folded {
	case "id", "messageid", "parentid", "replytoid", "modelid", "providerid", "authorid", "senderid", "toolid", "toolcallid":
		return false
	}
	return true
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// notUnderstood reports whether a value among rows may be one that was not
// understood: it mentions calls, or is no text and could not be opened.
func (j *judge) notUnderstood(value []byte) bool {
	if len(bytes.TrimSpace(value)) == 0 {
		return false
	}
	u, d := j.unwrapped(value)
	if d != nil {
		return callWord(u.Text) != "" || speaksAs(u.Text)
	}
	return u.Kind != codec.Plain || callWord(value) != ""
}

// speaksAs reports whether a JSON text has a role as messages have it.
func speaksAs(text []byte) bool {
	for _, role := range []string{`"tool"`, `"assistant"`, `"toolResult"`} {
		if bytes.Contains(text, []byte(role)) {
			return true
		}
	}
	return false
}

// noticed notes a value among the rows of a conversation that is none of them,
// and may be one that was not understood.
func (g *grouping) noticed(c *conversation, it store.Item, is rowIs) {
	if is == otherKind {
		return
	}
	if is == elsewhere {
		if c.stray++; c.stray <= maxPending {
			c.strays = append(c.strays, bytes.Clone(it.Key))
		}
	}
	if (c.doubt == "" || is == elsewhere && !c.straysSpeak) && g.r.judge.notUnderstood(it.Value) {
		c.straysSpeak = c.straysSpeak || is == elsewhere
		c.doubt = cmp.Or(c.doubt, "a value among its rows was not understood: "+recordRef(g.bucket, it.Key))
	}
}
