package jsonedit

import (
	"errors"
	"fmt"
)

// MaxDepth is the deepest nesting accepted, the same as in encoding/json.
const MaxDepth = 10000

// MaxNodes is the largest number of nodes that a [Doc] holds; keys count, as they are nodes too. They take
// 512 MiB; a chat has as many in about 1.6 GB of text.
const MaxNodes = 1 << 25

// maxSize is the longest text that a Doc holds.
const maxSize = 1<<31 - 1

var (
	// ErrDepth is returned for a text that nests deeper than [MaxDepth] levels.
	ErrDepth = errors.New("json nested deeper than 10000 levels")
	// ErrTooLarge is returned by Parse for a text longer than 2^31-1 bytes; [Valid] takes any length.
	ErrTooLarge = errors.New("json longer than 2147483647 bytes")
	// ErrTooMany is returned by Parse for a well-formed text of more than [MaxNodes] nodes.
	ErrTooMany = errors.New("json of more than 33554432 values")
)

// A SyntaxError says that a text is no JSON. Its message quotes no more than one character of the text.
type SyntaxError struct {
	Offset int64 // of the first byte that cannot stand where it does; the length of the text if it ends too early
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// Where a byte was not expected; part of a message.
const (
	inString   = "in a string"
	inNumber   = "in a number"
	inLiteral  = "in a literal"
	asValue    = "where a value should begin"
	asKey      = "where a key should begin"
	asColon    = "behind a key"
	afterElem  = "behind an array element"
	afterValue = "behind a member"
	atEnd      = "behind the end of the value"
)

// unexpected reports the byte at i, or the end of the text.
func unexpected(s []byte, i int, where string) error {
	if i >= len(s) {
		return &SyntaxError{Offset: int64(len(s)), Msg: "unexpected end of input"}
	}
	name := fmt.Sprintf("0x%02x", s[i])
	if s[i] > ' ' && s[i] < 0x7f {
		name = "'" + string(rune(s[i])) + "'"
	}
	return &SyntaxError{Offset: int64(i), Msg: "unexpected " + name + " " + where}
}

// notSimple reports what is wrong with a number, literal or stray byte at i, where [skipSimple] failed.
func notSimple(s []byte, i int) error {
	switch c := s[i]; {
	case c == '-' || isDigit(c):
		return unexpected(s, ^skipNumber(s, i), inNumber)
	case c == 't' || c == 'f' || c == 'n':
		word := map[byte]string{'t': "true", 'f': "false", 'n': "null"}[c]
		k := 0
		for k < len(word) && i+k < len(s) && s[i+k] == word[k] {
			k++
		}
		return unexpected(s, i+k, inLiteral)
	}
	return unexpected(s, i, asValue)
}
