package store

import "golang.org/x/sys/unix"

func mount(dir, size string) error { return unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size) }

func unmount(dir string) { unix.Unmount(dir, unix.MNT_DETACH) }

func remountReadOnly(dir string) error {
	return unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, "")
}

// limitFiles bounds each file that this process writes.
func limitFiles(n int64) error {
	return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: uint64(n), Max: uint64(n)})
}
