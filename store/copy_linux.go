package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// nextData returns where the first data at or behind off begins, size if only
// holes follow.
func nextData(f *os.File, off, size int64) int64 {
	if off >= size {
		return size
	}
	at, err := unix.Seek(int(f.Fd()), off, unix.SEEK_DATA)
	switch err {
	case nil:
		return min(max(at, off), size)
	case unix.ENXIO:
		return size
	}
	return off // no such seek here: all of it is data
}

// startWriteback lets the disk begin before the sync that waits for it.
func startWriteback(f *os.File, off, n int64) {
	unix.SyncFileRange(int(f.Fd()), off, n, unix.SYNC_FILE_RANGE_WRITE) // a hint
}

// hasACL tells that the mode is not all that says who may read a file. Where
// there is a list, the group's bits of the mode are its mask.
func hasACL(f *os.File) bool {
	n, err := unix.Fgetxattr(int(f.Fd()), "system.posix_acl_access", nil)
	return err == nil && n > 0
}
