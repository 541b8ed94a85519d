package codec

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// kind is the kind of a layer.
type kind uint8

const (
	gzipped kind = iota
	zstandard
	prefixed
	quoted // JSON in a JSON string
	base64ed
	lined // JSON lines
)

// layer is what one layer needs to be made again.
type layer struct {
	kind   kind
	header *gzipHeader // gzipped
	prefix prefix      // prefixed
	base64 variant     // base64ed

	// Of quoted, and of base64ed in a JSON string: the string as stored, without its quotes, and its text.
	// nil where the base64 is no JSON string.
	literal, inner []byte

	lines []span // lined: where the values stand in the text
}

// layerTable has the name of each layer and what puts it on again: in is the new text under the layer, and
// content what was compressed into it, or in itself. old is the text under the layer as it was.
var layerTable = [...]struct {
	name  string
	close func(c *Codec, l *layer, in, content, old []byte) ([]byte, error)
}{
	gzipped:   {"gzip", closeGzip},
	zstandard: {"zstd", closeZstd},
	prefixed:  {"prefix", closePrefix},
	quoted:    {"string", closeString},
	base64ed:  {"base64", closeBase64},
	lined:     {"lines", closeLines},
}

func (l *layer) name() string { return layerTable[l.kind].name }

// Rewrap is the value again, with text in place of [Unwrapped.Text] and the same layers: a stored value, or
// a JSON string with its quotes for what comes from [Codec.InString]. With the old text it is the old value,
// not a copy. What is made is read back before it is returned. It fails with an [*Error], or with a
// [*LimitError] if the new value could not be read under the same Options.
func (u *Unwrapped) Rewrap(text []byte) ([]byte, error) {
	if bytes.Equal(text, u.Text) {
		return u.raw, nil
	}
	switch {
	case u.Kind != JSON || jsonedit.Valid(text) != nil:
		return nil, &Error{"value", ErrNotJSON}
	case u.Sealed != "":
		return nil, &Error{layerTable[prefixed].name, ErrSealed}
	case len(u.layers) == 0:
		return bytes.Clone(text), nil
	}
	out, content, flat := text, text, text
	for i := len(u.layers) - 1; i >= 0; i-- {
		l, in, old := &u.layers[i], out, u.flat
		if l.kind != prefixed {
			content = in
		}
		var err error
		if out, err = layerTable[l.kind].close(u.codec, l, in, content, old); err != nil {
			return nil, &Error{l.name(), err}
		}
		if l.kind == lined {
			flat = out
		}
	}
	return out, u.readBack(out, flat)
}

// readBack opens the new value and compares the text in it.
func (u *Unwrapped) readBack(made, want []byte) error {
	c := u.codec
	if c.back == nil {
		c.back = new(Codec)
	}
	var got Unwrapped
	var err error
	if u.isString() {
		if d, bad := jsonedit.Parse(made); bad == nil {
			got, _ = c.back.InString(d, 0, u.opts)
			err = got.Err
		}
	} else {
		got, err = c.back.Unwrap(made, u.opts)
	}
	if err != nil {
		return err
	}
	if got.Kind != JSON || !bytes.Equal(got.flat, want) || !sameLayers(got.layers, u.layers) {
		return &Error{u.layers[0].name(), ErrReadBack}
	}
	return nil
}

// isString reports whether u comes from a JSON string.
func (u *Unwrapped) isString() bool { return u.layers[0].literal != nil }

// sameLayers compares all layers but JSON lines, which are no layer any more when one line is left.
func sameLayers(a, b []layer) bool {
	a, b = withoutLines(a), withoutLines(b)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].kind != b[i].kind {
			return false
		}
	}
	return true
}

func withoutLines(s []layer) []layer {
	if n := len(s); n > 0 && s[n-1].kind == lined {
		return s[:n-1]
	}
	return s
}
