package codec

import (
	"bytes"
	"encoding/base64"

	"boltmend/internal/jsonedit"
)

// Base64 is what encoding/json makes of a []byte: the standard alphabet with padding. The alphabet of URLs
// and no padding are known too, from a text that shows them; of one that shows neither, the standard is
// assumed, and a new text that would depend on what the old one did not show is refused. Only a text whose
// encoding is exactly what it was is opened: no line breaks, no stray bits.

// variant is what a base64 text shows of its encoding.
type variant struct {
	std, url bool // it has characters of that alphabet alone
	padded   bool
	bare     bool // its padding is missing
}

// What alphabets says of a character.
const (
	inNone = iota
	inStd
	inURL
	inBoth
)

// alphabets says of each byte in which alphabet it is.
var alphabets = func() (t [256]byte) {
	for c := range t {
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			t[c] = inBoth
		}
	}
	t['+'], t['/'], t['-'], t['_'] = inStd, inStd, inURL, inURL
	return t
}()

// encode is the base64 of text, which is refused if it depends on what is not known.
func (v variant) encode(text []byte) ([]byte, error) {
	e := base64.StdEncoding
	if v.url {
		e = base64.URLEncoding
	}
	if v.bare {
		e = e.WithPadding(base64.NoPadding)
	}
	out := e.AppendEncode(nil, text)
	odd := v.url || v.bare // no []byte of Go
	if odd && !v.url && !v.std && bytes.ContainsAny(out, "+/") ||
		odd && !v.padded && !v.bare && len(text)%3 != 0 {
		return nil, ErrAmbiguous
	}
	return out, nil
}

// decode is the text that s is the base64 of, if it begins as JSON or compressed.
func decodeBase64(s []byte) (text []byte, v variant, ok bool) {
	if !mayBeBase64(s) {
		return nil, v, false
	}
	body := bytes.TrimRight(s, "=")
	for _, c := range body {
		switch alphabets[c] {
		case inNone:
			return nil, v, false
		case inStd:
			v.std = true
		case inURL:
			v.url = true
		}
	}
	v.padded = len(body) < len(s)
	v.bare = !v.padded && len(s)%4 != 0
	e := base64.RawStdEncoding
	if v.url {
		e = base64.RawURLEncoding
	}
	if v.std && v.url || v.padded && (len(s)%4 != 0 || len(s)-len(body) > 2) {
		return nil, v, false
	}
	text, err := e.Strict().AppendDecode(nil, body)
	return text, v, err == nil
}

// mayBeBase64 looks at the first characters, so that most strings cost nothing. It says no to no base64 text
// that it should say yes to.
func mayBeBase64(s []byte) bool {
	if len(s) < 3 {
		return false
	}
	switch s[0] {
	case 'e', 'W', 'I', 'C', 'D': // "{", "[" and white space
		var b [3]byte
		n, _ := base64.RawStdEncoding.Decode(b[:], s[:2])
		return n == 1 && (b[0] == '{' || b[0] == '[' || b[0] <= ' ')
	case 'H':
		return bytes.HasPrefix(s, []byte("H4sI"))
	case 'K':
		return bytes.HasPrefix(s, []byte("KLUv"))
	}
	return false
}

// openBase64 opens a value that is base64 text itself.
func openBase64(u *Unwrapped, bufs *buffers) error {
	text, v, ok := decodeBase64(u.Text)
	if !ok || len(u.layers) == MaxDepth || !promising(text) {
		return nil
	}
	u.push(layer{kind: base64ed, base64: v}, text)
	return nil
}

// promising reports whether it is worth it to call a text base64: any short word is the base64 of something.
func promising(text []byte) bool {
	t := bytes.TrimLeft(text, space)
	switch {
	case len(t) == 0:
		return false
	case t[0] == '{' || t[0] == '[':
		return jsonedit.Valid(t) == nil || splitLines(t) != nil
	}
	return len(text) >= 18 && (string(text[:3]) == gzipMagic || string(text[:4]) == zstdMagic)
}

func closeBase64(_ *Codec, l *layer, in, _, _ []byte) ([]byte, error) {
	out, err := l.base64.encode(in)
	if err != nil || l.literal == nil {
		return out, err
	}
	return requote(l.literal, l.inner, out), nil
}
