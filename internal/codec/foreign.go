package codec

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/flate"
)

// isZlib: the two bytes of its header fit, and what follows can be inflated, as far as one looks.
func isZlib(b []byte) bool {
	if len(b) < 8 || !hasZlibHeader(b) {
		return false
	}
	r := flate.NewReader(bytes.NewReader(b[2:]))
	var text [1 << 10]byte
	n, err := io.ReadFull(r, text[:])
	return err == nil || err == io.ErrUnexpectedEOF && n >= 4 && ended(r)
}

func hasZlibHeader(b []byte) bool {
	return b[0]&0x0f == 8 && b[0]>>4 <= 7 && (int(b[0])<<8|int(b[1]))%31 == 0 && b[1]&0x20 == 0
}

// ended reports whether r is at an end and not at a fault; ReadFull calls both the same.
func ended(r io.Reader) bool {
	_, err := r.Read(make([]byte, 1))
	return err == io.EOF
}

// isGob: messages of which each tells its length, up to the end of the value. The first defines a type, which
// has a number below -64, or is of a built-in type.
func isGob(b []byte) bool {
	if len(b) < 6 {
		return false
	}
	rest := b
	for n := 0; len(rest) > 0; n++ {
		size, k := gobUint(rest)
		if k == 0 || size == 0 || size > uint64(len(rest)-k) {
			return false
		}
		msg := rest[k : k+int(size)]
		if n == 0 && !isGobStart(msg, k+int(size) == len(b)) {
			return false
		}
		if rest = rest[k+int(size):]; len(b)-len(rest) > walkBytes {
			break
		}
	}
	return true
}

func isGobStart(msg []byte, alone bool) bool {
	id, k := gobUint(msg)
	switch {
	case k == 0:
		return false
	case id&1 != 0:
		return id>>1 >= 63 && id>>1 < 1<<16 && !alone
	}
	// A string or a []byte by itself: type 6 or 5, no field number, its length.
	if !alone || id != 6<<1 && id != 5<<1 || len(msg) < k+2 || msg[k] != 0 {
		return false
	}
	size, n := gobUint(msg[k+1:])
	return n > 0 && size == uint64(len(msg)-k-1-n)
}

// gobUint reads an unsigned number as gob writes it.
func gobUint(b []byte) (v uint64, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	if b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	if n = int(-int8(b[0])); n > 8 || n < 1 || len(b) < 1+n {
		return 0, 0
	}
	for _, c := range b[1 : 1+n] {
		v = v<<8 | uint64(c)
	}
	return v, 1 + n
}

// isSnappy: a block as snappy.Encode and s2.Encode make it: the length, then literals and copies that add up to
// it. No text is made.
func isSnappy(b []byte) bool {
	want, n := binary.Uvarint(b)
	if n <= 0 || want < 16 || want > 1<<32-1 {
		return false
	}
	var made uint64
	for rest := b[n:]; len(rest) > 0; {
		length, offset, size := snappyTag(rest)
		if size == 0 || size > len(rest) || offset > made || made+length > want {
			return false
		}
		made += length
		rest = rest[size:]
	}
	return made == want
}

// snappyTag reads one element: how long its text is, how far back it is copied from, and its own size. The
// size is 0 for what is no element.
func snappyTag(b []byte) (length, offset uint64, size int) {
	tag := b[0]
	switch tag & 3 {
	case 0:
		length, size = uint64(tag>>2), 1
		if more := int(tag>>2) - 59; more > 0 {
			if len(b) < 1+more {
				return 0, 0, 0
			}
			length, size = 0, 1+more
			for i := more; i > 0; i-- {
				length = length<<8 | uint64(b[i])
			}
		}
		length++
		if length > uint64(len(b)-size) {
			return 0, 0, 0
		}
		return length, 0, size + int(length)
	case 1:
		if len(b) < 2 {
			return 0, 0, 0
		}
		length, offset, size = 4+uint64(tag>>2&7), uint64(tag>>5)<<8|uint64(b[1]), 2
	case 2:
		if len(b) < 3 {
			return 0, 0, 0
		}
		length, offset, size = 1+uint64(tag>>2), uint64(binary.LittleEndian.Uint16(b[1:])), 3
	case 3:
		if len(b) < 5 {
			return 0, 0, 0
		}
		length, offset, size = 1+uint64(tag>>2), uint64(binary.LittleEndian.Uint32(b[1:])), 5
	}
	if offset == 0 {
		return 0, 0, 0
	}
	return length, offset, size
}

// isProtobuf: fields up to the end of the value, with small numbers, of which one is a text or bytes.
func isProtobuf(b []byte) bool {
	const maxField = 1 << 11
	words, rest := 0, b
	for len(rest) > 0 && len(b)-len(rest) < walkBytes {
		tag, n := uvarint(rest)
		if n == 0 || tag>>3 == 0 || tag>>3 > maxField {
			return false
		}
		rest = rest[n:]
		size := 0
		switch tag & 7 {
		case 0:
			_, size = uvarint(rest)
			if size == 0 {
				return false
			}
		case 1:
			size = 8
		case 2:
			length, n := uvarint(rest)
			if n == 0 || length > uint64(len(rest)-n) {
				return false
			}
			size = n + int(length)
			if length >= 4 && (isText(rest[n:size]) || isProtobufField(rest[n:size])) {
				words++
			}
		case 5:
			size = 4
		default:
			return false
		}
		if size > len(rest) {
			return false
		}
		rest = rest[size:]
	}
	return words > 0 && len(b) >= 12
}

// isProtobufField reports whether b begins as a message whose first field is a text.
func isProtobufField(b []byte) bool {
	length, n := uvarint(b[1:])
	return b[0]&7 == 2 && b[0]>>3 > 0 && n > 0 && length >= 2 && length <= uint64(len(b)-1-n) &&
		isText(b[1+n:1+n+int(length)])
}
