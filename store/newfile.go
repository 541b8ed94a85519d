package store

import (
	"os"
)

// WriteNew makes a file that was not there, of text that can be made again; op
// says what for, such as "save the layout". If it fails it leaves no file.
// Errors match ErrExists, ErrNoSpace, ErrPermission or ErrIO.
func WriteNew(path, op string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return createError(path, op, err)
	}
	_, err = f.Write(text)
	if err = also(err, f.Close()); err != nil {
		os.Remove(path) // what is in it is of no use
		return ioError(path, op, err)
	}
	return nil
}
