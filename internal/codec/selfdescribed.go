package codec

import "encoding/binary"

// MessagePack and CBOR are walked without recursion: only how many values are still to come is counted. A
// value has to be a map or an array and to hold a text, else too many bytes would pass.

// walk is the state of both.
type walk struct {
	rest  []byte
	words int
	fail  bool
}

// take takes n bytes.
func (w *walk) take(n uint64) []byte {
	if n > uint64(len(w.rest)) {
		w.fail = true
		return nil
	}
	b := w.rest[:n]
	w.rest = w.rest[n:]
	return b
}

// number takes a big-endian number of n bytes.
func (w *walk) number(n int) uint64 {
	var b [8]byte
	copy(b[8-n:], w.take(uint64(n)))
	return binary.BigEndian.Uint64(b[:])
}

// text takes a text of n bytes.
func (w *walk) text(n uint64) {
	if b := w.take(n); hasWord(b) {
		w.words++
	} else if !isText(b) {
		w.fail = true
	}
}

// run takes values until none is missing, and reports whether that was the end and a text was among them. next
// takes one value and returns how many are in it.
func (w *walk) run(next func(*walk) uint64) bool {
	whole := len(w.rest)
	for missing := uint64(1); missing > 0; {
		if whole-len(w.rest) > walkBytes {
			return w.words > 0
		}
		inside := next(w)
		missing += inside - 1
		// Each value has a byte at least.
		if w.fail || inside > uint64(len(w.rest)) || missing > uint64(len(w.rest)) {
			return false
		}
	}
	return len(w.rest) == 0 && w.words > 0
}

func isMsgpack(b []byte) bool {
	if len(b) == 0 || (b[0] < 0x80 || b[0] > 0x9f) && (b[0] < 0xdc || b[0] > 0xdf) {
		return false
	}
	w := walk{rest: b}
	return w.run((*walk).msgpack)
}

func (w *walk) msgpack() (inside uint64) {
	c := w.number(1)
	switch {
	case c < 0x80 || c >= 0xe0 || c == 0xc0 || c == 0xc2 || c == 0xc3: // small numbers, nil, booleans
	case c < 0x90:
		return 2 * (c & 15)
	case c < 0xa0:
		return c & 15
	case c < 0xc0:
		w.text(c & 31)
	case c >= 0xc4 && c <= 0xc6: // bytes
		w.take(w.number(1 << (c - 0xc4)))
	case c >= 0xc7 && c <= 0xc9: // extension: its length, its type
		n := w.number(1 << (c - 0xc7))
		w.take(1)
		w.take(n)
	case c == 0xca || c == 0xcb: // float
		w.take(4 << (c - 0xca))
	case c >= 0xcc && c <= 0xcf:
		w.take(1 << (c - 0xcc))
	case c >= 0xd0 && c <= 0xd3:
		w.take(1 << (c - 0xd0))
	case c >= 0xd4 && c <= 0xd8: // extension of fixed length
		w.take(1 + 1<<(c-0xd4))
	case c >= 0xd9 && c <= 0xdb:
		w.text(w.number(1 << (c - 0xd9)))
	case c == 0xdc || c == 0xdd:
		return w.number(2 << (c - 0xdc))
	case c == 0xde || c == 0xdf:
		return 2 * w.number(2<<(c-0xde))
	default: // 0xc1
		w.fail = true
	}
	return 0
}

func isCBOR(b []byte) bool {
	if len(b) == 0 || b[0] < 0x80 || b[0] > 0xbf {
		return false
	}
	w := walk{rest: b}
	return w.run((*walk).cbor)
}

// cbor takes one value. The forms without a length, which few programs write, are not known.
func (w *walk) cbor() (inside uint64) {
	c := w.number(1)
	n := c & 31
	switch {
	case n >= 28:
		w.fail = true
		return 0
	case n >= 24:
		n = w.number(1 << (n - 24))
	}
	switch c >> 5 {
	case 2:
		w.take(n)
	case 3:
		w.text(n)
	case 4:
		return n
	case 5:
		if n > 1<<40 {
			w.fail = true
		}
		return 2 * n
	case 6:
		return 1
	}
	return 0
}
