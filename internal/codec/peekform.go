package codec

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// Each form makes the beginning of the text under it, nil for what is none of
// the form. What is damaged counts as far as it can be read.

// mayBeZlib64 is mayBeBase64 for zlib, which is looked at and not opened.
func mayBeZlib64(s []byte) bool {
	return s[0] == 'e' && (s[1] == 'A' || s[1] == 'F' || s[1] == 'J' || s[1] == 'N')
}

func (c *Codec) peekBase64(b []byte) []byte {
	if !mayBeBase64(b) && !mayBeZlib64(b) {
		return nil
	}
	b = bytes.TrimRight(b[:min(len(b), peekBytes/3*4)], "=\n")
	if len(b)%4 == 1 { // cut off with what is around it
		b = b[:len(b)-1]
	}
	e := base64.RawStdEncoding
	if bytes.ContainsAny(b, "-_") {
		e = base64.RawURLEncoding
	}
	text, err := e.AppendDecode(nil, b)
	if err != nil {
		return nil
	}
	return text
}

// hexSigns are how hex of JSON and of something compressed begins.
var hexSigns = [...]string{"7b", "5b", "1f8b08", "28b52ffd", "7801", "785e", "789c", "78da"}

func mayBeHex(b []byte) bool {
	if c := b[0]; c != '7' && c != '5' && c != '1' && c != '2' {
		return false
	}
	for _, sign := range hexSigns {
		if bytes.EqualFold(b[:len(sign)], []byte(sign)) {
			return true
		}
	}
	return false
}

func (c *Codec) peekHex(b []byte) []byte {
	if !mayBeHex(b) {
		return nil
	}
	b = b[:min(len(b)&^1, 2*peekBytes)]
	text, err := hex.AppendDecode(nil, b)
	if err != nil {
		return nil
	}
	return text
}

// peekUTF16 wants a mark of the order, or JSON without one.
func (c *Codec) peekUTF16(b []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case b[0] == 0xff && b[1] == 0xfe, isBracket(b[0]) && b[1] == 0 && b[3] == 0:
	case b[0] == 0xfe && b[1] == 0xff, isBracket(b[1]) && b[0] == 0 && b[2] == 0:
		order = binary.BigEndian
	default:
		return nil
	}
	var text []byte
	for b = b[:min(len(b)&^1, peekBytes)]; len(b) > 0; b = b[2:] {
		r := rune(order.Uint16(b))
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError // no word has one
		}
		text = utf8.AppendRune(text, r)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff"))
}

func isBracket(c byte) bool { return c == '{' || c == '[' }

func (c *Codec) peekGzip(b []byte) []byte {
	if string(b[:3]) != gzipMagic {
		return nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	return beginning(r)
}

func (c *Codec) peekZstd(b []byte) []byte {
	if string(b[:4]) != zstdMagic {
		return nil
	}
	var buf []byte
	text, err := c.decodeStream(&buf, b, freeWindow, peekBytes)
	if err == errFull {
		return buf[:min(cap(buf), peekBytes)]
	}
	return text
}

func (c *Codec) peekZlib(b []byte) []byte {
	if !hasZlibHeader(b) {
		return nil
	}
	return beginning(c.inflate(b[2:]))
}

// peekSnappy makes the text, for its words may be copied from further up.
func (c *Codec) peekSnappy(b []byte) []byte {
	if !isSnappy(b) {
		return nil
	}
	_, n := binary.Uvarint(b)
	var text []byte
	for rest := b[n:]; len(rest) > 0 && len(text) < peekBytes; {
		length, offset, size := snappyTag(rest)
		if offset == 0 {
			text = append(text, rest[size-int(length):size]...)
		} else {
			for ; length > 0; length-- {
				text = append(text, text[len(text)-int(offset)])
			}
		}
		rest = rest[size:]
	}
	return text[:min(len(text), peekBytes)]
}

// peekDeflate has no header to go by, so that what it makes has to be text from
// the beginning.
func (c *Codec) peekDeflate(b []byte) []byte {
	if kind := b[0] >> 1 & 3; kind == 0 || kind == 3 || isText(b[:minPeek]) {
		return nil
	}
	first := make([]byte, minPeek)
	r := c.inflate(b)
	if _, err := io.ReadFull(r, first); err != nil || !isText(bytes.TrimRightFunc(first, isHigh)) {
		return nil
	}
	return append(first, beginning(r)...)
}

// isHigh reports whether a character is more than one byte, of which some may be
// cut off.
func isHigh(r rune) bool { return r >= utf8.RuneSelf }

// inflate reads deflated bytes with a reader that is used again: most bytes that
// are tried are none.
func (c *Codec) inflate(b []byte) io.Reader {
	if c.inflater == nil {
		c.inflater = flate.NewReader(bytes.NewReader(b))
	} else if err := c.inflater.(flate.Resetter).Reset(bytes.NewReader(b), nil); err != nil {
		return bytes.NewReader(nil)
	}
	return c.inflater
}

// beginning is what can be read of the first bytes.
func beginning(r io.Reader) []byte {
	text, _ := io.ReadAll(io.LimitReader(r, peekBytes)) // up to what is damaged
	return text
}
