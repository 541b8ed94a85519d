package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// handover is not possible here: a lock belongs to one handle, and no handle
// can turn a shared lock into an exclusive one. Our lock is let go of before
// bbolt takes its own on a handle of its own, and the metas are compared
// after that.
const handover = false

// lockRange is the byte that bbolt locks, far behind any file's end.
func lockRange() *windows.Overlapped {
	const last = 1<<32 - 1
	return &windows.Overlapped{Offset: last, OffsetHigh: last}
}

func tryLock(f *os.File, exclusive bool) error {
	var flags uint32 = windows.LOCKFILE_FAIL_IMMEDIATELY
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, lockRange())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}

func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockRange())
}

// second opens the file again, and makes sure that it is the same.
func second(f *os.File, write bool) (*os.File, error) {
	flag := os.O_RDONLY
	if write {
		flag = os.O_RDWR
	}
	g, err := os.OpenFile(f.Name(), flag, 0)
	if err != nil {
		return nil, err
	}
	a, err := f.Stat()
	if err == nil {
		var b os.FileInfo
		if b, err = g.Stat(); err == nil && !os.SameFile(a, b) {
			err = errors.New("the file was replaced by another")
		}
	}
	if err != nil {
		return nil, also(err, g.Close())
	}
	return g, nil
}
