package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// lockPoll is how often a lock is tried again, as in bbolt.
const lockPoll = 50 * time.Millisecond

// errHeld is what tryLock returns while another holds the lock.
var errHeld = errors.New("lock is held")

// lockFile takes the shared or the exclusive lock that bbolt takes, trying
// until wait is over; with no wait it tries once.
//
// Going from shared to exclusive is not atomic: the kernel gives the shared
// lock up first, so another process can write in between, and after a failure
// we hold none. What was read before has to be compared afterwards.
func lockFile(ctx context.Context, f *os.File, path string, exclusive bool, wait time.Duration) error {
	deadline := time.Now().Add(wait)
	for {
		err := tryLock(f, exclusive)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errHeld) {
			return ioError(path, "lock the file", err)
		}
		left := time.Until(deadline)
		if left <= 0 {
			return lockedError(f, path)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(left, lockPoll)):
		}
	}
}

func lockedError(f *os.File, path string) error {
	who := "another process"
	if pid, name := lockHolder(f); pid > 0 {
		who = fmt.Sprintf("process %d", pid)
		if name != "" {
			who += " (" + name + ")"
		}
	}
	return &Error{
		Code: CodeLocked,
		Path: path,
		Msg:  "database is in use by " + who + "; stop it, or wait longer for the lock",
	}
}
