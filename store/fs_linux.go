package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// networkFS names the file system of f if it is one whose locks or mappings
// other machines, or a server in user space, may not honour.
func networkFS(f *os.File) string {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &st); err != nil {
		return ""
	}
	return networkType(uint32(st.Type))
}

// networkType knows the numbers of statfs(2).
func networkType(magic uint32) string {
	switch magic {
	case 0x6969:
		return "NFS"
	case 0xFF534D42, 0xFE534D42, 0x517B:
		return "SMB"
	case 0x01021997:
		return "9p"
	case 0x65735546:
		return "FUSE"
	}
	return ""
}

// renameNew renames without ever replacing anything. The error matches
// errors.ErrUnsupported where that cannot be done.
func renameNew(temp, final string) error {
	err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, final, unix.RENAME_NOREPLACE)
	switch err {
	case nil:
		return nil
	case unix.EINVAL, unix.ENOSYS:
		return errors.ErrUnsupported
	}
	return &os.LinkError{Op: "rename", Old: temp, New: final, Err: err}
}
