package cli

import (
	"os"
	"strings"
	"testing"
)

// TestDiskThatLies: other bytes than those that were written come to be on
// disk, in each write of a repair. It is found when the file is read back, the
// repair says so and how to go back, and that command, pasted, works.
func TestDiskThatLies(t *testing.T) {
	s := newScene(t)
	sub := subjects(s)[0]
	sub.strace = straceOf(t)
	found := 0
	writes := sub.called(sub.run(sub.folder(), "pwrite64"), "pwrite64")
	for n := 1; n <= writes; n++ {
		d := sub.folder()
		got := sub.run(d, "pwrite64", fault{call: "pwrite64", kind: "poke_enter=@arg2=ffffffffffffffffffffffffffff", when: n}.inject())
		if n == 1 && !strings.Contains(got.err, "does not read back as it was written") && got.code == 0 {
			t.Skip("this strace cannot change what is written")
		}
		switch {
		case got.code == 0: // of a page, or a meta, that a later batch wrote anew
			sub.check(d, fault{command: sub.name}, got)
			sub.finish(d, fault{command: sub.name})
		case got.code != 3:
			t.Errorf("write %d: exit %d\n%s%s", n, got.code, got.stdout, got.err)
		case strings.Contains(got.err, "a.db.boltmend-2.bak: "): // of the backup: nothing was changed yet
			d.sound()
			d.has("a.db")
		default:
			found++
			d.restorePasted(t, sub, got)
		}
		os.RemoveAll(d.dir)
	}
	if found < 5 {
		t.Errorf("only %d writes to the database were found to be wrong", found)
	}
	t.Logf("%d writes changed, %d of them found at the end, in the database", writes, found)
}

// restorePasted runs the command that a repair printed which did not read back.
func (s scene) restorePasted(t *testing.T, sub *subject, got traced) {
	t.Helper()
	const command = "boltmend restore DIR/a.db.boltmend-2.bak a.db"
	if !strings.HasPrefix(got.stdout, "a.db: damaged: what was written does not read back\n") ||
		!strings.Contains(got.stdout, "\nnext: "+command+"\n") || !strings.HasSuffix(got.err, "restore the backup: "+command+"\n") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.err)
	}
	s.exits(0, strings.Fields(strings.ReplaceAll(command, "DIR", s.dir))[1:]...)
	if s.dump("a.db") != dumpOf(t, sub.path("origin.db")) {
		t.Error("the restore did not give back what was there")
	}
}
