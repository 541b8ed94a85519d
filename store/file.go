package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// openFile opens an existing regular file and nothing else: no file is ever
// made, a symbolic link is resolved once, and what the path names then is
// opened through no further link and without waiting (a FIFO would wait).
func openFile(path string, write bool) (*os.File, error) {
	full, err := resolve(path)
	if err != nil {
		return nil, err
	}
	// Look first: to open some devices is to act on them.
	before, err := os.Lstat(full)
	if err != nil {
		return nil, ioError(path, "look at the file", err)
	}
	if err := wantRegular(path, before); err != nil {
		return nil, err
	}
	flag := os.O_RDONLY
	if write {
		flag = os.O_RDWR
	}
	f, err := os.OpenFile(full, flag|noFollow|noWait, 0)
	if err != nil {
		op := "open the file"
		if write {
			op = "open the file for writing"
		}
		return nil, ioError(path, op, err)
	}
	if err := sameRegular(path, f, before); err != nil {
		return nil, also(err, f.Close())
	}
	return f, nil
}

// resolve returns the absolute path of the file that path names, through all
// symbolic links.
func resolve(path string) (string, error) {
	if path == "" {
		return "", &Error{Code: CodeNotDatabase, Msg: "the file name is empty", Err: fs.ErrNotExist}
	}
	full, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		msg := "no such file; nothing was created, check the name"
		if st, e := os.Lstat(path); e == nil && st.Mode()&fs.ModeSymlink != 0 {
			msg = "is a symbolic link to nothing; nothing was created"
		}
		return "", &Error{Code: CodeNotDatabase, Path: path, Msg: msg, Err: err}
	}
	if err == nil {
		full, err = filepath.Abs(full)
	}
	if err != nil {
		return "", ioError(path, "look at the file", err)
	}
	return full, nil
}

func wantRegular(path string, st fs.FileInfo) error {
	kind := ""
	switch m := st.Mode(); {
	case m.IsRegular() && st.Size() > 0:
		return nil
	case m.IsRegular():
		kind = "is empty; it was not initialised"
	case m.IsDir():
		kind = "is a directory; name the file in it"
	case m&fs.ModeSymlink != 0:
		kind = "became a symbolic link while it was opened; run again"
	case m&fs.ModeNamedPipe != 0:
		kind = "is a named pipe, not a regular file"
	default:
		kind = "is not a regular file"
	}
	return &Error{Code: CodeNotDatabase, Path: path, Msg: kind}
}

func sameRegular(path string, f *os.File, before fs.FileInfo) error {
	st, err := f.Stat()
	if err != nil {
		return ioError(path, "look at the file", err)
	}
	if !os.SameFile(before, st) {
		return &Error{Code: CodeIO, Path: path, Msg: "the file was replaced while it was opened; run again"}
	}
	return wantRegular(path, st)
}

// stillThere makes sure that the path names the file that we hold: an app that
// compacts puts a new file there by rename, and a repair of the old one would
// be lost.
func stillThere(f *os.File) error {
	mine, err := f.Stat()
	if err != nil {
		return ioError(f.Name(), "look at the file", err)
	}
	now, err := os.Lstat(f.Name())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError(f.Name(), "look at the file", err)
	}
	if err != nil || !os.SameFile(mine, now) {
		return &Error{Code: CodeIO, Path: f.Name(), Msg: "the file was replaced or removed by another program; run again"}
	}
	return nil
}
