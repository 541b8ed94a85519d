package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// A gzip value is one member or several, one behind the other; what is in them is one text. It is written
// again as one member with the header of the first (name, comment, time, system) at the default level.

type gzipHeader = gzip.Header

// maxParts is the largest number of members or frames of one value.
const maxParts = 1 << 16

const gzipMagic = "\x1f\x8b\x08"

func openGzip(u *Unwrapped, bufs *buffers) error {
	raw := u.Text
	if len(raw) < 3 || string(raw[:3]) != gzipMagic {
		return nil
	}
	name := layerTable[gzipped].name
	if len(u.layers) == MaxDepth {
		return &Error{name, ErrDepth}
	}
	if len(raw) < 18 {
		return &Error{name, ErrTruncated}
	}
	if u.codec.gzipReader == nil {
		u.codec.gzipReader = new(gzip.Reader)
	}
	m := members{gzip: u.codec.gzipReader}
	// The last four bytes are the size of the last member, if they are true.
	guess := int64(binary.LittleEndian.Uint32(raw[len(raw)-4:]))
	text, err := fill(u.bufFor(bufs), func() (io.Reader, error) { return &m, m.first(raw) },
		min(guess, ratio*int64(len(raw))), u.left)
	if err != nil {
		return u.failed(name, err)
	}
	u.spend(text)
	u.push(layer{kind: gzipped, header: &m.header}, text)
	return nil
}

// members reads the text of all members.
type members struct {
	gzip   *gzip.Reader
	src    bytes.Reader
	header gzipHeader // of the first
	count  int
}

func (m *members) first(raw []byte) error {
	m.src.Reset(raw)
	m.count = 0
	err := m.next()
	m.header = m.gzip.Header
	return err
}

// next begins a member. That a member ends where the next one begins, and at no other place, cannot be seen
// when the reader goes from one to the other by itself.
func (m *members) next() error {
	if m.count++; m.count > maxParts {
		return ErrParts
	}
	if err := m.gzip.Reset(&m.src); err != nil {
		return gzipError(err)
	}
	m.gzip.Multistream(false)
	if m.gzip.Extra != nil {
		return ErrExtra
	}
	return nil
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.gzip.Read(p)
	switch {
	case err == io.EOF && m.src.Len() == 0:
		return n, io.EOF
	case err == io.EOF:
		if !m.memberFollows() {
			return n, ErrTrailing
		}
		return n, m.next()
	case err != nil:
		return n, gzipError(err)
	}
	return n, nil
}

func (m *members) memberFollows() bool {
	var magic [len(gzipMagic)]byte
	n, _ := m.src.ReadAt(magic[:], m.src.Size()-int64(m.src.Len()))
	return string(magic[:n]) == gzipMagic
}

func gzipError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return ErrTruncated
	}
	return ErrCorrupt
}

func closeGzip(c *Codec, l *layer, in, _, _ []byte) ([]byte, error) {
	var out bytes.Buffer
	if c.gzipWriter == nil {
		c.gzipWriter = gzip.NewWriter(&out)
	} else {
		c.gzipWriter.Reset(&out)
	}
	w := c.gzipWriter
	w.Header = *l.header
	_, err := w.Write(in)
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
