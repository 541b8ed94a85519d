package repair

import "boltmend/internal/jsonedit"

// event is a new event that holds results: by the author of the calls, with
// the times that its siblings have.
func (w *writer) event(turn int32, like []jsonedit.Ref, role string) []byte {
	src := &w.rd.sources[turn]
	in := builder{w: w, turn: &source{node: src.body, members: src.members}, buf: []byte{'{'}}
	in.text("role", role)
	in.value("parts", w.array(w.guests(turn)))
	b := w.object(turn, like)
	if author := w.member(src.node, "author"); author != jsonedit.None {
		b.value("author", w.rd.doc.Raw(author))
	}
	b.value("content", in.close())
	return b.done()
}
