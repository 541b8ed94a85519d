//go:build linux || darwin || freebsd || dragonfly

package store

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// freeBytes returns what an ordinary user may still write to a folder's file
// system. ok is false if that is not known.
func freeBytes(dir string) (free int64, ok bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}

// folderDevice tells file systems apart.
func folderDevice(_ string, st fs.FileInfo) uint64 {
	dev, _ := fileID(nil, st)
	return dev
}
