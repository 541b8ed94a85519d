package codec

import (
	"bytes"
	"errors"

	"boltmend/internal/jsonedit"
)

// JSON lines, and JSON values one behind the other without line breaks: two objects or arrays or more, white
// space or nothing between them. They are shown as one array, so that a message on each line is a history
// like any other, and an array of the same kind is made into lines again. A line that is in the new array as it
// was keeps its line ending; one that is new takes its neighbour's.

// maxLines is the largest number of values, so that small ones do not need many times their size.
const maxLines = 1 << 22

// span is where a value stands.
type span struct{ start, end int32 }

func (s span) of(text []byte) []byte { return text[s.start:s.end] }

// lines makes Text an array if it is JSON lines, and reports whether it is. On what is one JSON text it is a
// waste of time and reports false.
func (u *Unwrapped) lines() bool {
	if len(u.layers) == MaxDepth {
		return false
	}
	spans := splitLines(u.Text)
	if len(spans) < 2 {
		return false
	}
	array := append(make([]byte, 0, len(u.Text)+len(spans)+2), '[')
	for i, s := range spans {
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, s.of(u.Text)...)
	}
	u.push(layer{kind: lined, lines: spans}, append(array, ']'))
	return true
}

// splitLines returns where the values stand, nil if anything else is among them.
func splitLines(s []byte) (spans []span) {
	if int64(len(s)) > 1<<31-1 {
		return nil
	}
	newline := -1
	for i := skipSpace(s, 0); i < len(s); i = skipSpace(s, i) {
		if s[i] != '{' && s[i] != '[' || len(spans) == maxLines {
			return nil
		}
		if newline < i {
			if newline = bytes.IndexByte(s[i:], '\n'); newline < 0 {
				newline = len(s)
			} else {
				newline += i
			}
		}
		end := i + len(bytes.TrimRight(s[i:newline], space))
		if s[end-1] != s[i]+2 || jsonedit.Valid(s[i:end]) != nil {
			// More than one line, or more than one on it.
			if end = bracketEnd(s, i); end < 0 || jsonedit.Valid(s[i:end]) != nil {
				return nil
			}
		}
		spans = append(spans, span{int32(i), int32(end)})
		i = end
	}
	return spans
}

func skipSpace(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// bracketEnd is the index behind the bracket that closes the one at i, or -1. Of the text it knows only
// strings and brackets.
func bracketEnd(s []byte, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// closeLines makes lines of the array in.
func closeLines(_ *Codec, l *layer, in, _, old []byte) ([]byte, error) {
	d, err := jsonedit.Parse(in)
	if err != nil || d.Kind(0) != jsonedit.Array {
		return nil, errors.Join(ErrNotLines, err)
	}
	var values [][]byte
	for r := range d.Elems(0) {
		if k := d.Kind(r); k != jsonedit.Object && k != jsonedit.Array {
			return nil, ErrNotLines
		}
		values = append(values, d.Raw(r))
	}
	spans := l.lines
	for _, v := range values {
		if bytes.IndexByte(v, '\n') >= 0 && !broken(old, spans) {
			return nil, ErrNotLines
		}
	}
	from := align(old, spans, values)
	out := append(make([]byte, 0, len(in)+len(old)/8), old[:spans[0].start]...)
	for i, v := range values {
		if i > 0 {
			out = append(out, separator(old, spans, from[i-1], from[i])...)
		}
		out = append(out, v...)
	}
	return append(out, old[spans[len(spans)-1].end:]...), nil
}

// broken reports whether some value has line breaks in it.
func broken(text []byte, spans []span) bool {
	for _, s := range spans {
		if bytes.IndexByte(s.of(text), '\n') >= 0 {
			return true
		}
	}
	return false
}

// separator is what stands between two lines, each known by its old index, or -1.
func separator(text []byte, spans []span, a, b int) []byte {
	i := 0
	switch {
	case a >= 0 && a+1 < len(spans):
		i = a
	case b > 0:
		i = b - 1
	}
	return text[spans[i].end:spans[i+1].start]
}

// align finds which old line each new one is, -1 if none. Lines from both ends are compared first; if as many
// are left of both, they are taken to be the same ones, changed.
func align(text []byte, spans []span, values [][]byte) []int {
	from := make([]int, len(values))
	lo, hi := 0, len(values)
	for lo < hi && lo < len(spans) && bytes.Equal(values[lo], spans[lo].of(text)) {
		from[lo] = lo
		lo++
	}
	shift := len(spans) - len(values)
	for hi > lo && hi+shift > lo && bytes.Equal(values[hi-1], spans[hi-1+shift].of(text)) {
		hi--
		from[hi] = hi + shift
	}
	if shift == 0 {
		for i := lo; i < hi; i++ {
			from[i] = i
		}
		return from
	}
	places := make(map[string][]int)
	for i := lo; i < hi+shift; i++ {
		v := string(spans[i].of(text))
		places[v] = append(places[v], i)
	}
	for i := lo; i < hi; i++ {
		from[i] = -1
		if p := places[string(values[i])]; len(p) > 0 {
			from[i], places[string(values[i])] = p[0], p[1:]
		}
	}
	return from
}
