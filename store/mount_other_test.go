//go:build unix && !linux

package store

import "errors"

func mount(_, _ string) error { return errors.ErrUnsupported }

func unmount(string) {}

func remountReadOnly(string) error { return errors.ErrUnsupported }

func limitFiles(int64) error { return errors.ErrUnsupported }

func giveACL(string) error { return errors.ErrUnsupported }
