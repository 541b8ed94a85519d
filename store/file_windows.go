package store

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const (
	noFollow = 0
	noWait   = 0
	// openToSync is how to open a file that is only to be synced.
	openToSync = os.O_RDWR
)

func isNoSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnlyFS(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// fileID returns the volume's serial number and the file's index.
func fileID(f *os.File, _ fs.FileInfo) (dev, ino uint64) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 0, 0
	}
	return uint64(info.VolumeSerialNumber), uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)
}

func allocated(st fs.FileInfo) int64 { return st.Size() }

func ownedBy(fs.FileInfo) (uid int, ok bool) { return 0, false }

// chownLike leaves the owner that the folder's rules give.
func chownLike(*os.File, fs.FileInfo) error { return nil }

func mayWrite(string) error { return nil }

// syncDir does nothing: names are durable once the file's handle was flushed.
func syncDir(string) error { return nil }

// place gives temp its final name and never overwrites.
func place(temp, final string) error {
	from, err := windows.UTF16PtrFromString(temp)
	if err != nil {
		return err
	}
	to, err := windows.UTF16PtrFromString(final)
	if err != nil {
		return err
	}
	err = windows.MoveFileEx(from, to, windows.MOVEFILE_WRITE_THROUGH)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: temp, New: final, Err: err}
	}
	return nil
}
