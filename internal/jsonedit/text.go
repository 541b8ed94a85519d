package jsonedit

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Escaped tells whether r is a string with a backslash in it.
func (d *Doc) Escaped(r Ref) bool { return d.has(r) && d.nodes[r].escaped }

// Surrogates tells whether some string of the text, name or value, has an escape of one half of a character of
// UTF-16, as \ud83d is. It costs nothing: the parser noticed.
func (d *Doc) Surrogates() bool { return d.seen&surrogate != 0 }

// Inner is the text of a string between its quotes as stored, a part of Src; nil for what is no string.
func (d *Doc) Inner(r Ref) []byte {
	if d.Kind(r) != String {
		return nil
	}
	start, end := d.Span(r)
	return d.src[start+1 : end-1 : end-1]
}

// Text is a string decoded as encoding/json decodes it: each byte of bad UTF-8 and each lone surrogate is
// U+FFFD. It is empty for what is no string.
func (d *Doc) Text(r Ref) string {
	if inner := d.Inner(r); !d.Escaped(r) && utf8.Valid(inner) {
		return string(inner)
	}
	return string(d.AppendText(nil, r))
}

// AppendText appends [Doc.Text] to dst.
func (d *Doc) AppendText(dst []byte, r Ref) []byte {
	in := d.Inner(r)
	for len(in) > 0 {
		plain := in
		if i := bytes.IndexByte(in, '\\'); i >= 0 {
			plain = in[:i]
		}
		if utf8.Valid(plain) {
			dst = append(dst, plain...)
		} else {
			dst = appendValid(dst, plain)
		}
		if in = in[len(plain):]; len(in) > 0 {
			c, size := unescape(in)
			dst = utf8.AppendRune(dst, c)
			in = in[size:]
		}
	}
	return dst
}

// Is tells whether r is a string whose decoded text is s.
func (d *Doc) Is(r Ref, s string) bool {
	if d.Kind(r) != String {
		return false
	}
	in := d.Inner(r)
	if !d.Escaped(r) && len(in) >= len(s) {
		// Decoding makes no text shorter that has no escapes, and keeps the length only of valid UTF-8.
		return string(in) == s && utf8.ValidString(s)
	}
	for len(in) > 0 && len(s) > 0 {
		c, size := rune(in[0]), 1
		switch {
		case c == '\\':
			c, size = unescape(in)
		case c >= utf8.RuneSelf:
			c, size = utf8.DecodeRune(in)
		}
		want, width := utf8.DecodeRuneInString(s)
		if c != want || want == utf8.RuneError && width == 1 {
			return false
		}
		in, s = in[size:], s[width:]
	}
	return len(in) == 0 && len(s) == 0
}

// unescape is [Unescape] with U+FFFD for a lone surrogate.
func unescape(in []byte) (c rune, size int) {
	if c, size = Unescape(in); utf16.IsSurrogate(c) {
		c = utf8.RuneError
	}
	return c, size
}

// Unescape decodes the well-formed escape at the beginning of in, a pair of surrogates as one character. A lone
// surrogate is returned as it is.
func Unescape(in []byte) (c rune, size int) {
	switch in[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		c = hexRune(in[2:])
		if utf16.IsSurrogate(c) && len(in) >= 12 && in[6] == '\\' && in[7] == 'u' {
			if pair := utf16.DecodeRune(c, hexRune(in[8:])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return c, 6
	}
	return rune(in[1]), 2
}

// hexRune is the value of four hexadecimal digits.
func hexRune(s []byte) (c rune) {
	for _, h := range s[:4] {
		c = c<<4 | rune(hexValue(h))
	}
	return c
}

// appendValid appends s with U+FFFD in place of each byte of bad UTF-8.
func appendValid[T string | []byte](dst []byte, s T) []byte {
	for _, c := range string(s) {
		dst = utf8.AppendRune(dst, c)
	}
	return dst
}

// Quote is s as a JSON string. Only quotes, backslashes and control characters are escaped; bad UTF-8
// becomes U+FFFD.
func Quote(s string) []byte {
	const hex = "0123456789abcdef"
	dst := append(make([]byte, 0, len(s)+2), '"')
	for from := 0; ; {
		i := from
		for i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' {
			i++
		}
		if plain := s[from:i]; utf8.ValidString(plain) {
			dst = append(dst, plain...)
		} else {
			dst = appendValid(dst, plain)
		}
		if i == len(s) {
			return append(dst, '"')
		}
		switch c := s[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		from = i + 1
	}
}
