package store

import (
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// freeBytes returns what the user may still write to a folder's volume.
func freeBytes(dir string) (free int64, ok bool) {
	p, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var avail uint64
	if err := windows.GetDiskFreeSpaceEx(p, &avail, nil, nil); err != nil {
		return 0, false
	}
	return int64(min(avail, 1<<62)), true
}

// folderDevice tells volumes apart by their names.
func folderDevice(dir string, _ fs.FileInfo) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strings.ToUpper(filepath.VolumeName(dir))))
	return h.Sum64()
}
