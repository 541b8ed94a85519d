package migrate

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"slices"
	"strconv"
)

// Whatever it is called, what equals a digest of some stored bytes is one: no
// other text does by chance.

// sums are the digests of some texts, made when something of their size is seen.
type sums struct {
	texts func() [][]byte
	made  map[int][]string // by size in bytes
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// of are the digests of a size.
func (s *sums) of(size int) []string {
	all, known := s.made[size]
	if known || size != sha256.Size && size != sha1.Size && size != md5.Size && size != crc32.Size {
		return all
	}
	for _, text := range s.texts() {
		switch size {
		case sha256.Size:
			sum := sha256.Sum256(text)
			all = append(all, string(sum[:]))
		case sha1.Size:
			sum := sha1.Sum(text)
			all = append(all, string(sum[:]))
		case md5.Size:
			sum := md5.Sum(text)
			all = append(all, string(sum[:]))
		case crc32.Size:
			for _, sum := range []uint32{crc32.ChecksumIEEE(text), crc32.Checksum(text, castagnoli)} {
				all = append(all, string(binary.BigEndian.AppendUint32(nil, sum)), string(binary.LittleEndian.AppendUint32(nil, sum)))
			}
		}
	}
	if s.made == nil {
		s.made = make(map[int][]string)
	}
	s.made[size] = all
	return all
}

func (s *sums) has(sum []byte) bool { return slices.Contains(s.of(len(sum)), string(sum)) }

// maxHeld bounds the bytes that are looked through for a digest.
const maxHeld = 64 << 10

// in reports whether some bytes are one of the digests, or a text that has one as
// a word of it.
func (s *sums) in(b []byte) bool {
	if s.has(b) {
		return true
	}
	b = b[:min(len(b), maxHeld)]
	for len(b) > 0 {
		n := 0
		for n < len(b) && isWord[b[n]] {
			n++
		}
		if s.word(b[:n]) {
			return true
		}
		b = b[min(n+1, len(b)):]
	}
	return false
}

// isWord are the characters of hex, of numbers and of base64.
var isWord = func() (t [256]bool) {
	for _, c := range []byte(digestChars) {
		t[c] = c != ':' && c != '='
	}
	return t
}()

// word reports whether a word is one of the digests, as hex, base64 or, of CRC-32,
// a number.
func (s *sums) word(w []byte) bool {
	var buf [sha256.Size]byte
	switch len(w) {
	case 64, 40, 32, 8:
		if n, err := hex.Decode(buf[:], w); err == nil && s.has(buf[:n]) {
			return true
		}
	case 43, 27, 22:
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if n, err := e.Decode(buf[:], w); err == nil && s.has(buf[:n]) {
				return true
			}
		}
	}
	if len(w) == 0 || len(w) > 10 || w[0] < '1' || w[0] > '9' {
		return false
	}
	n, err := strconv.ParseUint(string(w), 10, 32)
	return err == nil && s.has(binary.BigEndian.AppendUint32(nil, uint32(n)))
}
