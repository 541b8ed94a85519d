package store

import (
	"fmt"
	"runtime/debug"
)

// Guard runs fn and turns a fault on mapped memory (the file was cut short
// under us, or its disk could not read a page) into an error that matches
// ErrDamaged. Without it such a fault ends the process. It protects the
// calling goroutine only: a goroutine that reads values of a view wraps its
// own work in a Guard. Every other panic goes on.
func Guard(fn func() error) error { return guardAt("", fn) }

// guardAt is Guard with the path of the database for the error.
func guardAt(path string, fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			if !isFault(r) {
				panic(r)
			}
			err = faultError(path, r)
		}
	}()
	return fn()
}

// guardBolt is Guard for calls into bbolt alone: whatever it panics with is
// damage, for it panics where a page is not what it should be.
func guardBolt(path string, fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			err = faultError(path, r)
		}
	}()
	return fn()
}

// isFault tells a fault at an address from any other panic: only the runtime's
// error for it has an address, a nil pointer's has none.
func isFault(r any) bool {
	_, ok := r.(interface{ Addr() uintptr })
	return ok
}

func faultError(path string, r any) error {
	e := &Error{Code: CodeDamaged, Path: path}
	if isFault(r) {
		e.Msg = "a page could not be read while the file was open: it was cut short or its disk is failing; nothing more was done"
	} else {
		e.Msg = "a page is not what the page check saw: another program writes to the file without its lock"
	}
	e.Err = fmt.Errorf("%v", r)
	return e
}
