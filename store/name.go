package store

import (
	"errors"
	"fmt"
	"strings"
)

// Names of buckets and keys are any bytes. In refs, journals and messages
// they are percent-encoded: only A-Z a-z 0-9 . _ : - and a ~ that does not
// lead stand for themselves, so that a name is one word for a shell, a slash
// parts names, and nothing that a terminal would obey is ever printed. The
// empty name is a lone %.

const (
	emptyName = "%"
	upperHex  = "0123456789ABCDEF"
)

func bare(c byte, leads bool) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	case c == '.', c == '_', c == ':', c == '-':
		return true
	}
	return c == '~' && !leads
}

// EncodeName percent-encodes one name of a bucket or key.
func EncodeName(name []byte) string {
	return string(AppendName(nil, name))
}

// AppendName appends the percent-encoded name to dst.
func AppendName(dst, name []byte) []byte {
	if len(name) == 0 {
		return append(dst, emptyName...)
	}
	for i, c := range name {
		if bare(c, i == 0) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

// DecodeName is the inverse of [EncodeName]. It takes hex digits of either
// case, and fails on a byte that has to be encoded and is not.
func DecodeName(s string) ([]byte, error) {
	if s == emptyName {
		return []byte{}, nil
	}
	if s == "" {
		return nil, errors.New("name is empty: an empty name is written %")
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '%' {
			if !bare(c, i == 0) {
				return nil, fmt.Errorf("byte %d of the name has to be percent-encoded: %%%02X", i, c)
			}
			out = append(out, c)
			continue
		}
		if i+2 >= len(s) {
			return nil, errors.New("name ends inside a percent-encoded byte")
		}
		hi, lo := unhex(s[i+1]), unhex(s[i+2])
		if hi < 0 || lo < 0 {
			return nil, fmt.Errorf("byte %d of the name: two hex digits must follow %%", i)
		}
		out = append(out, byte(hi<<4|lo))
		i += 2
	}
	return out, nil
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// EncodePath percent-encodes a bucket path, its names joined by a slash. The
// path of no names, the root, is the empty string.
func EncodePath(path [][]byte) string {
	var dst []byte
	for i, name := range path {
		if i > 0 {
			dst = append(dst, '/')
		}
		dst = AppendName(dst, name)
	}
	return string(dst)
}

// DecodePath is the inverse of [EncodePath].
func DecodePath(s string) ([][]byte, error) {
	if s == "" {
		return nil, nil
	}
	var path [][]byte
	for part := range strings.SplitSeq(s, "/") {
		name, err := DecodeName(part)
		if err != nil {
			return nil, err
		}
		path = append(path, name)
	}
	return path, nil
}
