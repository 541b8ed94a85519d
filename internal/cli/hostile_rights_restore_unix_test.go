//go:build unix

package cli

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNoRightsToRestore: a folder in which no backup may be made, and a file
// that may not be written.
func TestNoRightsToRestore(t *testing.T) {
	s, run := asNobody(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	before := s.dump("a.db")
	s.give("a.db")
	if got := run("repair", "--quiet", "a.db"); got != (outcome{}) {
		t.Fatalf("repair: %+v", got)
	}
	if err := os.Mkdir(s.path("other"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.give("other")
	repaired := s.stamp("a.db")
	backup := "a.db.boltmend-2.bak"

	s.mode("a.db", 0o400)
	s.want(run("restore", backup, "a.db"), 3, "a.db: not restored\n",
		"boltmend: a.db: cannot open the file for writing: permission denied"+whoMay)
	if got := run("restore", "--dry-run", backup, "a.db"); got.code != 0 || got.err != "" {
		t.Errorf("dry run of a file that may be read: %+v", got)
	}
	s.mode("a.db", 0o600)
	s.mode("", 0o555)
	s.want(run("restore", backup, "a.db"), 3, "a.db: not restored\n",
		"boltmend: a.db: DIR: cannot make the backup in the folder: permission denied"+whoMay)
	s.want(run("repair", "--dry-run", "--save-plan", "x.plan", "a.db"), 3, "a.db: not repaired\n",
		"boltmend: a.db: DIR/x.plan.boltmend-plan.tmp: cannot make the plan: permission denied"+whoMay)
	s.want(run("inspect", "--quiet", "--save", "x.layout", "a.db"), 3, "",
		"boltmend: a.db: x.layout: cannot save the layout: permission denied"+whoMay)
	if s.stamp("a.db") != repaired {
		t.Error("the file has changed")
	}
	s.has("a.db", backup, "a.db.boltmend-2.journal", "other")
	got := run("restore", "--backup-dir", "other", backup, "a.db")
	if got.code != 0 || s.dump("a.db") != before {
		t.Errorf("with the backup elsewhere: %+v", got)
	}
}

// TestRestoreSaysWhatItCannotRead: a journal that may not be read is not said
// to be missing.
func TestRestoreSaysWhatItCannotRead(t *testing.T) {
	s, run := asNobody(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	s.give("a.db")
	if got := run("repair", "--quiet", "a.db"); got != (outcome{}) {
		t.Fatalf("repair: %+v", got)
	}
	s.mode("a.db.boltmend-2.journal", 0)
	got := run("restore", "a.db.boltmend-2.bak", "a.db")
	s.want(got, 3, "a.db: not restored\n",
		"boltmend: a.db: DIR/a.db.boltmend-2.bak: no journal that can be read names it, and one cannot be read: "+
			"DIR/a.db.boltmend-2.journal: cannot open the file: permission denied"+strings.TrimSuffix(whoMay, "\n")+"; nothing was changed\n")
}

// TestRestoreTrustsNoOther: a backup, or a journal, that belongs to another user
// than the database is not taken for one of ours.
func TestRestoreTrustsNoOther(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	s.exits(0, "repair", "a.db")
	before := s.stamp("a.db")
	const backup, journal = "a.db.boltmend-2.bak", "a.db.boltmend-2.journal"
	for name, says := range map[string]string{backup: "belongs to another user", journal: "no journal of"} {
		s.give(name)
		got := s.run("restore", backup, "a.db")
		if got.code != 3 || !strings.Contains(got.err, says) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s of another user: %+v", name, got)
		}
		if err := os.Chown(s.path(name), 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if s.stamp("a.db") != before {
		t.Error("the file has changed")
	}
	s.has("a.db", backup, journal)
	s.exits(0, "restore", backup, "a.db")
}

// TestUmask: what others may read is not decided by the umask. A backup has the
// mode of its database; what holds old values, or says what is in the file, is
// for its owner alone.
func TestUmask(t *testing.T) {
	for _, mask := range []int{0o077, 0, 0o777} {
		s := newScene(t)
		s.db("a.db", "chat/a "+poisonedHistory)
		if err := os.Chmod(s.path("a.db"), 0o640); err != nil {
			t.Fatal(err)
		}
		old := unix.Umask(mask)
		s.exits(1, "repair", "--dry-run", "--save-plan", "my.plan", "a.db")
		s.exits(0, "repair", "--plan", "my.plan", "a.db")
		s.exits(0, "restore", "a.db.boltmend-2.bak", "a.db")
		unix.Umask(old)
		for name, want := range map[string]os.FileMode{
			"a.db": 0o640, "a.db.boltmend-2.bak": 0o640, "a.db.boltmend-3.bak": 0o640,
			"a.db.boltmend-2.journal": 0o600, "a.db.boltmend-3.journal": 0o600, "my.plan": 0o600,
		} {
			st, err := os.Stat(s.path(name))
			if err != nil {
				t.Fatal(err)
			}
			if got := st.Mode().Perm(); got != want && !(mask == 0o777 && got == want&^0o777) {
				t.Errorf("umask %o: %s has mode %o, want %o", mask, name, got, want)
			}
		}
	}
}
