package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const pageBytes = 4096

// disk mounts a file system of that many pages.
func (s scene) disk(name string, pages int) scene {
	s.Helper()
	if os.Geteuid() != 0 {
		s.Skip("needs root to mount a small disk")
	}
	dir := s.path(name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		s.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,nr_inodes=100", pages*pageBytes)); err != nil {
		s.Skipf("needs the right to mount a small disk: %v", err)
	}
	s.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			s.Errorf("unmount %s: %v", dir, err)
		}
	})
	return scene{s.T, dir}
}

// fill writes a file that leaves room for no more than some pages.
func (s scene) fill(leave int) {
	s.Helper()
	f, err := os.Create(s.path("fill"))
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, pageBytes)
	n := 0
	for ; err == nil; n++ {
		_, err = f.Write(page)
	}
	if err := f.Truncate(int64(max(0, n-1-leave)) * pageBytes); err != nil {
		s.Fatal(err)
	}
}

func (s scene) empty() {
	s.Helper()
	if err := os.Remove(s.path("fill")); err != nil {
		s.Fatal(err)
	}
}

// TestDiskFullBefore: too little room for the backup, the journal or the
// copy is found before anything is made.
func TestDiskFullBefore(t *testing.T) {
	s := newScene(t)
	d := s.disk("disk", 400)
	history := strings.Replace(poisonedHistory, "list", strings.Repeat("x", 4000), 1)
	for i := range 100 {
		d.put("a.db", []string{"chat"}, fmt.Sprint(i), []byte(history))
	}
	before := d.stamp("a.db")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"repair"}, `a\.db: DIR: needs 2\.. MB here \(the database [0-9.]+ KB, the backup [0-9.]+ KB, the journal [0-9.]+ KB\) and [0-9.]+ KB are free; free some space there, or put the backup and the journal elsewhere: --backup-dir DIR --journal FILE`},
		{[]string{"repair", "--no-backup"}, `a\.db: DIR: needs 1\.. MB here .* and [0-9.]+ KB are free; .*`},
		{[]string{"repair", "--backup-dir", s.dir}, `a\.db: DIR: needs 1\.. MB here .* and [0-9.]+ KB are free; .*`},
	} {
		got := d.run(append(c.args, "a.db")...)
		if got.code != 3 || got.stdout != "a.db: not repaired\n" || !matches("^boltmend: "+c.says+"\n$", got.err) {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
	// A copy that does not fit is taken away again.
	d.fill(20)
	got := d.run("repair", "--output", "new.db", "a.db")
	if got.code != 3 || got.stdout != "a.db: not repaired\n" {
		t.Errorf("repair of a copy: %+v", got)
	}
	if d.stamp("a.db") != before {
		t.Error("the database has changed")
	}
	d.has("a.db", "fill")
	s.has("disk")
}

// TestDiskFullBackup: there is no room in the folder for backups.
func TestDiskFullBackup(t *testing.T) {
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	before := s.stamp("a.db")
	d := s.disk("disk", 4)
	got := s.run("repair", "--backup-dir", "disk", "a.db")
	if got.code != 3 || got.stdout != "a.db: not repaired\n" ||
		!matches(`^boltmend: a\.db: DIR/disk: needs [0-9.]+ KB here \(the backup [0-9.]+ KB\) and [0-9.]+ KB are free; free some space there, or put the backup elsewhere: --backup-dir DIR\n$`, got.err) {
		t.Errorf("%+v", got)
	}
	if s.stamp("a.db") != before {
		t.Error("the database has changed")
	}
	d.has()
	s.has("a.db", "disk")
}

// TestFileLimit: no file may grow beyond a limit, which shows only when it is
// written. The half-made backup goes.
func TestFileLimit(t *testing.T) {
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	before := s.stamp("a.db")
	// A unit is 512 bytes or 1024, as the shell likes.
	cmd := exec.Command("sh", "-c", `ulimit -f 20 && exec boltmend "$@"`, "sh", "repair", "a.db")
	cmd.Dir = s.dir
	s.want(s.finish(cmd), 3, "a.db: not repaired\n",
		"boltmend: a.db: DIR/a.db.boltmend-2.bak: cannot write the backup: file too large; free some space in DIR and run again, or put the backup elsewhere: --backup-dir DIR\n")
	if s.stamp("a.db") != before {
		t.Error("the database has changed")
	}
	s.has("a.db")
}

// TestDiskFullJournal: the old values would fit, what was taken out besides
// does not. No journal is left.
func TestDiskFullJournal(t *testing.T) {
	s := newScene(t)
	orphan := `[{"role":"user","content":"x"},{"role":"tool","tool_call_id":"zz","content":"` + strings.Repeat("y", 900_000) + `"}]`
	s.put("a.db", []string{"chat"}, "a", []byte(orphan))
	before := s.stamp("a.db")
	d := s.disk("disk", 400)
	s.want(s.run("repair", "--no-backup", "--journal", "disk/my.journal", "a.db"), 3, "a.db: not repaired\n",
		"boltmend: a.db: nothing was changed: no space left on device; free some space in DIR/disk and run again, or put the journal elsewhere: --journal FILE\n")
	if s.stamp("a.db") != before {
		t.Error("the database has changed")
	}
	d.has()
	s.has("a.db", "disk")
	s.exits(0, "repair", "--quiet", "--no-backup", "a.db")
}

// TestDiskFullCommit: a small change takes a large page with it, which does
// not fit. What is stored is as before, the page check is content, and the
// same command works when there is room.
func TestDiskFullCommit(t *testing.T) {
	s := newScene(t)
	d := s.disk("disk", 300)
	d.db("a.db", "chat/a "+poisonedHistory, "chat/z "+strings.Repeat("z", 200_000))
	before := d.dump("a.db")
	size, err := os.Stat(d.path("a.db"))
	if err != nil {
		t.Fatal(err)
	}
	d.fill(20)
	args := []string{"repair", "--backup-dir", s.dir, "--journal", s.path("my.journal"), "a.db"}
	got := d.run(args...)
	if got.code != 3 || !strings.HasPrefix(got.stdout, "a.db: not repaired\n") ||
		got.err != "boltmend: a.db: nothing was changed: no space left on device; free some space in DIR and run again\n" {
		t.Errorf("%+v", got)
	}
	if d.dump("a.db") != before {
		t.Error("the database has changed")
	}
	if st, err := os.Stat(d.path("a.db")); err != nil || st.Size() != size.Size() {
		t.Errorf("the file has grown from %d to %d bytes, %v", size.Size(), st.Size(), err)
	}
	d.exits(1, "scan", "--quiet", "a.db")
	d.has("a.db", "fill")
	s.has("a.db.boltmend-2-"+hash(d.path("a.db"))[:8]+".bak", "disk")
	d.empty()
	d.exits(0, args...)
	d.exits(0, "scan", "--quiet", "a.db")
	d.exits(0, "undo", "--quiet", s.path("my.journal"))
	if d.dump("a.db") != before {
		t.Error("undo did not give back what was there")
	}
}

// TestDiskFullLater: the disk is full after some batches. They are said to be
// safe, and are; the rest is as before.
func TestDiskFullLater(t *testing.T) {
	s := newScene(t)
	d := s.disk("disk", 1500)
	small := strings.Replace(poisonedHistory, "list", strings.Repeat("x", 20_000), 1)
	var lines []string
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("chat/a%d %s", i, small))
	}
	// With z a page is written that holds y.
	d.db("a.db", append(lines, "chat/y "+strings.Repeat("y", 1_500_000), "chat/z "+poisonedHistory)...)
	before := d.dump("a.db")
	d.fill(150)
	args := []string{"repair", "--batch-bytes", "40000", "--backup-dir", s.dir, "--journal", s.path("my.journal"), "a.db"}
	got := d.run(args...)
	if got.code != 3 || !strings.HasPrefix(got.stdout, "a.db: stopped: 8 faults repaired\n") ||
		got.err != "boltmend: a.db: batch 5 was not written: no space left on device; batches 1–4 are safe; free some space in DIR and run again\n" {
		t.Errorf("%+v", got)
	}
	if n := strings.Count(d.dump("a.db"), "[interrompu]"); n != 8 {
		t.Errorf("%d records are repaired, want 8", n)
	}
	d.empty()
	d.exits(0, "repair", "--quiet", "--no-backup", "--journal", s.path("second.journal"), "a.db")
	d.exits(0, "scan", "--quiet", "a.db")
	d.exits(0, "undo", "--quiet", s.path("second.journal"))
	d.exits(0, "undo", "--quiet", s.path("my.journal"))
	if d.dump("a.db") != before {
		t.Error("undo did not give back what was there")
	}
}

// TestReadOnlyDisk: a file on a disk that is mounted for reading.
func TestReadOnlyDisk(t *testing.T) {
	s := newScene(t)
	d := s.disk("disk", 100)
	d.db("a.db", "chat/a "+poisonedHistory)
	before := d.stamp("a.db")
	if err := unix.Mount("tmpfs", d.dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("needs the right to mount a disk for reading: %v", err)
	}
	d.exits(1, "scan", "--quiet", "a.db")
	d.want(d.run("repair", "a.db"), 3, "a.db: not repaired\n",
		"boltmend: a.db: cannot open the file for writing: read-only file system"+
			"; run as a user who may, or change the file's or folder's mode\n")
	d.exits(0, "repair", "--quiet", "--output", filepath.Join(s.dir, "new.db"), "a.db")
	s.exits(0, "scan", "--quiet", "new.db")
	if d.stamp("a.db") != before {
		t.Error("the file has changed")
	}
}

// TestNoSpaceForALayout: a layout file that does not fit is not left half
// written, and is no fault of the command line.
func TestNoSpaceForALayout(t *testing.T) {
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	disk := s.disk("small", 20)
	disk.fill(0)
	got := s.run("inspect", "--quiet", "--save", "small/x.layout", "a.db")
	if got.code != 3 || !strings.Contains(got.err, "small/x.layout: cannot save the layout: no space left on device; free some space in ") {
		t.Errorf("got %+v", got)
	}
	disk.has("fill")
}
