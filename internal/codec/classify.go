package codec

import (
	"bytes"
	"unicode/utf8"
)

// What is no JSON and no layer gets a name, so that a report can say more than "unknown". A name is given only
// on good evidence: a magic number, or a structure that is followed to the end of the value, or, of a large
// one, for walkBytes of it. Text comes first and is never called anything else, whatever a decoder would make
// of it.

const (
	sampleBytes = 4 << 10  // looked at for text and for entropy
	walkBytes   = 64 << 10 // looked at for structure
	minOpaque   = 96       // keys, hashes and signatures are shorter
)

// classify is the kind of what is left, and the name of what is Foreign.
func classify(b []byte) (Kind, string) {
	if isText(b) {
		return Plain, ""
	}
	for _, m := range magics {
		if len(b) > m.at+len(m.bytes) && string(b[m.at:m.at+len(m.bytes)]) == m.bytes {
			return Foreign, m.name
		}
	}
	for _, s := range structures {
		if s.is(b) {
			return Foreign, s.name
		}
	}
	if isOpaque(b) {
		return Opaque, ""
	}
	return Binary, ""
}

// magics are what a format begins with. Pictures and the like are here because they would be opaque else.
var magics = [...]struct {
	name  string
	at    int
	bytes string
}{
	{"snappy framed", 0, "\xff\x06\x00\x00sNaPpY"},
	{"s2 framed", 0, "\xff\x06\x00\x00S2sTwO"},
	{"lz4", 0, "\x04\x22\x4d\x18"},
	{"xz", 0, "\xfd7zXZ\x00"},
	{"bzip2", 4, "1AY&SY"},
	{"cbor", 0, "\xd9\xd9\xf7"},
	{"age", 0, "age-encryption.org/v1\n"},
	{"sqlite", 0, "SQLite format 3\x00"},
	{"png", 0, "\x89PNG\r\n\x1a\n"},
	{"jpeg", 0, "\xff\xd8\xff"},
	{"gif", 0, "GIF89a"},
	{"gif", 0, "GIF87a"},
	{"webp", 8, "WEBP"},
	{"wav", 8, "WAVEfmt "},
	{"mp4", 4, "ftyp"},
	{"mp3", 0, "ID3"},
	{"ogg", 0, "OggS\x00"},
	{"pdf", 0, "%PDF-"},
	{"zip", 0, "PK\x03\x04"},
}

// structures are what is known by its form. What fits by chance more easily comes later.
var structures = [...]struct {
	name string
	is   func([]byte) bool
}{
	{"zlib", isZlib},
	{"gob", isGob},
	{"snappy", isSnappy},
	{"msgpack", isMsgpack},
	{"cbor", isCBOR},
	{"protobuf", isProtobuf},
}

// isText reports whether the sample is UTF-8 without control characters but white space and the escapes of
// terminals.
func isText(b []byte) bool {
	if len(b) > sampleBytes {
		b = b[:sampleBytes]
		for i := 1; i < utf8.UTFMax; i++ { // a character that the end cuts in two
			if c := b[len(b)-i]; c >= utf8.RuneSelf {
				if utf8.RuneStart(c) {
					if !utf8.FullRune(b[len(b)-i:]) {
						b = b[:len(b)-i]
					}
					break
				}
				continue
			}
			break
		}
	}
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != '\x1b' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(b)
}

// isOpaque reports whether all byte values are about as frequent in the sample: a chi-square test with 255
// degrees of freedom, whose mean is 255 and whose deviation 22.6. Of encrypted or compressed samples one in
// a million is over the bound; what has any form is far over it.
func isOpaque(b []byte) bool {
	if len(b) < minOpaque {
		return false
	}
	b = b[:min(len(b), sampleBytes)]
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	var squares int64
	for _, n := range count {
		squares += int64(n) * int64(n)
	}
	n := int64(len(b))
	return squares*256/n-n < 255+23*6
}

// hasWord reports whether b is text of some length, as names of fields are.
func hasWord(b []byte) bool {
	return len(b) >= 2 && len(bytes.TrimSpace(b)) == len(b) && isText(b)
}
