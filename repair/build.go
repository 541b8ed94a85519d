package repair

import (
	"strings"

	"boltmend/internal/jsonedit"
)

// A builder writes a new object: a made-up result, or a message for results.
// Its members are spelled as its siblings spell them.
type builder struct {
	w    *writer
	turn *source // the message of the call
	like []jsonedit.Ref
	buf  []byte
}

// object begins an object that answers a call of a message. like are its
// siblings: the objects of its kind that the history has.
func (w *writer) object(turn int32, like []jsonedit.Ref) *builder {
	return &builder{w: w, turn: &w.rd.sources[turn], like: like, buf: []byte{'{'}}
}

// result begins a made-up result.
func (w *writer) result(turn int32) *builder { return w.object(turn, w.resultNodes()) }

// resultNodes returns where the results of the history stand.
func (w *writer) resultNodes() []jsonedit.Ref {
	if w.siblings == nil {
		w.siblings = make([]jsonedit.Ref, len(w.rd.results))
		for i, r := range w.rd.results {
			w.siblings[i] = r.node
		}
	}
	return w.siblings
}

// raw adds a member as it is.
func (b *builder) raw(key string, value []byte) {
	if len(b.buf) > 1 {
		b.buf = append(b.buf, ',')
	}
	b.buf = append(b.buf, jsonedit.Quote(key)...)
	b.buf = append(b.buf, ':')
	b.buf = append(b.buf, value...)
}

// value adds a member that a dialect calls name.
func (b *builder) value(name string, value []byte) { b.raw(b.spell(name), value) }

// text adds a member that is a string.
func (b *builder) text(name, value string) { b.value(name, jsonedit.Quote(value)) }

// id adds a call's id, as the call has it: bytes that are no text stay.
func (b *builder) id(name string, c int32) { b.value(name, b.w.idText(c)) }

// idText is the JSON text of the id that a call has in the end.
func (w *writer) idText(c int32) []byte {
	if id := w.rd.calls[c].id; w.t.calls[c].newID == "" && id != jsonedit.None {
		return w.rd.doc.Raw(id)
	}
	return jsonedit.Quote(string(w.t.calls[c].finalID()))
}

// extras adds what every sibling has and the call's message can give: times,
// and the branch, by which a result finds its call. Nothing else is invented.
func (b *builder) extras() {
	d := b.w.rd.doc
	for key, value := range d.Members(b.turn.node) {
		name := fold(d.Text(key))
		branch := name == "branch" || name == "laneid" || name == "issidechain"
		if (branch || stamps[name] && b.shared(name)) && b.w.find(b.turn.node, name) == key { // of duplicates the last
			b.raw(b.spellKey(name, d.Text(key)), d.Raw(value))
		}
	}
}

// stamps are the members that hold a time.
var stamps = map[string]bool{
	"timestamp": true, "time": true, "ts": true, "date": true, "createdat": true,
	"created": true, "updatedat": true, "sentat": true, "datetime": true,
}

// shared reports whether every sibling has a member of a folded name; with no
// siblings nothing is shared.
func (b *builder) shared(name string) bool {
	for _, s := range b.like {
		if b.w.find(s, name) == jsonedit.None {
			return false
		}
	}
	return len(b.like) > 0
}

// name adds the tool's name if every sibling result has one.
func (b *builder) name(c *call) {
	for _, name := range [...]string{"name", "tool_name"} {
		if len(c.name) > 0 && b.shared(fold(name)) {
			b.text(name, string(c.name))
		}
	}
}

// close ends a block.
func (b *builder) close() []byte { return append(b.buf, '}') }

// done ends a message.
func (b *builder) done() []byte {
	b.extras()
	return b.close()
}

// spell writes a name as the siblings spell it, or else in the style of the
// call's message.
func (b *builder) spell(name string) string { return b.spellKey(fold(name), b.w.style(b.turn, name)) }

// spellKey is the first sibling's spelling of a folded name, or otherwise.
func (b *builder) spellKey(folded, otherwise string) string {
	for _, s := range b.like {
		if key := b.w.find(s, folded); key != jsonedit.None {
			return b.w.rd.doc.Text(key)
		}
	}
	return otherwise
}

// find returns the key of an object's last member of a folded name.
func (w *writer) find(obj jsonedit.Ref, folded string) jsonedit.Ref {
	return keyOf(w.rd.doc, obj, folded)
}

func keyOf(d *jsonedit.Doc, obj jsonedit.Ref, folded string) jsonedit.Ref {
	found := jsonedit.None
	for key := range d.Members(obj) {
		if fold(d.Text(key)) == folded {
			found = key
		}
	}
	return found
}

// member returns the value of an object's last member of a folded name.
func (w *writer) member(obj jsonedit.Ref, folded string) jsonedit.Ref {
	if key := w.find(obj, folded); key != jsonedit.None {
		return key + 1
	}
	return jsonedit.None
}

// style writes a name in the style of a message: as that message has it, or
// as Go structs without tags do if its role is spelled like that, or in camel
// case if it has humps of its own.
func (w *writer) style(turn *source, name string) string {
	if key := w.find(turn.node, fold(name)); key != jsonedit.None {
		return w.rd.doc.Text(key)
	}
	role := w.rd.doc.Text(turn.members[mRole] - 1)
	if role != "" && 'A' <= role[0] && role[0] <= 'Z' {
		return camel("_" + name)
	}
	for key := range w.rd.doc.Members(turn.node) {
		if k := w.rd.doc.Text(key); k == "toolCalls" || k == "createdAt" {
			return camel(name)
		}
	}
	return name
}

// camel writes tool_call_id as toolCallId, _tool_call_id as ToolCallID.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		switch {
		case word == "id" && words[0] == "":
			words[i+1] = "ID"
		case word != "":
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// fold drops case and "_" from a name.
func fold(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}
