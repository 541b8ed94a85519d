package codec

import (
	"iter"

	"boltmend/internal/jsonedit"
)

// A string in a JSON document can hold a JSON text, JSON lines, or base64 of them or of something compressed
// that holds them. Unlike a whole value it is checked at once, for most strings that begin like JSON are
// none.

// Strings yields the strings of d that hold JSON, in document order, keys not counted: what
// [Codec.InString] says of each. [Options.MaxValue] bounds all of them together.
func (c *Codec) Strings(d *jsonedit.Doc, o Options) iter.Seq2[jsonedit.Ref, Unwrapped] {
	return func(yield func(jsonedit.Ref, Unwrapped) bool) {
		left := o.limit()
		for r := jsonedit.Ref(0); r < d.Nodes(); r++ {
			if d.Kind(r) != jsonedit.String {
				continue
			}
			u, ok := c.inString(d, r, o, &left)
			if (ok || u.Err != nil) && !yield(r, u) {
				return
			}
		}
	}
}

// InString opens the string r of d, and reports whether JSON is in it. If none is, the Unwrapped says no more
// than its Err, nil for what is a string like any other. The text is a JSON text that was checked, and
// [Unwrapped.Rewrap] makes a JSON string of a new one. It stays valid as long as d does.
func (c *Codec) InString(d *jsonedit.Doc, r jsonedit.Ref, o Options) (Unwrapped, bool) {
	left := o.limit()
	return c.inString(d, r, o, &left)
}

// inString is InString with the number of bytes that may be made of compressed ones.
func (c *Codec) inString(d *jsonedit.Doc, r jsonedit.Ref, o Options, left *int64) (Unwrapped, bool) {
	literal := d.Inner(r)
	text := beginsEscaped(literal)
	if !text && !mayBeBase64(literal) || isKey(d, r) {
		return Unwrapped{}, false
	}
	s := &c.work
	*s = Unwrapped{Kind: JSON, raw: d.Raw(r), codec: c, opts: o, left: *left}
	inner := literal
	if d.Escaped(r) {
		inner = unquote(make([]byte, 0, len(literal)), literal)
	}
	if text {
		s.push(layer{kind: quoted, literal: literal, inner: inner}, inner)
		return s.checked()
	}
	decoded, v, isBase64 := decodeBase64(inner)
	if !isBase64 || !promising(decoded) {
		return Unwrapped{}, false
	}
	s.push(layer{kind: base64ed, base64: v, literal: literal, inner: inner}, decoded)
	if !beginsAsJSON(decoded) {
		return s.compressed(left)
	}
	return s.checked()
}

// compressed goes on below base64, in memory of its own.
func (u *Unwrapped) compressed(left *int64) (Unwrapped, bool) {
	err := u.open(new(buffers))
	*left = u.left
	switch err := err.(type) {
	case nil:
	case *LimitError:
		*left = 0
		return Unwrapped{Err: err}, false
	case *Error:
		if err.Err == ErrDepth {
			return Unwrapped{Err: err}, false
		}
		return Unwrapped{}, false // it was a guess
	}
	if u.Kind != JSON {
		return Unwrapped{}, false
	}
	return u.checked()
}

// checked is u if its text is JSON or JSON lines.
func (u *Unwrapped) checked() (Unwrapped, bool) {
	u.flat = u.Text
	if jsonedit.Valid(u.Text) == nil || u.lines() {
		return *u, true
	}
	return Unwrapped{}, false
}

// beginsEscaped reports whether the text of a literal begins as an object or array.
func beginsEscaped(literal []byte) bool {
	for i := 0; i < len(literal); {
		c, n := rune(literal[i]), 1
		if c == '\\' {
			c, n = jsonedit.Unescape(literal[i:])
		}
		switch c {
		case '{', '[':
			return true
		case ' ', '\t', '\r', '\n':
			i += n
		default:
			return false
		}
	}
	return false
}

// isKey reports whether the string r is a key: a colon follows.
func isKey(d *jsonedit.Doc, r jsonedit.Ref) bool {
	_, end := d.Span(r)
	src := d.Src()
	end = skipSpace(src, end)
	return end < len(src) && src[end] == ':'
}

func closeString(_ *Codec, l *layer, in, _, _ []byte) ([]byte, error) {
	return requote(l.literal, l.inner, in), nil
}
