package jsonedit

import (
	"encoding/binary"
	"math/bits"
)

// The functions here pass over one token. They return the index behind it or, where the text is wrong, the
// complement (^) of the index of the byte that is: one register for both keeps the hot loops short.

// Bytes repeated over a word.
const (
	ones  = 0x0101010101010101
	tops  = 0x80 * ones
	flip  = 0x02 * ones
	below = 0x21 * ones
	slash = '\\' * ones
)

// stops marks, by the top bit of its lowest set byte, the first byte of w that ends plain string text: a
// quote, a backslash or a control character. Flipping bit 1 puts the quote (0x22) right behind the control
// characters, at 0x20, and moves the space out of its way to 0x22: one comparison for both. Bits above the
// lowest may be wrong, for a subtraction that borrows.
func stops(w uint64) uint64 {
	return ((w ^ flip - below) | (w ^ slash - ones)) &^ w & tops
}

// short are the letters that make an escape with a backslash alone. It is a table and no switch because no
// branch predictor knows which letter comes next.
var short = [256]bool{'n': true, '"': true, '\\': true, 't': true, 'r': true, '/': true, 'b': true, 'f': true}

// escapes says which a string has.
type escapes uint8

const (
	anyEscape escapes = 1 << iota
	surrogate         // one half of a character of UTF-16
)

// skipString passes over a string; i is the index behind its opening quote.
func skipString(s []byte, i int) (end int, has escapes) {
	for i <= len(s)-8 {
		m := stops(binary.LittleEndian.Uint64(s[i : i+8])) // in this form without a check of bounds
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if s[i] != '\\' {
			if s[i] == '"' {
				return i + 1, has
			}
			return ^i, has
		}
		has |= anyEscape
		if i+1 < len(s) && short[s[i+1]] {
			i += 2
			continue
		}
		if i = skipEscape(s, i); i < 0 {
			return i, has
		}
		has |= ofUnicode(s, i)
	}
	return skipStringEnd(s, i, has)
}

// skipStringEnd is skipString for the last bytes of a text, where no whole word is left.
func skipStringEnd(s []byte, i int, has escapes) (int, escapes) {
	for i < len(s) {
		switch c := s[i]; {
		case c == '"':
			return i + 1, has
		case c == '\\':
			has |= anyEscape
			long := i+1 < len(s) && !short[s[i+1]]
			if i = skipEscape(s, i); i < 0 {
				return i, has
			}
			if long {
				has |= ofUnicode(s, i)
			}
		case c < ' ':
			return ^i, has
		default:
			i++
		}
	}
	return ^len(s), has
}

// ofUnicode says what an escape of four hexadecimal digits is that ends at i.
func ofUnicode(s []byte, i int) escapes {
	if s[i-4]|0x20 == 'd' && s[i-3] >= '8' {
		return surrogate
	}
	return 0
}

// skipEscape passes over an escape; i is the index of its backslash.
func skipEscape(s []byte, i int) int {
	if i+1 >= len(s) {
		return ^len(s)
	}
	switch c := s[i+1]; {
	case short[c]:
		return i + 2
	case c == 'u':
		return skipHex(s, i+2)
	}
	return ^(i + 1)
}

// skipHex passes over four hexadecimal digits.
func skipHex(s []byte, i int) int {
	for end := i + 4; i < end; i++ {
		if i >= len(s) || hexValue(s[i]) > 15 {
			return ^i
		}
	}
	return i
}

// hexValue is the value of a hexadecimal digit, or more than 15.
func hexValue(c byte) byte {
	switch {
	case isDigit(c):
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xff
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// skipSpace passes over white space.
func skipSpace(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// skipNumber passes over a number.
func skipNumber(s []byte, i int) int {
	if s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++ // nothing but a fraction or an exponent goes on from here
	} else if i = skipDigits(s, i); i < 0 {
		return i
	}
	if i < len(s) && s[i] == '.' {
		if i = skipDigits(s, i+1); i < 0 {
			return i
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return skipDigits(s, i)
	}
	return i
}

// skipDigits passes over one digit or more.
func skipDigits(s []byte, i int) int {
	start := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i == start {
		return ^i
	}
	return i
}

// skipSimple passes over a number or a literal, whatever begins at i.
func skipSimple(s []byte, i int) (int, Kind) {
	switch rest := s[i:]; s[i] {
	case 't':
		if len(rest) >= 4 && string(rest[:4]) == "true" {
			return i + 4, True
		}
	case 'f':
		if len(rest) >= 5 && string(rest[:5]) == "false" {
			return i + 5, False
		}
	case 'n':
		if len(rest) >= 4 && string(rest[:4]) == "null" {
			return i + 4, Null
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return skipNumber(s, i), Number
	}
	return ^i, Null
}
