package codec

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// What is not opened, or lies too deep to be opened, can still be looked at: a
// bounded beginning of it tells what it speaks of. Nothing of it is ever written,
// so a peek needs no certainty but that of the words that it finds.

const (
	peekBytes   = 64 << 10 // of each text
	peekDepth   = 4        // layers under one another
	peekStrings = 8        // strings of a text that are looked into
	minPeek     = 24       // what is shorter holds no conversation
)

// Peek looks at the beginning of each text that lies under layers of a value,
// also under such that [Codec.Unwrap] does not open: zlib, deflate, snappy, hex
// and UTF-16. It ends at the first text that speaks, and then names the layers
// from the outside in. The value's own text is not asked.
func (c *Codec) Peek(value []byte, speaks func(text []byte) bool) (name string, ok bool) {
	return c.peek(value, speaks, peekDepth)
}

// PeekString is [Codec.Peek] into the string r of d. A text of JSON in it is
// asked if it lies too deep to be opened.
func (c *Codec) PeekString(d *jsonedit.Doc, r jsonedit.Ref, deep bool, speaks func(text []byte) bool) (name string, ok bool) {
	literal := d.Inner(r)
	switch {
	case len(literal) < minPeek || isKey(d, r):
		return "", false
	case deep && beginsEscaped(literal):
		// Words have no escapes, however deep they lie.
		text := literal[:min(len(literal), peekBytes)]
		if name = layerTable[quoted].name; speaks(text) {
			return name, true
		}
		return c.peekStrings(text, speaks, peekDepth, name)
	case !mayPeek(literal):
		return "", false
	case d.Escaped(r):
		literal = unquote(nil, literal)
	}
	return c.peek(literal, speaks, peekDepth)
}

// peeks are what Peek looks under. open returns the beginning of what is under
// one, nil if b is none.
var peeks = [...]struct {
	name string
	open func(c *Codec, b []byte) []byte
}{
	{"gzip", (*Codec).peekGzip},
	{"zstd", (*Codec).peekZstd},
	{"zlib", (*Codec).peekZlib},
	{"utf-16", (*Codec).peekUTF16},
	{"base64", (*Codec).peekBase64},
	{"hex", (*Codec).peekHex},
	{"snappy", (*Codec).peekSnappy},
	{"deflate", (*Codec).peekDeflate},
}

func (c *Codec) peek(b []byte, speaks func([]byte) bool, depth int) (name string, ok bool) {
	if depth == 0 || len(b) < minPeek {
		return "", false
	}
	for i := range peeks {
		p := &peeks[i]
		text := p.open(c, b)
		if text == nil {
			continue
		}
		if speaks(text) {
			return p.name, true
		}
		if beginsAsJSON(text) {
			return c.peekStrings(text, speaks, depth-1, p.name)
		}
		if name, ok = c.peek(text, speaks, depth-1); ok {
			return p.name + "+" + name, true
		}
	}
	return "", false
}

// peekStrings looks into the first strings of a JSON text that may hold more.
func (c *Codec) peekStrings(text []byte, speaks func([]byte) bool, depth int, around string) (name string, ok bool) {
	for n := 0; n < peekStrings; {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			break
		}
		text = text[at+1:]
		if !mayPeek(text) {
			continue
		}
		end := bytes.IndexAny(text, `"\`)
		if end < 0 {
			end = len(text)
		}
		if name, ok = c.peek(text[:end], speaks, depth); ok {
			return around + "+" + name, true
		}
		n++
	}
	return "", false
}

// mayPeek looks at the first characters of a string, so that most cost nothing.
func mayPeek(s []byte) bool {
	return len(s) >= minPeek && (mayBeBase64(s) || mayBeZlib64(s) || mayBeHex(s))
}
