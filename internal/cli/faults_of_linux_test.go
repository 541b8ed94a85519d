package cli

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"

	"boltmend/store"
)

// What holds of each command that was hurt, and what has to end well after it.

func (st *states) checkRepair(d scene, f fault, got traced) {
	d.sound()
	changed := st.whole(d)
	d.complete(f, st.before)
	if f.call == "" {
		return
	}
	got.told(d, f, f.call == "unlinkat" || strings.Contains(got.err, "journal could not be closed"))
	if got.code == 3 && len(glob(d.T, d.path("*.tmp"))) > 0 && f.call != "unlinkat" {
		d.Errorf("something half made was left")
	}
	if strings.HasPrefix(f.kind, "error=") {
		st.saidRight(d, f, got, changed)
	}
}

var saysSafe = regexp.MustCompile(`batch(?:es 1–)? ?(\d+) (?:is|are) safe`)

// saidRight wants what a failed repair says of its batches to be so: those
// said to be safe are there, no batch is begun behind one that failed, and of
// a commit whose last sync failed nobody says that it is safe.
func (st *states) saidRight(d scene, f fault, got traced, changed int) {
	const perBatch, records = 2, 5
	safe := 0
	if m := saysSafe.FindStringSubmatch(got.err); m != nil {
		safe, _ = strconv.Atoi(m[1])
	}
	unknown := strings.Contains(got.err, "outcome unknown: ")
	switch {
	case got.code == 0:
		if changed != records {
			d.Errorf("exit 0, and %d records are changed", changed)
		}
	case unknown:
		if changed != min(records, (safe+1)*perBatch) || !strings.Contains(got.err, "may not survive a power cut") {
			d.Errorf("%d batches are said to be safe and one to be unknown, %d records are changed", safe, changed)
		}
	case changed != min(records, safe*perBatch):
		d.Errorf("%d batches are said to be safe, %d records are changed", safe, changed)
	}
	if f.call == "fdatasync" && f.when%2 == 0 && !unknown {
		d.Errorf("the last sync of a commit failed, and its outcome is not said to be unknown")
	}
	if got.code == 3 && changed == 0 && !unknown {
		if len(glob(d.T, d.path("*.journal"))) > 0 {
			d.Errorf("nothing was changed, and a journal is left")
		}
		if len(read(d, d.path("a.db"))) != len(st.before) {
			d.Errorf("nothing was changed, and the file has grown")
		}
	}
}

func (st *states) finishRepair(d scene, _ fault) {
	d.does(0, repairArgs...)
	if d.dump("a.db") != st.dumpAfter {
		d.Errorf("the rerun does not finish")
	}
	d.tidy()
	d.undoAll()
	if d.dump("a.db") != st.dumpBefore {
		d.Errorf("undo does not give back what was there")
	}
	d.sound()
	d.tidy()
}

func (st *states) checkRestore(d scene, f fault, got traced) {
	cut := d.isCutOff()
	if !cut {
		d.sound()
		if dump := d.dump("a.db"); dump != st.dumpBefore && dump != st.dumpAfter {
			d.Errorf("the file is neither as before nor as in the backup")
		}
	}
	d.complete(f, st.before, st.repaired)
	if f.call == "" {
		return
	}
	got.told(d, f, f.call == "unlinkat")
	unfinished := strings.Contains(got.err, "the restore is not finished")
	if got.code == 3 && !unfinished && (cut || d.dump("a.db") != st.dumpAfter) {
		d.Errorf("it does not say that the file is another now")
	}
	if unfinished && !strings.Contains(got.err, "run the same command again") {
		d.Errorf("it does not say how to go on")
	}
}

func (st *states) finishRestore(d scene, _ fault) {
	d.does(0, "restore", "a.db.boltmend-2.bak", "a.db")
	if !bytes.Equal(read(d, d.path("a.db")), st.before) {
		d.Errorf("the rerun does not finish")
	}
	d.tidy()
	kept := ""
	for _, path := range glob(d.T, d.path("*.bak")) {
		if bytes.Equal(read(d, path), st.repaired) {
			kept = path
		}
	}
	if kept == "" {
		d.Errorf("what the file was before is not kept")
		return
	}
	d.does(0, "restore", kept, "a.db")
	if d.dump("a.db") != st.dumpAfter {
		d.Errorf("the restore cannot be taken back")
	}
	d.does(0, "undo", "--quiet", "a.db.boltmend-2.journal")
	if d.dump("a.db") != st.dumpBefore {
		d.Errorf("undo does not work any more")
	}
}

func (st *states) checkUndo(d scene, f fault, got traced) {
	d.sound()
	st.whole(d)
	d.complete(f, st.before)
	if f.call != "" {
		got.told(d, f, f.call == "unlinkat" || strings.Contains(got.err, "journal could not be closed"))
	}
}

func (st *states) finishUndo(d scene, _ fault) {
	d.does(0, "undo", "--quiet", "a.db.boltmend-2.journal")
	if d.dump("a.db") != st.dumpBefore {
		d.Errorf("the rerun does not finish")
	}
	d.tidy()
	d.does(0, repairArgs...)
	if d.dump("a.db") != st.dumpAfter {
		d.Errorf("the file cannot be repaired any more")
	}
}

func (st *states) checkPlan(d scene, f fault, got traced) {
	if !bytes.Equal(read(d, d.path("a.db")), st.before) {
		d.Errorf("a dry run has changed the file")
	}
	if p, err := store.ReadPlan(d.path("my.plan")); err == nil {
		p.Close()
	} else if names := glob(d.T, d.path("my.plan")); len(names) > 0 && len(read(d, names[0])) == 0 && f.call == "renameat" {
		os.Remove(names[0]) // the name was taken, and no more
	} else if len(names) > 0 {
		d.Errorf("the plan is not complete: %v", err)
	}
	if f.call != "" && got.code != 1 {
		got.told(d, f, false)
	}
}

func (st *states) finishPlan(d scene, f fault) {
	if len(glob(d.T, d.path("my.plan"))) == 0 {
		d.does(1, "repair", "--dry-run", "--save-plan", "my.plan", "a.db")
	}
	d.does(0, "repair", "--plan", "my.plan", "a.db")
	if d.dump("a.db") != st.dumpAfter {
		d.Errorf("the plan cannot be followed")
	}
	if f.call != "unlinkat" {
		d.tidy()
	}
}
