package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

const copyChunk = 1 << 20

// copyData copies size bytes by pread, passing over holes and leaving holes
// where there are only zeros.
func copyData(ctx context.Context, dst, src *os.File, size int64, progress func(done, total int64)) error {
	if err := dst.Truncate(size); err != nil {
		return err
	}
	buf, zeros := make([]byte, copyChunk), make([]byte, copyChunk)
	flushed := int64(0)
	for off := nextData(src, 0, size); off < size; off = nextData(src, off, size) {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(copyChunk, size-off)]
		if err := readFull(src, b, off); err != nil {
			return err
		}
		if !bytes.Equal(b, zeros[:len(b)]) {
			if _, err := dst.WriteAt(b, off); err != nil {
				return err
			}
		}
		off += int64(len(b))
		if off-flushed >= 64*copyChunk {
			startWriteback(dst, flushed, off-flushed)
			flushed = off
		}
		if progress != nil {
			progress(off, size)
		}
	}
	return nil
}

var errDiffer = errors.New("the files differ")

// compareData returns errDiffer unless the first size bytes of both are the
// same. If allow is set, it is asked about each stretch that differs.
func compareData(ctx context.Context, a, b *os.File, size int64, allow func(off int64, x, y []byte) bool) error {
	x, y := make([]byte, copyChunk), make([]byte, copyChunk)
	off := int64(0)
	for {
		off = min(nextData(a, off, size), nextData(b, off, size))
		if off >= size {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(copyChunk, size-off)
		if err := readFull(a, x[:n], off); err != nil {
			return err
		}
		if err := readFull(b, y[:n], off); err != nil {
			return err
		}
		if !bytes.Equal(x[:n], y[:n]) && (allow == nil || !allow(off, x[:n], y[:n])) {
			return errDiffer
		}
		off += n
	}
}

func readFull(f *os.File, b []byte, off int64) error {
	n, err := f.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
