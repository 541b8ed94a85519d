package page

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
)

const (
	magic       = 0xED0CDAED
	version     = 2
	headerSize  = 16
	metaSize    = 64
	minPageSize = 1 << 10
	maxPageSize = 1 << 24

	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagMeta     = 0x04
	flagFreelist = 0x10
)

// native is the byte order of the file: bbolt writes its structs as they lie
// in memory.
var native = binary.NativeEndian

// NoFreelist is the freelist page of a meta that stores none.
const NoFreelist = ^uint64(0)

// A Meta is one of the two pages that say where everything begins. Its fields
// are what the file says, whether or not it counts.
type Meta struct {
	PageSize uint32
	Root     uint64
	Sequence uint64
	Freelist uint64
	Pages    uint64 // the high water mark: the first page id never used
	TxID     uint64
	Raw      [metaSize]byte
	Err      error // why it does not count, nil if it does

	header header
	forged bool // the checksum fits, the content does not
}

// Metas are both metas of a file. Live is the index of the one that counts, -1
// if none does.
type Metas struct {
	Meta     [2]Meta
	Live     int
	PageSize int
}

// ReadMetas reads both metas and decides as bbolt does which one counts: of
// those with magic, version and checksum right, the one with the higher
// transaction id. The page size is that of meta 0 if its checksum fits;
// otherwise meta 1 is looked for at every page size there is. It fails with
// [ErrNotDatabase] or [ErrDamaged], or with an error of r.
func ReadMetas(r io.ReaderAt, size int64) (Metas, error) {
	m := Metas{Live: -1}
	if err := m.Meta[0].read(r, 0, size); err != nil {
		return m, err
	}
	if m.Meta[0].Err == nil {
		m.PageSize = int(m.Meta[0].PageSize)
	} else if err := m.probe(r, size); err != nil {
		return m, err
	}
	if m.PageSize == 0 {
		return m, m.refusal()
	}
	if err := m.Meta[1].read(r, int64(m.PageSize), size); err != nil {
		return m, err
	}
	if m.Meta[1].Err == nil && int(m.Meta[1].PageSize) != m.PageSize {
		m.Meta[1].forge("page size %d instead of %d", m.Meta[1].PageSize, m.PageSize)
	}
	if size < 2*int64(m.PageSize) {
		return m, fmt.Errorf("%w: the file ends inside them", ErrDamaged)
	}
	switch a, b := &m.Meta[0], &m.Meta[1]; {
	case a.Err == nil && (b.Err != nil || b.TxID <= a.TxID):
		m.Live = 0
	case b.Err == nil:
		m.Live = 1
	default:
		return m, m.refusal()
	}
	return m, nil
}

// probe looks for meta 1 where each page size would put it. If none is good it
// leaves PageSize 0 and in Meta[1] the best that was seen.
func (m *Metas) probe(r io.ReaderAt, size int64) error {
	for pos := int64(minPageSize); pos <= maxPageSize && pos < size; pos <<= 1 {
		var x Meta
		if err := x.read(r, pos, size); err != nil {
			return err
		}
		if x.Err == nil && int64(x.PageSize) == pos {
			m.PageSize = int(pos)
			return nil
		}
		if m.Meta[1].Err == nil || !errors.Is(x.Err, errMagic) && errors.Is(m.Meta[1].Err, errMagic) {
			m.Meta[1] = x
		}
	}
	return nil
}

// refusal says why neither meta counts.
func (m *Metas) refusal() error {
	a, b := m.Meta[0].Err, m.Meta[1].Err
	if b == nil {
		b = errMagic
	}
	if errors.Is(a, errMagic) && errors.Is(b, errMagic) {
		if bits.ReverseBytes32(native.Uint32(m.Meta[0].Raw[:])) == magic {
			return fmt.Errorf("%w of this machine's byte order", ErrNotDatabase)
		}
		return ErrNotDatabase
	}
	return fmt.Errorf("%w: meta 0: %v, meta 1: %v", ErrDamaged, a, b)
}

var errMagic = errors.New("no bbolt magic")

// read sets m to what the page at off says and judges it.
func (m *Meta) read(r io.ReaderAt, off, size int64) error {
	*m = Meta{}
	var b [headerSize + metaSize]byte
	if size-off < int64(len(b)) {
		m.Err = fmt.Errorf("%w: the file ends before it", errMagic)
		return nil
	}
	if n, err := r.ReadAt(b[:], off); n < len(b) {
		return fmt.Errorf("read meta at %d: %w", off, err)
	}
	m.header = parseHeader(b[:])
	m.Raw = [metaSize]byte(b[headerSize:])
	m.PageSize = native.Uint32(m.Raw[8:])
	m.Root = native.Uint64(m.Raw[16:])
	m.Sequence = native.Uint64(m.Raw[24:])
	m.Freelist = native.Uint64(m.Raw[32:])
	m.Pages = native.Uint64(m.Raw[40:])
	m.TxID = native.Uint64(m.Raw[48:])
	m.judge()
	return nil
}

// judge sets Err by what can be said without the rest of the file.
func (m *Meta) judge() {
	h := fnv.New64a()
	h.Write(m.Raw[:56])
	v, flags := native.Uint32(m.Raw[4:]), native.Uint32(m.Raw[12:])
	switch {
	case native.Uint32(m.Raw[:]) != magic:
		m.Err = errMagic
	case v != version:
		m.Err = fmt.Errorf("version %d instead of %d", v, version)
	case native.Uint64(m.Raw[56:]) != h.Sum64():
		m.Err = errors.New("checksum does not fit")
	case m.PageSize < minPageSize || m.PageSize > maxPageSize || m.PageSize&(m.PageSize-1) != 0:
		m.forge("page size %d", m.PageSize)
	case flags != 0:
		m.forge("flags %#x", flags)
	}
}

// forge discounts a meta whose checksum fits. bbolt would believe it, so it is
// never as harmless as a torn one.
func (m *Meta) forge(format string, args ...any) {
	m.Err = fmt.Errorf(format, args...)
	m.forged = true
}

// header is the head of a page.
type header struct {
	id       uint64
	flags    uint16
	count    uint16
	overflow uint32
}

// parseHeader reads the header of a page, of which b is at least the first 16
// bytes.
func parseHeader(b []byte) header {
	return header{
		id:       native.Uint64(b),
		flags:    native.Uint16(b[8:]),
		count:    native.Uint16(b[10:]),
		overflow: native.Uint32(b[12:]),
	}
}
