package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// fitsMemory tells that a file is no larger than half of the memory.
func fitsMemory(size int64) bool {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return false
	}
	return uint64(size) < uint64(info.Totalram)*uint64(info.Unit)/2
}

// inMemory asks for the last byte of the chunk without waiting for a disk. If
// the kernel cannot tell, the answer is yes.
func inMemory(f *os.File, off int64) bool {
	var b [1]byte
	_, err := unix.Preadv2(int(f.Fd()), [][]byte{b[:]}, off+aheadChunk-1, unix.RWF_NOWAIT)
	return err != unix.EAGAIN
}
