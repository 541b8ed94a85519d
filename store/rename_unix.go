//go:build unix && !linux

package store

import "errors"

// renameNew cannot be done here.
func renameNew(string, string) error { return errors.ErrUnsupported }
