package store

import (
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
	switch name := unix.ByteSliceToString(st.Fstypename[:]); name {
	case "nfs":
		return "NFS"
	case "smbfs":
		return "SMB"
	case "macfuse", "osxfuse":
		return "FUSE"
	}
	return ""
}
