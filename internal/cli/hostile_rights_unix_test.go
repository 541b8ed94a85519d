//go:build unix

package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// nobody is the user that may not do what root may.
const nobody = 65534

// asNobody makes a scene whose files belong to a user without rights, and a
// way to run the program as that user.
func asNobody(t *testing.T) (scene, func(args ...string) outcome) {
	s := newScene(t)
	if os.Geteuid() != 0 {
		return s, s.run
	}
	// The program lies where only its owner may look.
	program := s.path("program")
	own, err := exec.LookPath("boltmend")
	if err != nil {
		t.Fatal(err)
	}
	copyProgram(t, program, own)
	for dir := s.dir; dir != filepath.Dir(dir) && dir != os.TempDir(); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.dir = filepath.Join(s.dir, "scene")
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.give("")
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Args[0] = "boltmend"
		cmd.Dir = s.dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return cmd
	}
	if err := command("--version").Run(); err != nil {
		t.Skipf("needs a temporary folder that is open to user %d: %v", nobody, err)
	}
	return s, func(args ...string) outcome { return s.finish(command(args...)) }
}

// give gives a file to nobody, if that takes to be given.
func (s scene) give(name string) {
	s.Helper()
	if os.Geteuid() == 0 {
		if err := os.Chown(s.path(name), nobody, nobody); err != nil {
			s.Fatal(err)
		}
	}
}

func copyProgram(t *testing.T, to, from string) {
	t.Helper()
	src, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(dst, src); err != nil {
		t.Fatal(err)
	}
	if err := dst.Close(); err != nil {
		t.Fatal(err)
	}
}

// mode sets the mode of a file until the end of the test.
func (s scene) mode(name string, mode os.FileMode) {
	s.Helper()
	if err := os.Chmod(s.path(name), mode); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { os.Chmod(s.path(name), 0o700) })
}

const whoMay = "; run as a user who may, or change the file's or folder's mode\n"

// TestNoRights: a file that may not be read, one that may not be written, and
// a folder in which nothing may be made. Each is said in a line, exit 3, and
// nothing is left behind.
func TestNoRights(t *testing.T) {
	s, run := asNobody(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	s.db("sound.db", "chat/a "+soundHistory)
	s.give("a.db")
	s.give("sound.db")
	before, sound := s.stamp("a.db"), s.stamp("sound.db")

	s.mode("a.db", 0o200)
	unread := "boltmend: a.db: cannot open the file: permission denied" + whoMay
	s.want(run("scan", "a.db"), 3, "a.db: not scanned\n", unread)
	s.want(run("repair", "--dry-run", "a.db"), 3, "a.db: not repaired\n", unread)
	s.want(run("inspect", "a.db"), 3, "a.db\n  not inspected\n", unread)

	s.mode("a.db", 0o400)
	if got := run("scan", "a.db"); got.code != 1 || got.err != "" {
		t.Errorf("scan of a file that may be read: %+v", got)
	}
	s.want(run("repair", "a.db"), 3, "a.db: not repaired\n",
		"boltmend: a.db: cannot open the file for writing: permission denied"+whoMay)
	if got := run("repair", "--output", "new.db", "a.db"); got.code != 0 || got.err != "" {
		t.Errorf("repair of a copy: %+v", got)
	}
	if err := os.Remove(s.path("new.db")); err != nil {
		t.Fatal(err)
	}

	s.mode("a.db", 0o600)
	s.mode("", 0o555)
	denied := "boltmend: a.db: DIR: cannot make files in the folder: permission denied" + whoMay
	s.want(run("repair", "a.db"), 3, "a.db: not repaired\n", denied)
	s.want(run("repair", "--no-backup", "a.db"), 3, "a.db: not repaired\n", denied)
	s.want(run("repair", "--output", "new.db", "a.db"), 3, "a.db: not repaired\n",
		"boltmend: a.db: DIR/new.db.boltmend-output.tmp: cannot make the new database: permission denied"+whoMay)
	s.want(run("repair", "sound.db"), 0, "sound.db: sound: 1 conversation\n", "")
	if s.stamp("a.db") != before || s.stamp("sound.db") != sound {
		t.Error("a file has changed")
	}
	s.has("a.db", "sound.db")
}

// TestReadOnlyFolderElsewhere: with the backup and the journal in another
// folder the database's own need not be written to.
func TestReadOnlyFolderElsewhere(t *testing.T) {
	s, run := asNobody(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	s.give("a.db")
	if err := os.Mkdir(s.path("other"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.give("other")
	before := s.dump("a.db")
	s.mode("", 0o555)
	if got := run("repair", "--quiet", "--backup-dir", "other", "--journal", "other/my.journal", "a.db"); got != (outcome{}) {
		t.Errorf("repair: %+v", got)
	}
	s.has("a.db", "other")
	s.want(run("undo", "other/my.journal"), 3, "DIR/a.db: not undone\n",
		"boltmend: DIR/a.db: DIR: cannot make files in the folder: permission denied"+whoMay)
	s.mode("", 0o755)
	if got := run("undo", "--quiet", "other/my.journal"); got != (outcome{}) {
		t.Errorf("undo: %+v", got)
	}
	if s.dump("a.db") != before {
		t.Error("undo did not give back what was there")
	}
}
