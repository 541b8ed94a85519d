package codec

import (
	"unicode/utf16"
	"unicode/utf8"

	"boltmend/internal/jsonedit"
)

// Unlike encoding/json and jsonedit these keep what is not valid: bytes that are no UTF-8 stay, and the escape
// of a lone surrogate becomes the three bytes that UTF-8 would have for it. So a literal that is taken apart
// and put together again says what it said.

// unquote appends the text of a literal, a JSON string without its quotes.
func unquote(dst, literal []byte) []byte {
	for i := 0; i < len(literal); {
		if literal[i] != '\\' {
			from := i
			for i < len(literal) && literal[i] != '\\' {
				i++
			}
			dst = append(dst, literal[from:i]...)
			continue
		}
		c, n := jsonedit.Unescape(literal[i:])
		dst = appendRune(dst, c)
		i += n
	}
	return dst
}

// appendRune is utf8.AppendRune that takes surrogates as well.
func appendRune(dst []byte, c rune) []byte {
	if utf16.IsSurrogate(c) {
		return append(dst, 0xe0|byte(c>>12), 0x80|byte(c>>6)&0x3f, 0x80|byte(c)&0x3f)
	}
	return utf8.AppendRune(dst, c)
}

// surrogate is the surrogate at the beginning of text, as appendRune writes it, or 0.
func surrogate(text []byte) rune {
	if len(text) < 3 || text[0] != 0xed || text[1]&0xe0 != 0xa0 || text[2]&0xc0 != 0x80 {
		return 0
	}
	return 0xd000 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// requote is a JSON string of text. Of the literal of old, what text has in common with it at the beginning and
// at the end is kept as it is spelled, and what is between is spelled in its style.
func requote(literal, old, text []byte) []byte {
	head := 0
	for head < min(len(old), len(text)) && old[head] == text[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(text))-head && old[len(old)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	// No escape can be split: head ends before the one that it ends in, the tail begins behind.
	headAt, head := place(literal, head, false)
	tailAt, from := place(literal, len(old)-tail, true)
	tail = len(old) - from

	s := styleOf(literal)
	out := make([]byte, 0, len(literal)+len(text)-min(len(old), len(text))+64)
	out = append(append(out, '"'), literal[:headAt]...)
	out = s.appendText(out, text[head:len(text)-tail])
	return append(append(out, literal[tailAt:]...), '"')
}

// place finds where in a literal the byte at of its text is: the index, and at again, moved to the beginning of
// the escape that it is in, or behind it.
func place(literal []byte, at int, behind bool) (index, text int) {
	for index < len(literal) && text < at {
		n, size := 1, 1
		if literal[index] == '\\' {
			var c rune
			c, size = jsonedit.Unescape(literal[index:])
			var b [utf8.UTFMax]byte
			n = len(appendRune(b[:0], c))
		}
		if text+n > at && !behind {
			break
		}
		index, text = index+size, text+n
	}
	return index, text
}
