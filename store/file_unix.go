//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	noFollow = unix.O_NOFOLLOW
	noWait   = unix.O_NONBLOCK
	// openToSync is how to open a file that is only to be synced.
	openToSync = os.O_RDONLY
)

func isNoSpace(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}

func isReadOnlyFS(err error) bool { return errors.Is(err, unix.EROFS) }

// fileID returns device and inode.
func fileID(_ *os.File, st fs.FileInfo) (dev, ino uint64) {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return uint64(sys.Dev), uint64(sys.Ino)
	}
	return 0, 0
}

// allocated returns the bytes that a file takes on disk: a sparse file may
// have far fewer than its size says.
func allocated(st fs.FileInfo) int64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return int64(sys.Blocks) * 512
	}
	return st.Size()
}

// ownedBy returns the user that a file belongs to.
func ownedBy(st fs.FileInfo) (uid int, ok bool) {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return int(sys.Uid), true
	}
	return 0, false
}

// chownLike gives f the owner and group of st.
func chownLike(f *os.File, st fs.FileInfo) error {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return errors.ErrUnsupported
	}
	return f.Chown(int(sys.Uid), int(sys.Gid))
}

// mayWrite asks whether files can be made in a folder.
func mayWrite(dir string) error {
	return unix.Access(dir, unix.W_OK|unix.X_OK)
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil // some file systems cannot, and need not
	}
	return also(err, d.Close())
}

// place gives temp its final name and never overwrites.
func place(temp, final string) error {
	err := os.Link(temp, final)
	if err == nil {
		os.Remove(temp) // it is in place; what stays is removed by a later run
		return nil
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, unix.EIO) || isNoSpace(err) {
		return err
	}
	// There may be no hard links here.
	if err := renameNew(temp, final); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return reserve(temp, final)
}

// reserve is for systems where nothing else can be done: the name is taken by
// an empty file, which the rename then replaces. A run that is killed between
// the two leaves the empty file, see [isReserved].
func reserve(temp, final string) error {
	f, err := os.OpenFile(final, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, reservedMode)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp, final); err != nil {
		return also(err, os.Remove(final))
	}
	return nil
}
