package codec

import (
	"unicode/utf16"
	"unicode/utf8"

	"boltmend/internal/jsonedit"
)

// Encoders spell strings in different ways. encoding/json of Go escapes < > & and the two line separators as
// \u003c; JavaScript and SetEscapeHTML(false) do not; Python and PHP escape all that is not ASCII, PHP the
// slash too; .NET spells even the quote as \u0022, in capitals. All of them mean the same to a decoder, but
// text that is put in should not stand out. So the style is read off the old string, character by character
// and, for what does not occur in it, from what goes with it.

// form is how a character is spelled.
type form uint8

const (
	unseen form = iota
	raw
	short   // \n
	unicode // \u000a
)

type style struct {
	ascii      [utf8.RuneSelf]form
	separators form // U+2028 and U+2029
	wide       form // the rest that is not ASCII
	surrogates form // lone ones
	capitals   bool
}

// styleOf reads the style off a literal. Where it has two spellings of a character, the last one counts.
func styleOf(literal []byte) *style {
	s := new(style)
	for i := 0; i < len(literal); {
		if literal[i] != '\\' {
			c, size := rune(literal[i]), 1
			if c >= utf8.RuneSelf {
				c, size = utf8.DecodeRune(literal[i:])
			}
			s.saw(c, raw)
			i += size
			continue
		}
		c, size := jsonedit.Unescape(literal[i:])
		if literal[i+1] != 'u' {
			s.saw(c, short)
		} else {
			s.saw(c, unicode)
			for _, h := range literal[i+2 : i+size] {
				if h >= 'A' && h <= 'F' {
					s.capitals = true
				}
			}
		}
		i += size
	}
	s.conclude()
	return s
}

func (s *style) saw(c rune, f form) {
	switch {
	case c < utf8.RuneSelf:
		s.ascii[c] = f
	case c == '\u2028' || c == '\u2029':
		s.separators = f
	case utf16.IsSurrogate(c):
		s.surrogates = f
	case c != utf8.RuneError:
		s.wide = f
	}
}

// conclude decides on what was not seen.
func (s *style) conclude() {
	html := max(s.ascii['<'], s.ascii['>'], s.ascii['&'])
	net := s.ascii['"'] == unicode
	if net {
		html = max(html, unicode)
	}
	if s.separators == unseen && (html == unicode || s.wide == unicode) {
		s.separators = unicode
	}
	for c := range s.ascii {
		f := &s.ascii[c]
		switch {
		case *f != unseen:
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			*f = short
		case c < ' ', c == 0x7f && s.wide == unicode:
			*f = unicode
		case c == '<' || c == '>' || c == '&':
			*f = html
		case net && (c == '\'' || c == '+' || c == '`'):
			*f = unicode
		}
	}
}

// appendText appends text as part of a literal.
func (s *style) appendText(dst, text []byte) []byte {
	for len(text) > 0 {
		c, size := rune(text[0]), 1
		f := raw
		if c < utf8.RuneSelf {
			f = s.ascii[c]
		} else if c, size = utf8.DecodeRune(text); c == '\u2028' || c == '\u2029' {
			f = s.separators
		} else if c != utf8.RuneError || size > 1 {
			f = s.wide
		} else if lone := surrogate(text); lone != 0 && s.surrogates == unicode {
			c, size, f = lone, 3, unicode
		}
		switch f {
		case short:
			dst = append(dst, '\\', shortName(c))
		case unicode:
			dst = s.appendUnicode(dst, c)
		default:
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst
}

// shortName is the letter behind the backslash.
func shortName(c rune) byte {
	switch c {
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return byte(c)
}

func (s *style) appendUnicode(dst []byte, c rune) []byte {
	if c > 0xffff {
		high, low := utf16.EncodeRune(c)
		return s.appendUnicode(s.appendUnicode(dst, high), low)
	}
	digits := "0123456789abcdef"
	if s.capitals {
		digits = "0123456789ABCDEF"
	}
	return append(dst, '\\', 'u', digits[c>>12&15], digits[c>>8&15], digits[c>>4&15], digits[c&15])
}
