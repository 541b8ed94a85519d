//go:build unix && !solaris && !aix

package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// handover tells that bbolt can be given a duplicate of our descriptor: a
// flock belongs to the open file description, which the duplicate shares, so
// the lock is never let go of between the check and bbolt's open.
const handover = true

func tryLock(f *os.File, exclusive bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch err {
		case unix.EINTR:
			continue
		case unix.EWOULDBLOCK:
			return errHeld
		}
		return err
	}
}

func unlock(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_UN)
}

// second returns another handle on the same open file.
func second(f *os.File, _ bool) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}
