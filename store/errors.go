package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Codes of an [Error], the same as in a report.
const (
	CodeNotDatabase = "not-database"
	CodeDamaged     = "damaged"
	CodeLocked      = "locked"
	CodeIO          = "io"
	CodeNoSpace     = "no-space"
	CodePermission  = "permission"
	CodeUsage       = "usage"
	CodeRefused     = "refused"
)

// What callers act on. An [Error] of the code that a sentinel belongs to
// matches it with errors.Is.
var (
	// ErrNotDatabase is returned when there is no bbolt file at a path.
	ErrNotDatabase = errors.New("not a bbolt database")
	// ErrDamaged is returned when the page check found an error, or when a
	// page could not be read that it had found sound.
	ErrDamaged = errors.New("database is damaged")
	// ErrLocked is returned when another process holds the lock.
	ErrLocked = errors.New("database is in use by another process")
	// ErrIO is returned when the operating system refused, for another
	// reason than space or permission.
	ErrIO = errors.New("input or output went wrong")
	// ErrNoSpace is returned when a file system has, or had, too little room.
	ErrNoSpace = errors.New("not enough space")
	// ErrPermission is returned when a file may not be read or written.
	ErrPermission = errors.New("permission denied")
	// ErrUsage is returned when a caller asked for what cannot be done.
	ErrUsage = errors.New("cannot be done this way")

	// ErrRefused is returned when it could be done and something would be
	// lost by it.
	ErrRefused = errors.New("refused")

	// ErrStale is what an edit returns for a record that is no longer what
	// was planned; nothing of that record is written.
	ErrStale = errors.New("record has changed since it was planned")
	// ErrExists is returned when a file that would be made is there already
	// and is another.
	ErrExists = errors.New("file exists")
	// ErrUnsynced is returned when a sync failed, so that nobody knows what a
	// power cut would leave. It is final: nothing was tried again.
	ErrUnsynced = errors.New("sync failed")
	// ErrNoBucket is returned when a bucket path names no bucket.
	ErrNoBucket = errors.New("no such bucket")
)

// An Error is why the work on a file could not be done. Msg is one line that
// says what to do next; it never holds a stored value, nor a key that is not
// percent-encoded.
type Error struct {
	Code string
	Path string
	Msg  string
	Err  error
	// Movable, with CodeNoSpace, is what need not be on the disk that is
	// full: "the backup", "the journal" or "the backup and the journal". It
	// is "" if that would not help.
	Movable string
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Msg
	}
	return e.Path + ": " + e.Msg
}

// Unwrap returns the cause, if one is known.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the sentinel of e's code.
func (e *Error) Is(target error) bool {
	switch e.Code {
	case CodeNotDatabase:
		return target == ErrNotDatabase
	case CodeDamaged:
		return target == ErrDamaged
	case CodeLocked:
		return target == ErrLocked
	case CodeIO:
		return target == ErrIO
	case CodeNoSpace:
		return target == ErrNoSpace
	case CodePermission:
		return target == ErrPermission
	case CodeUsage:
		return target == ErrUsage
	case CodeRefused:
		return target == ErrRefused
	}
	return false
}

// ioError makes an Error of what the operating system said while doing what
// op tells ("read the file", "write the backup").
func ioError(path, op string, err error) error {
	var done *Error
	if errors.As(err, &done) || isContext(err) {
		return err
	}
	e := &Error{Path: path, Err: err}
	cause := bareCause(err)
	switch {
	case isNoSpace(err):
		e.Code, e.Msg = CodeNoSpace, "cannot "+op+": "+cause+"; "+freeSpace(path)
	case errors.Is(err, fs.ErrPermission) || isReadOnlyFS(err):
		e.Code, e.Msg = CodePermission, "cannot "+op+": "+cause+"; run as a user who may, or change the file's or folder's mode"
	default:
		e.Code, e.Msg = CodeIO, "cannot "+op+": "+cause
	}
	return e
}

// freeSpace says where there is too little of it, for a file.
func freeSpace(path string) string {
	return "free some space in " + filepath.Dir(path) + " and run again"
}

// movable says of an error that is about space that it is about something that
// may go to another disk.
func movable(err error, what string) error {
	e := new(Error)
	if errors.As(err, &e) && e.Code == CodeNoSpace {
		c := *e
		c.Movable = what
		return &c
	}
	return err
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// bareCause is err without the path that os adds, which the Error has already.
func bareCause(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err.Error()
	}
	return err.Error()
}

func usageError(path, msg string) error {
	return &Error{Code: CodeUsage, Path: path, Msg: msg}
}

// also joins two errors, and leaves one alone as it is.
func also(err, other error) error {
	switch {
	case err == nil:
		return other
	case other == nil:
		return err
	}
	return errors.Join(err, other)
}
