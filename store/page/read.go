package page

import (
	"fmt"
	"io"
)

// maxWindow bounds what is read at once when pages follow one another.
const maxWindow = 64 << 10

// A window reads pages. It reads ahead as long as the pages asked for lie one
// behind the other, doubling each time, and falls back to a single page on a
// jump: a fixed window would cost many times its use where pages are scattered.
type window struct {
	r     io.ReaderAt
	limit int64 // nothing is read from here on
	buf   []byte
	off   int64
	n     int64 // bytes in buf
	ahead int64 // bytes to read next if there is no jump
}

// read returns n bytes at off, which must lie below the limit. They are valid
// until the next read.
func (w *window) read(off, n int64) ([]byte, error) {
	if off >= w.off && off+n <= w.off+w.n {
		return w.buf[off-w.off:][:n], nil
	}
	if off == w.off+w.n && w.n > 0 {
		w.ahead = min(w.ahead*2, int64(len(w.buf)))
	} else {
		w.ahead = n
	}
	want := min(max(w.ahead, n), w.limit-off)
	w.off, w.n = off, 0
	got, err := w.r.ReadAt(w.buf[:want], off)
	if int64(got) < n {
		return nil, fmt.Errorf("read %d bytes at %d: %w", n, off, err)
	}
	// A fault behind the page asked for is not that page's.
	w.n = int64(got) / n * n
	return w.buf[:n], nil
}

// A span is a stretch of the file that holds one node, a page with its
// overflow or an inline bucket, of which the head is in memory. The rest is
// read where it is needed, so that values are not.
type span struct {
	r    io.ReaderAt
	off  int64 // in the file
	size int64
	head []byte

	far    []byte // a piece from behind the head
	farOff int64  // where in the span it lies
	prev   []byte // room for a key that must outlive far
}

// farRead is the least that is read behind the head: small keys come together.
const farRead = 64

// reset makes s the stretch of size bytes at off.
func (s *span) reset(r io.ReaderAt, off, size int64, head []byte) {
	s.r, s.off, s.size, s.head = r, off, size, head
	s.far = s.far[:0]
}

// at returns n bytes at off, which must lie inside the span. They are valid
// until the next call if they lie behind the head.
func (s *span) at(off, n int64) ([]byte, error) {
	if off+n <= int64(len(s.head)) {
		return s.head[off : off+n], nil
	}
	if off >= s.farOff && off+n <= s.farOff+int64(len(s.far)) {
		return s.far[off-s.farOff:][:n], nil
	}
	want := min(max(n, farRead), s.size-off)
	if int64(cap(s.far)) < want {
		s.far = make([]byte, want)
	}
	s.far, s.farOff = s.far[:want], off
	if got, err := s.r.ReadAt(s.far, s.off+off); int64(got) < want {
		s.far = s.far[:0]
		return nil, fmt.Errorf("read %d bytes at %d: %w", want, s.off+off, err)
	}
	return s.far[:n], nil
}

// keep returns a key that at gave for off so that it stays until the next
// keep.
func (s *span) keep(key []byte, off int64) []byte {
	if off+int64(len(key)) <= int64(len(s.head)) {
		return key
	}
	s.prev = append(s.prev[:0], key...)
	return s.prev
}
