package cli

import (
	"context"
	"errors"
)

// The exit codes, the same for every command.
const (
	exitDone    = 0
	exitLeft    = 1
	exitUsage   = 2
	exitTrouble = 3
	exitLocked  = 4
)

// exitHelp is what every command's help says about them.
const exitHelp = `exit codes:
  0  nothing to do, or all done (lint alone is 0 unless --strict;
     no conversation found is 0 and said)
  1  something is left: a fault found, not repaired or left alone;
     check: the file is damaged
  2  usage, or an unknown REF or CODE; no database was changed
  3  could not do it: not a database, damaged, I/O, no space, or a restore
     that would lose something
  4  locked by another process, or (--live) no quiet moment
  130, 143  stopped by SIGINT or SIGTERM: every record is whole, the same
     command run again finishes
`

// rank orders exit codes for several databases, the one that wins last.
// Codes of signals are above all of them.
var rank = map[int]int{exitDone: 0, exitLeft: 1, exitUsage: 2, exitLocked: 3, exitTrouble: 4}

// worse returns the exit code that stands for both.
func worse(a, b int) int {
	if severity(b) > severity(a) {
		return b
	}
	return a
}

func severity(code int) int {
	if r, ok := rank[code]; ok {
		return r
	}
	return code // a signal: 130 or 143
}

// signalled returns the exit code of the signal that ended ctx, and whether
// one did.
func signalled(ctx context.Context) (int, bool) {
	if ctx.Err() == nil {
		return 0, false
	}
	var s interface{ ExitCode() int }
	if errors.As(context.Cause(ctx), &s) {
		return s.ExitCode(), true
	}
	return exitTrouble, true
}
