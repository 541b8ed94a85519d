package store

import (
	"os"
	"sync"
	"sync/atomic"
)

// bbolt maps its file for random access, which turns the kernel's read-ahead
// off: a walk over a file that is not in memory waits for each page. A
// readAhead therefore reads the file once from front to back, in chunks, and
// passes over chunks that are in memory already, so that a warm file costs
// next to nothing. A file too large for memory is left alone: it would push
// out what the walk needs next.
type readAhead struct {
	quit atomic.Bool
	done sync.WaitGroup
}

const aheadChunk = 1 << 20

// startReadAhead begins to read f, or returns nil if that would not pay.
func startReadAhead(f *os.File) *readAhead {
	size, err := fileSize(f)
	if err != nil || size < 4*aheadChunk || !fitsMemory(size) {
		return nil
	}
	a := &readAhead{}
	a.done.Go(func() {
		buf := make([]byte, aheadChunk)
		for off := int64(0); off < size && !a.quit.Load(); off += aheadChunk {
			if !inMemory(f, off) {
				f.ReadAt(buf, off) // the walk finds out what cannot be read
			}
		}
	})
	return a
}

func (a *readAhead) stop() {
	if a != nil {
		a.quit.Store(true)
		a.done.Wait()
	}
}
