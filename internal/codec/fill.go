package codec

import (
	"errors"
	"io"
)

// errFull: a stream is longer than it may be.
var errFull = errors.New("stream longer than its bound")

// ratio is the compression up to which the size that a header tells is taken at its word.
const ratio = 32

// fill reads the whole stream that open returns into the memory of buf, which it may replace. A stream that
// turns out to be longer than guess is read again from its beginning into more memory, for then no moment
// needs the old memory and the new one: no more than limit bytes are ever held. Each time has eight times the
// room, so the times before cost a seventh at most. The error is errFull or the stream's own.
func fill(buf *[]byte, open func() (io.Reader, error), guess, limit int64) ([]byte, error) {
	if limit <= 0 {
		return nil, errFull
	}
	for size := min(max(guess, 4<<10), limit); ; size = min(8*size, limit) {
		room := (*buf)[:cap(*buf)]
		if int64(len(room)) < size {
			*buf = nil
			room = make([]byte, size)
			*buf = room
		}
		room = room[:min(int64(len(room)), limit)]
		size = int64(len(room))
		r, err := open()
		if err != nil {
			return nil, err
		}
		n, full, err := readInto(r, room)
		switch {
		case err != nil:
			return nil, err
		case !full:
			return room[:n:n], nil
		case size == limit:
			return nil, errFull
		}
	}
}

// readInto reads r to its end, or tells that it does not fit.
func readInto(r io.Reader, room []byte) (n int, full bool, err error) {
	var more [1]byte
	for {
		p := room[n:]
		if len(p) == 0 {
			p = more[:]
		}
		k, err := r.Read(p)
		if k > 0 && n == len(room) {
			return n, true, nil
		}
		n += k
		if err == io.EOF {
			return n, false, nil
		}
		if err != nil {
			return n, false, err
		}
	}
}

// bufFor is the buffer for the text under the next layer.
func (u *Unwrapped) bufFor(bufs *buffers) *[]byte { return &bufs[len(u.layers)] }

// spend takes the bytes of a text that was made off what may still be made.
func (u *Unwrapped) spend(text []byte) { u.left -= int64(len(text)) }

// failed is the error for a compressed layer that did not open.
func (u *Unwrapped) failed(codec string, err error) error {
	if err == errFull {
		return &LimitError{codec, u.opts.limit()}
	}
	return &Error{codec, err}
}
