package codec

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// A prefix is 1, 4 or 8 bytes in front of a JSON text or of a compressed value: a version, a magic number, a
// time, a length, a checksum. It is taken for one only if what follows is JSON, or opens, up to its very end.
// In prefixfield.go it is decided what the bytes are and how they have to change.

var prefixLengths = [...]int{1, 4, 8}

type prefix struct {
	bytes   []byte
	rest    []byte // what is behind it
	content []byte // what was compressed into that, or rest itself
}

func openPrefix(u *Unwrapped, bufs *buffers) error {
	raw, depth := u.Text, len(u.layers)
	if depth == MaxDepth {
		return nil // a guess is no layer too many
	}
	for _, n := range prefixLengths {
		if len(raw) < n+2 || !mayBePrefix(raw, n) {
			continue
		}
		p, rest := raw[:n:n], raw[n:]
		left := u.left
		u.push(layer{kind: prefixed, prefix: prefix{bytes: p}}, rest)
		found := false
		if rest[0] == '{' || rest[0] == '[' {
			found = jsonedit.Valid(rest) == nil
		} else if depth+1 < MaxDepth {
			err := openGzip(u, bufs)
			if err == nil && len(u.layers) == depth+1 {
				err = openZstd(u, bufs)
			}
			if _, large := err.(*LimitError); large {
				return err
			}
			found = err == nil && len(u.layers) == depth+2
		}
		if found {
			u.layers[depth].prefix = prefix{p, rest, u.Text}
			if !u.opts.KeepPrefix {
				_, u.Sealed = explain(p, rest, u.Text, false)
			}
			return nil
		}
		u.layers, u.Text, u.left = u.layers[:depth], raw, left
	}
	return nil
}

// mayBePrefix reports whether raw can begin with a prefix of that length, by the first bytes. "data[0]" and "see: {}" are
// texts, so a prefix of nothing but text has to be in capitals and digits and the JSON to hold an object.
func mayBePrefix(raw []byte, length int) bool {
	p, rest := raw[:length], raw[length:]
	if tag, n := uvarint(p[1:]); p[0]&7 == 2 && n == len(p)-1 && n > 0 && tag == uint64(len(rest)) {
		return false // so does a longer one in protobuf
	}
	switch {
	case rest[0] == '{' || rest[0] == '[':
		last := bytes.TrimRight(rest, space)
		if last[len(last)-1] != rest[0]+2 {
			return false // cheaper than to read it all
		}
		if length == 4 && (isGob(raw) || isSnappy(raw)) {
			return false // a short text can stand in either as it is
		}
		return !isText(p) || isSign(p) && (rest[0] == '{' && rest[1] == '"' || rest[0] == '[' && rest[1] == '{')
	case len(rest) >= 4:
		return string(rest[:3]) == gzipMagic || string(rest[:4]) == zstdMagic
	}
	return false
}

// isSign reports whether p is capitals and digits.
func isSign(p []byte) bool {
	for _, c := range p {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

func closePrefix(_ *Codec, l *layer, in, content, _ []byte) ([]byte, error) {
	fields, _ := explain(l.prefix.bytes, l.prefix.rest, l.prefix.content, true)
	out := bytes.Clone(l.prefix.bytes)
	at := 0
	for _, f := range fields {
		if !f.fill(out[at:at+f.width], in, content, len(out)) {
			return nil, ErrSealed
		}
		at += f.width
	}
	return append(out, in...), nil
}
