package codec

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
)

// field is one number of a prefix.
type field struct {
	width   int
	sum     func(b []byte, prefix int) uint64 // what it is of the bytes behind it; nil if it stays as it is
	little  bool
	content bool // of what was compressed, not of the compressed bytes
}

// sums are what a number in front of bytes may be of them. prefix is the length of the whole prefix. By
// chance, four bytes fit one of them once in a hundred million values.
var sums = []struct {
	width int
	of    func(b []byte, prefix int) uint64
}{
	{0, func(b []byte, _ int) uint64 { return uint64(len(b)) }},
	{0, func(b []byte, prefix int) uint64 { return uint64(len(b) + prefix) }},
	{4, func(b []byte, _ int) uint64 { return uint64(crc32.ChecksumIEEE(b)) }},
	{4, func(b []byte, _ int) uint64 { return uint64(crc32.Checksum(b, castagnoli)) }},
	{4, func(b []byte, _ int) uint64 { return uint64(adler32.Checksum(b)) }},
	{4, func(b []byte, _ int) uint64 { h := fnv.New32(); h.Write(b); return uint64(h.Sum32()) }},
	{4, func(b []byte, _ int) uint64 { h := fnv.New32a(); h.Write(b); return uint64(h.Sum32()) }},
	{8, func(b []byte, _ int) uint64 { return crc64.Checksum(b, crc64ISO) }},
	{8, func(b []byte, _ int) uint64 { return crc64.Checksum(b, crc64ECMA) }},
	{8, func(b []byte, _ int) uint64 { h := fnv.New64(); h.Write(b); return h.Sum64() }},
	{8, func(b []byte, _ int) uint64 { h := fnv.New64a(); h.Write(b); return h.Sum64() }},
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	crc64ISO   = crc64.MakeTable(crc64.ISO)
	crc64ECMA  = crc64.MakeTable(crc64.ECMA)
)

// explain says what the fields of a prefix are, and why it must not be written again if that is not clear.
// Only if it is thorough it also looks for a checksum that happens to look like a constant: that costs more
// than all the rest, and is worth it for what is going to be written.
func explain(p, rest, content []byte, thorough bool) (fields []field, sealed string) {
	const unclear = "the bytes in front may be a length or a checksum"
	whole := field{width: len(p)}
	if len(p) == 1 {
		if int(p[0]) == len(rest) {
			return []field{whole}, unclear
		}
		return []field{whole}, ""
	}
	if f, ok := explainField(p, rest, content, len(p), thorough); ok {
		return []field{f}, ""
	}
	if len(p) == 8 {
		a, isA := explainField(p[:4], rest, content, len(p), thorough)
		b, isB := explainField(p[4:], rest, content, len(p), thorough)
		if isA || isB {
			if !isA && !constant(p[:4]) || !isB && !constant(p[4:]) {
				sealed = unclear
			}
			return []field{a, b}, sealed
		}
	}
	n, size := uvarint(p)
	if size == len(p) && n == uint64(len(rest)) || shortLength(p, len(rest)) || !constant(p) {
		sealed = unclear
	}
	return []field{whole}, sealed
}

// explainField finds the sum that p is.
func explainField(p, rest, content []byte, prefix int, thorough bool) (field, bool) {
	f := field{width: len(p)}
	thorough = thorough || !constant(p)
	texts := [][]byte{rest, content}
	if &rest[0] == &content[0] {
		texts = texts[:1]
	}
	for i, text := range texts {
		for _, s := range sums {
			if s.width != 0 && (s.width != len(p) || !thorough) {
				continue
			}
			sum := s.of(text, prefix)
			for _, little := range []bool{false, true} {
				g := field{len(p), s.of, little, i == 1}
				if sum == g.get(p) {
					return g, true
				}
			}
		}
	}
	return f, false
}

func (f field) order() binary.ByteOrder {
	if f.little {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

func (f field) get(p []byte) uint64 {
	if f.width == 4 {
		return uint64(f.order().Uint32(p))
	}
	return f.order().Uint64(p)
}

// fill writes the field for the new bytes into p, or reports that it does not fit.
func (f field) fill(p, rest, content []byte, prefix int) bool {
	if f.sum == nil {
		return true
	}
	if f.content {
		rest = content
	}
	sum := f.sum(rest, prefix)
	if f.width == 8 {
		f.order().PutUint64(p, sum)
		return true
	}
	f.order().PutUint32(p, uint32(sum))
	return sum>>32 == 0
}

// shortLength reports whether a pair of bytes is n: a version too often to be called a length.
func shortLength(p []byte, n int) bool {
	for ; len(p) >= 2; p = p[2:] {
		if int(binary.BigEndian.Uint16(p)) == n || int(binary.LittleEndian.Uint16(p)) == n {
			return true
		}
	}
	return false
}

// constant reports whether p does not look like a checksum: half of it is zero, it is a magic number, or a time.
// Of random bytes it takes one in two thousand for a constant.
func constant(p []byte) bool {
	zeros, plain := 0, 0
	for _, c := range p {
		if c == 0 {
			zeros++
		}
		if c < 16 || 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			plain++
		}
	}
	if 2*zeros >= len(p) || isSign(p) || plain == 8 {
		return true
	}
	if len(p) == 4 {
		return false // a third of all numbers are times
	}
	// Of random eight bytes, one in ten thousand is a time in seconds, milliseconds or microseconds, but one in
	// ten is one in nanoseconds.
	for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
		for t := order.Uint64(p); t > 0 && t < 1e16; t /= 1000 {
			if t >= 1_000_000_000 && t < 2_500_000_000 { // 2001 to 2049
				return true
			}
		}
	}
	return false
}

// uvarint is binary.Uvarint without its negative results.
func uvarint(p []byte) (uint64, int) {
	v, n := binary.Uvarint(p)
	return v, max(n, 0)
}
