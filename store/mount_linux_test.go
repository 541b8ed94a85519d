package store

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

func mount(dir, size string) error { return unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size) }

func unmount(dir string) { unix.Unmount(dir, unix.MNT_DETACH) }

func remountReadOnly(dir string) error {
	return unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, "")
}

// limitFiles bounds each file that this process writes.
func limitFiles(n int64) error {
	return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: uint64(n), Max: uint64(n)})
}

// giveACL lets user 65534 read a file by an access list.
func giveACL(path string) error {
	acl := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 6, ^uint32(0)}, {2, 4, 65534}, {4, 0, ^uint32(0)}, {0x10, 4, ^uint32(0)}, {0x20, 0, ^uint32(0)}} {
		acl = binary.LittleEndian.AppendUint16(acl, e.tag)
		acl = binary.LittleEndian.AppendUint16(acl, e.perm)
		acl = binary.LittleEndian.AppendUint32(acl, e.id)
	}
	return unix.Setxattr(path, "system.posix_acl_access", acl, 0)
}
