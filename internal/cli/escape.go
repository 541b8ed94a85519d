package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What is stored and what files are called is other people's text: it must
// not drive the terminal that it is printed to, nor a shell that it is pasted
// into.

// clean returns s with control characters, invisible ones that turn the
// direction of text, and bytes that are no UTF-8 written as escapes. Inside a
// JSON string all but the last are JSON's own.
func clean(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unsafeRune(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// unsafeRune reports whether a terminal might act on r. All such runes have
// four hex digits.
func unsafeRune(r rune) bool {
	switch {
	case unicode.IsControl(r):
		return true
	case r == '\u2028' || r == '\u2029': // line and paragraph separators
		return true
	case r == '\u061c' || r == '\u200e' || r == '\u200f' || r == '\ufeff':
		return true
	case '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069':
		return true
	}
	return false
}

// shellQuote returns s as one word of a POSIX shell.
func shellQuote(s string) string {
	if s != "" && strings.IndexFunc(s, needsQuotes) < 0 && s[0] != '~' && s[0] != '#' {
		return s
	}
	if clean(s) == s {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(c))
		case ' ' <= c && c <= '~':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return b.String() + "'"
}

func needsQuotes(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
		strings.ContainsRune("_@%+=:,./~#-", r))
}
