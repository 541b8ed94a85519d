package codec

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A zstd value is one frame or several, one behind the other; what is in them is one text. It is written
// again as one frame with size and checksum at the default level.
//
// The frames are walked from block to block first, which costs nothing: it shows where the last one ends, and
// how much the blocks can hold at most, whatever the header says. Of most encoders that is nearly exact. If it
// fits and is not far more than there are bytes, all is decoded into memory of that size, without a window;
// else the value is read as a stream.

const (
	zstdMagic = "\x28\xb5\x2f\xfd"
	maxBlock  = 128 << 10
	// slack is what the decoder may write behind the end before it finds a block too many.
	slack = maxBlock + 64
	// maxWindow is the largest window of a stream, the same as of the zstd command.
	maxWindow = 128 << 20
	// freeWindow is what encoders use by themselves, whatever the size of the text.
	freeWindow = 8 << 20
	// anyWindow is the largest that the decoder takes where it needs no memory for it.
	anyWindow = 1 << 41
	// sizedRatio is the compression up to which all is decoded at once if every frame tells its size.
	sizedRatio = 1024
)

func openZstd(u *Unwrapped, bufs *buffers) error {
	raw := u.Text
	if len(raw) < 4 || string(raw[:4]) != zstdMagic && !skippable(raw) {
		return nil
	}
	name := layerTable[zstandard].name
	if len(u.layers) == MaxDepth {
		return &Error{name, ErrDepth}
	}
	sum, err := walkFrames(raw)
	if err != nil {
		return &Error{name, err}
	}
	likely := ratio*int64(len(raw)) + 2*maxBlock
	if sum.sized {
		likely = sizedRatio * int64(len(raw))
	}
	buf := u.bufFor(bufs)
	var text []byte
	if sum.most <= min(likely, u.left) {
		text, err = u.codec.decodeAll(buf, raw, sum.most)
	} else {
		text, err = u.codec.decodeStream(buf, raw, sum.window, u.left)
	}
	if err != nil {
		return u.failed(name, err)
	}
	u.spend(text)
	u.push(layer{kind: zstandard}, text)
	return nil
}

func skippable(b []byte) bool { return b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18" }

// frame is what the headers of a frame and of its blocks say, or those of several frames.
type frame struct {
	length int    // in bytes
	most   int64  // how much it can hold
	window uint64 // the largest
	sized  bool   // it says how much it holds
}

// walkFrames checks that raw is whole frames and nothing else.
func walkFrames(raw []byte) (sum frame, err error) {
	sum.sized = true
	for count := 0; len(raw) > 0; count++ {
		if count == maxParts {
			return sum, ErrParts
		}
		if count > 0 && !frameFollows(raw) {
			return sum, ErrTrailing
		}
		f, err := walkFrame(raw)
		if err != nil {
			return sum, err
		}
		raw = raw[f.length:]
		sum.length += f.length
		sum.most += f.most
		sum.window = max(sum.window, f.window)
		sum.sized = sum.sized && f.sized
	}
	return sum, nil
}

func frameFollows(b []byte) bool { return len(b) >= 4 && (string(b[:4]) == zstdMagic || skippable(b)) }

// walkFrame looks at the first frame.
func walkFrame(raw []byte) (f frame, err error) {
	var h zstd.Header
	switch err := h.Decode(raw); {
	case err == io.ErrUnexpectedEOF:
		return f, ErrTruncated
	case err != nil:
		return f, ErrCorrupt
	case h.Skippable:
		return f, ErrExtra
	case h.DictionaryID != 0:
		return f, ErrDictionary
	}
	f = frame{length: h.HeaderSize, window: h.WindowSize, sized: h.HasFCS}
	if h.SingleSegment {
		f.window = h.FrameContentSize
	}
	for last := false; !last; {
		if len(raw)-f.length < 3 {
			return f, ErrTruncated
		}
		var size, holds int
		if last, size, holds = block(raw[f.length:]); holds > maxBlock {
			return f, ErrCorrupt
		}
		if f.length += 3; len(raw)-f.length < size {
			return f, ErrTruncated
		}
		f.length += size
		f.most += min(int64(holds), int64(min(max(f.window, zstd.MinWindowSize), maxBlock)))
	}
	if h.HasCheckSum {
		if f.length += 4; f.length > len(raw) {
			return f, ErrTruncated
		}
	}
	if h.HasFCS {
		if h.FrameContentSize > uint64(f.most) {
			return f, ErrCorrupt
		}
		f.most = int64(h.FrameContentSize)
	}
	return f, nil
}

// block reads the header of a block: whether it is the last, how many bytes it has and how many it can hold.
func block(b []byte) (last bool, size, holds int) {
	head := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	size = head >> 3
	switch last = head&1 != 0; head >> 1 & 3 {
	case 0: // stored
		return last, size, size
	case 1: // one byte, repeated
		return last, 1, size
	case 2: // compressed
		return last, size, maxBlock
	}
	return last, 0, maxBlock + 1 // no block at all
}

// decodeAll decodes what holds no more than most bytes.
func (c *Codec) decodeAll(buf *[]byte, raw []byte, most int64) ([]byte, error) {
	if c.decoder == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(anyWindow))
		if err != nil {
			return nil, err
		}
		c.decoder = d
	}
	if int64(cap(*buf)) < most+slack {
		*buf = nil
		*buf = make([]byte, most+slack)
	}
	text, err := c.decoder.DecodeAll(raw, (*buf)[:0])
	if err != nil {
		return nil, zstdError(err)
	}
	return text, nil
}

// decodeStream decodes up to limit bytes, with a window that may be as large, or freeWindow.
func (c *Codec) decodeStream(buf *[]byte, raw []byte, window uint64, limit int64) ([]byte, error) {
	memory := uint64(max(limit, freeWindow))
	switch {
	case window > memory:
		return nil, errFull
	case window > maxWindow:
		return nil, ErrWindow
	}
	if c.stream == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		c.stream = d
	}
	open := func() (io.Reader, error) {
		return zstdReader{c.stream}, c.stream.ResetWithOptions(bytes.NewReader(raw), zstd.WithDecoderMaxMemory(memory))
	}
	text, err := fill(buf, open, ratio*int64(len(raw)), limit)
	if bad := c.stream.Reset(nil); err == nil {
		err = bad
	}
	return text, err
}

// zstdReader is a decoder whose errors are ours.
type zstdReader struct{ *zstd.Decoder }

func (r zstdReader) Read(p []byte) (int, error) {
	n, err := r.Decoder.Read(p)
	if err != nil && err != io.EOF {
		err = zstdError(err)
	}
	return n, err
}

func zstdError(err error) error {
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return errFull
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrTruncated
	}
	return ErrCorrupt
}

func closeZstd(c *Codec, _ *layer, in, _, _ []byte) ([]byte, error) {
	if c.encoder == nil {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, err
		}
		c.encoder = e
	}
	return c.encoder.EncodeAll(in, nil), nil
}
