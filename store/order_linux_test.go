package store

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Before anything is written to the database, the backup and its name, and the
// journal, its name and all its lines so far, are on disk.
func TestOrderOnDisk(t *testing.T) {
	strace := straceOf(t)
	path := newDB(t, nil, many(6, 1500))
	log := filepath.Join(t.TempDir(), "log")
	c := child("apply", path, "6000", t.TempDir())
	c.Path, c.Args = strace, append([]string{"strace", "-f", "-y", "-o", log,
		"-e", "trace=write,pwrite64,ftruncate,fsync,fdatasync,linkat,unlinkat", os.Args[0]}, c.Args[1:]...)
	c.Stderr = nil
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	o := order{t: t, db: path, dirty: map[string]bool{}, pending: map[string][2]string{}}
	for line := range strings.Lines(string(text)) {
		o.line(line)
	}
	if o.writes < 6 || o.syncs < 4 {
		t.Errorf("only %d writes to the database and %d syncs of a journal seen in\n%s", o.writes, o.syncs, text)
	}
}

var (
	traceLine    = regexp.MustCompile(`^(\d+)\s+(\w+)\((.*)`)
	traceResumed = regexp.MustCompile(`^(\d+)\s+<\.\.\. (\w+) resumed>`)
	traceFD      = regexp.MustCompile(`^\d+<([^>]*)>`)
)

// An order follows which files and folders have something that is not on disk.
type order struct {
	t             *testing.T
	db            string
	dirty         map[string]bool
	pending       map[string][2]string // by thread: a call that has begun, and its file
	writes, syncs int
}

func (o *order) line(line string) {
	if m := traceResumed.FindStringSubmatch(line); m != nil {
		call := o.pending[m[1]]
		o.done(call[0], call[1])
		return
	}
	m := traceLine.FindStringSubmatch(line)
	if m == nil {
		return
	}
	file := ""
	if fd := traceFD.FindStringSubmatch(m[3]); fd != nil {
		file = fd[1]
	}
	if m[2] == "linkat" || m[2] == "unlinkat" {
		// The name is the last quoted argument.
		q := strings.Split(m[3], `"`)
		file = q[len(q)-2]
	}
	o.begin(m[2], file)
	if strings.Contains(line, "<unfinished") {
		o.pending[m[1]] = [2]string{m[2], file}
	} else {
		o.done(m[2], file)
	}
}

func (o *order) begin(call, file string) {
	switch call {
	case "write", "pwrite64", "ftruncate":
		if file != o.db {
			break
		}
		o.writes++
		for f, dirty := range o.dirty {
			if dirty && f != o.db {
				o.t.Errorf("%s of the database while %s is not on disk", call, f)
			}
		}
	}
}

func (o *order) done(call, file string) {
	name := filepath.Base(file)
	switch {
	case call == "fsync" || call == "fdatasync":
		if strings.Contains(name, journalEnd) && o.dirty[file] {
			o.syncs++
		}
		o.dirty[file] = false
	case call == "linkat" && strings.Contains(name, namePart):
		o.dirty[filepath.Dir(file)] = true
	case strings.Contains(name, namePart) || file == o.db:
		if call == "write" || call == "pwrite64" || call == "ftruncate" {
			o.dirty[file] = true
		}
	}
}
