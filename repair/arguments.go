package repair

import (
	"encoding/base64"

	"boltmend/internal/jsonedit"
)

// badJSON reports whether arguments are a string that is no JSON. Servers
// such as llama.cpp, vLLM and Ollama parse every stored argument string again
// on each request. A Go struct keeps []byte arguments in base64: what decodes
// to JSON is as good.
func (rd *reader) badJSON(r jsonedit.Ref) bool {
	if rd.doc.Kind(r) != jsonedit.String {
		return false
	}
	t := rd.doc.Inner(r)
	if plainArguments(t) {
		return false
	}
	if rd.doc.Escaped(r) {
		rd.buf = rd.doc.AppendText(rd.buf[:0], r)
		t = rd.buf
	}
	if jsonedit.Valid(t) == nil {
		return false
	}
	inner, err := base64.StdEncoding.DecodeString(string(t))
	return err != nil || jsonedit.Valid(inner) != nil
}

// badObject reports whether arguments are there and no object.
func (rd *reader) badObject(r jsonedit.Ref) bool {
	k := rd.doc.Kind(r)
	return k != jsonedit.Missing && k != jsonedit.Object
}

// arguments is what bad arguments become: an empty object, as a string where
// arguments are a string; a string that holds an object is unwrapped where an
// object is wanted.
func (w *writer) arguments(src *callSource) []byte {
	if !w.dl.rules().objectArguments || src.textArguments && !w.onlyObjects() {
		return []byte(`"{}"`)
	}
	return objectOf(w.rd.doc, src.arguments)
}

// onlyObjects reports whether the good arguments of the history are objects: a
// program that has a text for them could not read an object.
func (w *writer) onlyObjects() (objects bool) {
	for i := range w.rd.calls {
		switch kind := w.rd.doc.Kind(w.rd.calls[i].arguments); {
		case kind == jsonedit.Object:
			objects = true
		case kind == jsonedit.String && !w.t.calls[i].badArguments:
			return false
		}
	}
	return objects
}

// objectOf is the object that a string holds, or else an empty one.
func objectOf(d *jsonedit.Doc, r jsonedit.Ref) []byte {
	t := text(d, r)
	if doc, err := jsonedit.Parse(t); t != nil && err == nil && doc.Kind(0) == jsonedit.Object {
		return append([]byte(nil), t...)
	}
	return []byte(`{}`)
}
