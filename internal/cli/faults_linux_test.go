package cli

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

var everyFault = flag.Bool("faults", false, "inject faults into every command that writes, an undo and a saved plan too")

// The system calls by which a command changes what is on disk. Each is made to
// fail, or the process to die at it, at the first, the second, ... time, until
// a run ends unhurt.
var writingCalls = []string{
	"write", "pwrite64", "copy_file_range", "fsync", "fdatasync", "ftruncate",
	"linkat", "renameat", "renameat2", "unlinkat",
}

// What is done at a call. The kernel delivers a signal before the call is made.
var faultKinds = []string{"signal=SIGKILL", "error=EIO", "error=ENOSPC"}

// A fault is what is injected into one run.
type fault struct {
	command string // of the subject
	call    string
	kind    string
	when    int
}

func (f fault) String() string {
	return fmt.Sprintf("%s, %s %d, %s", f.command, f.call, f.when, f.kind)
}

// inject is what strace is told.
func (f fault) inject() string { return fmt.Sprintf("%s:%s:when=%d", f.call, f.kind, f.when) }

// TestFaults hurts a repair, a restore and, with -faults, all that writes, at
// each of its writes, syncs and changes of names. Each time the file passes the
// page check, or is a restore cut off; every record is whole; backup and
// journal are complete or not there; the same command finishes and leaves
// nothing half made; and it can be undone.
func TestFaults(t *testing.T) {
	s := newScene(t)
	strace := straceOf(t)
	count := faultCounts{}
	for _, sub := range subjects(s) {
		began := time.Now()
		sub.strace, sub.counts = strace, count
		sub.unhurt()
		for _, call := range writingCalls {
			var extra []string
			switch call { // that are made only where there are no hard links
			case "renameat":
				extra = []string{"linkat:error=EPERM", "renameat2:error=EINVAL"}
			case "renameat2":
				extra = []string{"linkat:error=EPERM"}
			}
			for _, kind := range faultKinds {
				sub.all(fault{command: sub.name, call: call, kind: kind}, extra)
			}
		}
		t.Logf("%s: %d faults in %.0f s", sub.name, count.of(sub.name), time.Since(began).Seconds())
	}
	count.verify(t)
	if *update {
		count.write(t)
	}
}

// all injects a fault at the first call, the second, and so on.
func (sub *subject) all(f fault, extra []string) {
	for f.when = 1; ; f.when++ {
		if f.when > 500 {
			sub.Fatalf("%s: no run ends unhurt", f)
		}
		d := sub.folder()
		got := sub.run(d, f.call, append([]string{f.inject()}, extra...)...)
		if !got.hit {
			if got.code != sub.code {
				sub.Errorf("%s: nothing was injected, and it exits with %d\n%s", f, got.code, got.err)
			}
			os.RemoveAll(d.dir)
			return
		}
		sub.counts.add(f)
		sub.check(d, f, got)
		sub.finish(d, f)
		if sub.Failed() {
			sub.Fatalf("%s: exit %d\n%s%s", f, got.code, got.stdout, got.err)
		}
		os.RemoveAll(d.dir)
	}
}
