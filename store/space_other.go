//go:build unix && !linux && !darwin && !freebsd && !dragonfly

package store

import "io/fs"

// freeBytes does not know: a full disk is then met while writing, which loses
// nothing.
func freeBytes(string) (free int64, ok bool) { return 0, false }

func folderDevice(string, fs.FileInfo) uint64 { return 0 }
