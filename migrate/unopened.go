package migrate

import (
	"bytes"

	"boltmend/internal/codec"
	"boltmend/internal/jsonedit"
)

// What cannot be opened is looked at all the same: the first bytes under its
// layers tell whether somebody may miss a conversation that was not judged.

// other notes what a value is that holds no JSON.
func (j *judge) other(u *codec.Unwrapped, v *verdict) {
	word := callWord(u.Text)
	if u.Kind != codec.Plain {
		v.format = u.Format
		if v.format == "" {
			v.format = u.Kind.String()
		}
		if word != "" {
			v.notOpened(word)
			return
		}
	} else if word != "" {
		switch {
		case bytes.Contains(u.Text, []byte(`"`+word)):
			v.unrecognised = "is no JSON, and speaks of " + word + " as JSON does"
		case asYAML(u.Text, word):
			v.unrecognised = "is no JSON, and speaks of " + word + " as YAML does"
		}
		return
	}
	j.peek(u, v)
}

// asYAML reports whether a word, with an ending, is a name at the beginning of a
// line.
func asYAML(text []byte, word string) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " -")
		rest, ok := bytes.CutPrefix(line, []byte(word))
		if ok && bytes.HasPrefix(bytes.TrimLeft(rest, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), []byte(":")) {
			return true
		}
	}
	return false
}

func (v *verdict) notOpened(word string) {
	v.unrecognised = "stored as " + v.format + ", which is not opened, and speaks of " + word
}

// peek looks at the beginning of what is under layers that are not opened. It
// reports whether a conversation may be there.
func (j *judge) peek(u *codec.Unwrapped, v *verdict) bool {
	var word string
	name, ok := j.codec.Peek(u.Text, func(text []byte) bool { word = speaksOf(text); return word != "" })
	if ok {
		v.format = name
		v.notOpened(word)
	}
	return ok
}

// isUTF16 is for a value that begins as JSON and is none: a text of two bytes a
// character begins so too.
func (j *judge) isUTF16(u *codec.Unwrapped, v *verdict) bool {
	return v.format == "" && v.unreadable == "" && len(u.Text) > 1 && u.Text[1] == 0 && j.peek(u, v)
}

// unopened looks into a string that was not opened. deep: it lies under too many
// layers for that.
func (j *judge) unopened(d *jsonedit.Doc, r jsonedit.Ref, t *textAround, deep bool, v *verdict) {
	if v.unrecognised != "" {
		return
	}
	var word string
	name, ok := j.codec.PeekString(d, r, deep, func(text []byte) bool { word = speaksOf(text); return word != "" })
	if !ok {
		return
	}
	where := "the string at #" + encodePointer(t.path+t.trail.pointer(d, r))
	if deep {
		v.unrecognised = where + " is wrapped more than three deep, and speaks of " + word // codec.MaxDepth
		return
	}
	v.unrecognised = where + " is stored as " + name + ", which is not opened, and speaks of " + word
}

// callWords are the names that a program writes beside calls and results, in
// whatever format.
var callWords = [][]byte{
	[]byte("tool_call"), []byte("toolCall"), []byte("ToolCall"), []byte("tool_use"), []byte("toolUse"),
	[]byte("tool_result"), []byte("toolResult"), []byte("ToolResult"), []byte("function_call"),
	[]byte("functionCall"), []byte("FunctionCall"), []byte("functionResponse"), []byte("function_response"),
	[]byte("toolRequest"), []byte("tool_request"), []byte("toolResponse"), []byte("tool_response"),
}

func callWord(b []byte) string {
	for _, w := range callWords {
		if bytes.Contains(b, w) {
			return string(w)
		}
	}
	return ""
}

// speaksOf is a word for what a text has of conversations, "" if nothing.
func speaksOf(text []byte) string {
	if word := callWord(text); word != "" {
		return word
	}
	for _, name := range []string{`"role`, `"Role`} {
		if bytes.Contains(text, []byte(name)) && bytes.Contains(text, []byte("assistant")) {
			return "roles"
		}
	}
	return ""
}
