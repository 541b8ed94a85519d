package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boltmend/internal/dbtext"
	"boltmend/store"
	"boltmend/store/page"
)

// faultFile makes the database that is repaired: several records, each of
// several pages, and some that are none or sound.
func faultFile(s scene, path string) {
	s.Helper()
	var lines []string
	for i := range 5 {
		history := strings.Replace(poisonedHistory, "list", strings.Repeat(fmt.Sprintf("word%d ", i), 900), 1)
		lines = append(lines, fmt.Sprintf("chat/%d %s", i, history))
	}
	lines = append(lines, "chat/s "+soundHistory, "log/x text")
	if err := dbtext.Make(path, strings.Join(lines, "\n"), nil); err != nil {
		s.Fatal(err)
	}
}

// repairArgs repairs in three transactions.
var repairArgs = []string{"repair", "--batch-bytes", "12000", "a.db"}

// states are what a database can be: not repaired and repaired, all that it
// holds, and the bytes of the first.
type states struct {
	before                []byte
	dumpBefore, dumpAfter string
	// repaired is the repaired file of a folder: bbolt leaves in unused bytes
	// what was in memory, so each is another.
	repaired []byte
}

// subjects are the commands that are hurt.
func subjects(s scene) (all []*subject) {
	origin := s.path("origin.db")
	faultFile(s, origin)
	place := func(d scene) { copyFile(d.T, d.path("a.db"), origin) }
	st := &states{before: read(s, origin), dumpBefore: dumpOf(s.T, origin)}
	repair := func(d scene) {
		place(d)
		d.does(0, repairArgs...)
		st.repaired = read(d, d.path("a.db"))
	}
	d := scene{s.T, s.path("all")}
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		s.Fatal(err)
	}
	repair(d)
	st.dumpAfter = d.dump("a.db")
	all = []*subject{
		{name: "repair", prepare: place, args: repairArgs, check: st.checkRepair, finish: st.finishRepair},
		{name: "restore", prepare: repair, args: []string{"restore", "a.db.boltmend-2.bak", "a.db"}, check: st.checkRestore, finish: st.finishRestore},
	}
	if *everyFault {
		all = append(all,
			&subject{name: "undo", prepare: repair, args: []string{"undo", "a.db.boltmend-2.journal"}, check: st.checkUndo, finish: st.finishUndo},
			&subject{name: "plan", prepare: place, args: []string{"repair", "--dry-run", "--save-plan", "my.plan", "a.db"}, code: 1, check: st.checkPlan, finish: st.finishPlan})
	}
	for _, sub := range all {
		sub.scene = s
	}
	return all
}

func read(s scene, path string) []byte {
	s.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	return b
}

// sound wants the pages of the database to check out.
func (s scene) sound() {
	s.Helper()
	res, err := store.CheckPages(s.path("a.db"), store.Options{}, 10, func(p page.Problem) {
		if p.Severity == page.Error {
			s.Errorf("page check: %s", p)
		}
	})
	if err != nil || res.Errors > 0 {
		s.Errorf("page check: %d errors, %v", res.Errors, err)
	}
}

// whole wants every record to be as in one of two states, and tells how many
// are as in the second and not as in the first.
func (st *states) whole(s scene) (changed int) {
	s.Helper()
	for line := range strings.Lines(s.dump("a.db")) {
		switch {
		case strings.Contains(st.dumpBefore, line):
		case strings.Contains(st.dumpAfter, line):
			changed++
		default:
			s.Errorf("a record is neither as before nor as after: %.60q", line)
		}
	}
	return changed
}

// complete wants everything with a final name to be all there: backups are one
// of some files, journals can be read. Nothing else may be there but what was,
// and what is half made and says so.
func (s scene) complete(f fault, backups ...[]byte) {
	s.Helper()
	for _, path := range glob(s.T, s.path("*")) {
		// Without hard links, and without a rename that replaces nothing, a name
		// is taken by an empty file first.
		if f.call == "renameat" && f.kind == "signal=SIGKILL" && len(read(s, path)) == 0 {
			continue
		}
		switch name := filepath.Base(path); {
		case name == "a.db" || name == "my.plan" || strings.HasSuffix(name, ".tmp"):
		case strings.HasSuffix(name, ".bak"):
			if b := read(s, path); !slices.ContainsFunc(backups, func(x []byte) bool { return bytes.Equal(x, b) }) {
				s.Errorf("%s is not what the file was", name)
			}
		case strings.HasSuffix(name, ".journal"):
			j, err := store.ReadJournal(path)
			if err != nil || j.Damaged {
				s.Errorf("%s: %v", name, err)
			}
			if err == nil {
				j.Close()
			}
		default:
			s.Errorf("%s was made", name)
		}
	}
}

// tidy wants nothing half made to be left.
func (s scene) tidy() {
	s.Helper()
	if left := glob(s.T, s.path("*.tmp")); len(left) > 0 {
		s.Errorf("left behind: %q", left)
	}
}

// told wants a run that failed to say so, on one line, and to exit as it
// should. fine tells that no harm was done, so that it may also succeed.
func (got traced) told(s scene, f fault, fine bool) {
	s.Helper()
	lines := strings.Count(got.err, "\n")
	switch {
	case strings.Contains(f.kind, "SIGKILL"):
		if got.code != -1 && got.code != 137 {
			s.Errorf("exit %d of a killed process", got.code)
		}
	case got.code == 0 && fine:
	case got.code != 3 || lines != 1 || !strings.HasPrefix(got.err, "boltmend: "):
		s.Errorf("exit %d, and %d lines are said", got.code, lines)
	}
}

// does runs the program in this process, which is faster, and checks the exit
// code. Arguments that begin as a file of the folder are that.
func (s scene) does(code int, args ...string) {
	s.Helper()
	args = slices.Clone(args)
	for i, a := range args {
		if strings.HasPrefix(a, "a.db") || a == "my.plan" {
			args[i] = s.path(a)
		}
	}
	var out bytes.Buffer
	if got := Run(s.Context(), args, strings.NewReader(""), &out, &out); got != code {
		s.Errorf("%q: exit %d, want %d\n%s", args, got, code, out.String())
	}
}

// undoAll undoes all journals of a repair, the newest first.
func (s scene) undoAll() {
	s.Helper()
	journals, err := store.Journals(s.path("a.db"))
	if err != nil || len(journals) == 0 {
		s.Errorf("journals: %q, %v", journals, err)
	}
	for _, j := range journals {
		s.does(0, "undo", "--quiet", j)
	}
}

// isCutOff tells that the database is one that a restore was cut off in.
func (s scene) isCutOff() bool {
	s.Helper()
	_, err := store.CheckPages(s.path("a.db"), store.Options{}, 10, func(page.Problem) {})
	return errors.Is(err, store.ErrNotDatabase) && strings.Contains(err.Error(), "a restore was cut off")
}
