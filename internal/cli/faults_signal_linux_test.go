package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A phase of a command begins about the call that it names.
type phase struct {
	name string
	call string
	when int
	// late tells that there is nothing left to stop: the command ends as if
	// there had been no signal, but for its exit code.
	late bool
}

var phasesOf = map[string][]phase{
	"repair": {
		{"lock", "flock", 1, false},
		{"page check", "pread64", 2, false},
		{"exclusive lock", "flock", 3, false},
		{"backup", "pwrite64", 1, false},
		{"sync of the backup", "fsync", 1, false},
		{"first journal lines", "write", 1, false},
		{"first commit", "fdatasync", 1, false},
		{"between commits", "fdatasync", 2, false},
		{"second commit", "pwrite64", 8, false},
		{"last commit", "fdatasync", 6, true},
		{"reading back", "pread64", -2, true},
	},
	"restore": {
		{"lock of the backup", "flock", 1, false},
		{"page check", "pread64", 2, false},
		{"exclusive lock", "flock", 4, false},
		{"backup", "pwrite64", 1, false},
		{"journal", "write", 1, false},
		{"first meta", "pwrite64", 2, true},
		{"both metas", "pwrite64", 3, true},
		{"pages", "pwrite64", 4, true},
		{"last sync", "fsync", -1, true},
	},
}

// TestSignalsInEachPhase stops a repair and a restore with SIGINT and SIGTERM
// in each of their phases. Before anything is written nothing is; in between
// the batch at hand is finished, and a restore that has begun to write goes on
// to its end. What is left is as whole as after any other fault.
func TestSignalsInEachPhase(t *testing.T) {
	s := newScene(t)
	strace := straceOf(t)
	for _, sub := range subjects(s) {
		sub.strace, sub.counts = strace, faultCounts{}
		stopped, all := 0, 0
		for _, ph := range phasesOf[sub.name] {
			for sig, code := range map[string]int{"SIGINT": 130, "SIGTERM": 143} {
				if sub.signalled(ph, sig, code) && !ph.late {
					stopped++
				}
				if !ph.late {
					all++
				}
			}
		}
		// On a machine that is busy a signal may come to be known too late.
		if stopped < all/3 {
			t.Errorf("%s: only %d of %d signals stopped it", sub.name, stopped, all)
		}
		t.Logf("%s: %d of %d signals in time", sub.name, stopped, all)
	}
}

// signalled reports whether the signal stopped the command.
func (sub *subject) signalled(ph phase, sig string, code int) bool {
	f := fault{command: sub.name, call: ph.call, kind: "signal=" + sig, when: ph.when}
	if f.when < 0 { // counted from the end
		d := sub.folder()
		f.when += 1 + sub.called(sub.run(d, ph.call), ph.call)
	}
	d := sub.folder()
	got := sub.run(d, f.call, f.inject())
	what := fmt.Sprintf("%s, %s in %s", sub.name, sig, ph.name)
	switch {
	case !got.hit:
		sub.Errorf("%s: there is no such call\n%s", what, got.trace)
	case got.code != code && got.code != sub.code:
		sub.Errorf("%s: exit %d, want %d\n%s%s", what, got.code, code, got.stdout, got.err)
	}
	if sub.name == "restore" && d.isCutOff() {
		sub.Errorf("%s: the restore was cut off, and there was no need", what)
	}
	sub.check(d, fault{command: sub.name}, got)
	d.tidy()
	sub.finish(d, f)
	if sub.Failed() {
		sub.Fatal(what)
	}
	os.RemoveAll(d.dir)
	return strings.Contains(got.err, "interrupted: the file is whole; run the same command again to finish\n")
}

// called counts how often the thread that calls last did so.
func (sub *subject) called(got traced, call string) int {
	calls := regexp.MustCompile(`(?m)^(\d+) +`+call+`\(`).FindAllStringSubmatch(got.trace, -1)
	n := 0
	for _, c := range calls {
		if c[1] == calls[len(calls)-1][1] {
			n++
		}
	}
	return n
}
