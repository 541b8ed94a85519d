//go:build unix

package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

func TestBackupThroughNoLink(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"link to a file":  func(p string) error { return os.Symlink("victim", p) },
		"link to nothing": func(p string) error { return os.Symlink("nothing", p) },
		"pipe":            func(p string) error { return unix.Mkfifo(p, 0o666) },
		"folder":          func(p string) error { return os.Mkdir(p, 0o777) },
	} {
		for _, end := range []string{"", tempEnd} {
			t.Run(name+end, func(t *testing.T) {
				w := begin(t, newDB(t, nil, plain))
				path, err := backupPath(w.id, "", 1)
				if err != nil {
					t.Fatal(err)
				}
				victim := filepath.Join(filepath.Dir(path), "victim")
				if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := plant(path + end); err != nil {
					t.Fatal(err)
				}
				_, err = w.Backup("")
				wantError(t, err, CodeUsage, ErrExists, "move it away")
				if b, _ := os.ReadFile(victim); string(b) != "precious" {
					t.Errorf("the link's target holds %q", b)
				}
				if _, err := os.Lstat(path + end); err != nil {
					t.Errorf("what was planted is gone: %v", err)
				}
			})
		}
	}
}

func TestBackupKeepsTheMode(t *testing.T) {
	old := unix.Umask(0o077)
	defer unix.Umask(old)
	for _, mode := range []os.FileMode{0o600, 0o640, 0o664} {
		path := newDB(t, nil, plain)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		w := begin(t, path)
		got, err := w.Backup("")
		if err != nil {
			t.Fatal(err)
		}
		st, err := os.Stat(got)
		if err != nil {
			t.Fatal(err)
		}
		if st.Mode().Perm() != mode {
			t.Errorf("mode is %v, want %v", st.Mode(), mode)
		}
	}
}

func TestBackupKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	path := newDB(t, nil, plain)
	if err := os.Chown(path, 65534, 65533); err != nil {
		t.Skip(err)
	}
	got, err := begin(t, path).Backup("")
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(got)
	if err != nil {
		t.Fatal(err)
	}
	if sys := st.Sys().(*syscall.Stat_t); sys.Uid != 65534 || sys.Gid != 65533 {
		t.Errorf("owner is %d:%d", sys.Uid, sys.Gid)
	}
}

func TestBackupOfAnotherUserIsNotTrusted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	w := begin(t, newDB(t, nil, plain))
	got, err := w.Backup("")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(got, 65534, 65534); err != nil {
		t.Skip(err)
	}
	_, err = w.Backup("")
	wantError(t, err, CodeUsage, ErrExists, "another user")
}

// Holes are neither copied nor asked room for.
func TestBackupOfASparseFile(t *testing.T) {
	path := newDB(t, nil, plain)
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err)
	}
	w := begin(t, path)
	if n := w.backupBytes(); n > 1<<20 {
		t.Errorf("a backup would take %d bytes", n)
	}
	got, err := w.Backup("")
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(got)
	if err != nil {
		t.Fatal(err)
	}
	if st.Size() != 1<<40 || allocated(st) > 1<<20 {
		t.Errorf("backup has %d bytes, %d on disk", st.Size(), allocated(st))
	}
	if _, err := w.Backup(""); err != nil {
		t.Errorf("second time: %v", err)
	}
	w.Close()
	os.Truncate(path, 1<<16)
}

// limitChild backs up and applies with files bounded to so many bytes.
func limitChild(args []string) error {
	db, err := Open(args[0], Options{Write: true})
	if err != nil {
		return err
	}
	w, err := db.Begin(ctx, BeginOptions{})
	if err != nil {
		return err
	}
	st, err := os.Stat(args[0])
	if err != nil {
		return err
	}
	if err := limitFiles(st.Size() / 2); err != nil {
		return err
	}
	_, err = w.Backup("")
	os.Stdout.WriteString(asError(err).Code + "\n")
	return w.Close()
}

// A disk that fills up in the middle leaves no half backup.
func TestBackupOnAFullDisk(t *testing.T) {
	path := newDB(t, nil, plain)
	was := snap(t, path)
	out, err := child("limit", path).Output()
	if err != nil {
		t.Skip("cannot limit files: ", err)
	}
	if strings.TrimSpace(string(out)) != CodeNoSpace {
		t.Errorf("code is %q", out)
	}
	wantUntouched(t, path, was)
	wantFiles(t, filepath.Dir(path), "a.db")
}

// mountTmpfs mounts a small file system, or skips the test.
func mountTmpfs(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := mount(dir, size); err != nil {
		t.Skip("cannot mount a small file system: ", err)
	}
	t.Cleanup(func() { unmount(dir) })
	return dir
}

func TestNoSpaceForABackup(t *testing.T) {
	dir := mountTmpfs(t, "64k")
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		return put(tx, names("b"), "k", strings.Repeat("x", 1<<18))
	})
	w := begin(t, path)
	wantError(t, w.CheckSpace(Need{Backup: true, BackupDir: dir}), CodeNoSpace, ErrNoSpace, "free some space")
	_, err := w.Backup(dir)
	wantError(t, err, CodeNoSpace, ErrNoSpace)
	wantFiles(t, dir)
}

func TestReadOnlyFolder(t *testing.T) {
	dir := mountTmpfs(t, "1m")
	if err := remountReadOnly(dir); err != nil {
		t.Skip(err)
	}
	w := begin(t, newDB(t, nil, plain))
	wantError(t, w.CheckSpace(Need{Backup: true, BackupDir: dir}), CodePermission, ErrPermission)
	_, err := w.Backup(dir)
	wantError(t, err, CodePermission, ErrPermission)
}

// Where hard links are not possible the name is reserved and renamed over;
// where they are, nothing is ever replaced either.
func TestPlaceNeverReplaces(t *testing.T) {
	dir := t.TempDir()
	temp, final := filepath.Join(dir, "temp"), filepath.Join(dir, "final")
	os.WriteFile(temp, []byte("new"), 0o600)
	os.WriteFile(final, []byte("old"), 0o600)
	if err := place(temp, final); !os.IsExist(err) {
		t.Errorf("error is %v", err)
	}
	if b, _ := os.ReadFile(final); string(b) != "old" {
		t.Errorf("file holds %q", b)
	}
	if err := reserve(temp, final); !os.IsExist(err) {
		t.Errorf("error is %v", err)
	}
	os.Remove(final)
	if err := reserve(temp, final); err != nil {
		t.Error(err)
	}
	wantFiles(t, dir, "final")
}

// A full disk in the middle of a batch: the batch is not there, the rest is
// whole, and there is something to undo by.
func TestApplyOnAFullDisk(t *testing.T) {
	dir := mountTmpfs(t, "600k")
	path := filepath.Join(dir, "a.db")
	update(t, path, nil, many(40, 1000))
	w := begin(t, path)
	res, err := w.Apply(ctx, ApplyOptions{BatchBytes: 50_000}, records("b", keys(40)...), func(r Reader, rec Record) (Edits, error) {
		e, err := upper(r, rec)
		e.Rows[0].New = bytes.Repeat(e.Rows[0].New, 20)
		return e, err
	}, nil)
	wantError(t, err, CodeNoSpace, ErrNoSpace, "free some space")
	if res.Changed == 0 || res.Changed == 40 {
		t.Fatalf("applied %+v", res)
	}
	w.Close()
	checkWithBolt(t, path)
	v := view(t, path)
	changed := 0
	v.Walk(func(it Item) error {
		switch len(it.Value) {
		case 20_000:
			changed++
		case 1000:
		default:
			t.Errorf("value %s has %d bytes", it.Key, len(it.Value))
		}
		return nil
	}, nil)
	if changed != res.Changed {
		t.Errorf("%d records changed, told %d", changed, res.Changed)
	}
	j := journal(t, res.Journal)
	if n := len(all(t, j)); n < changed {
		t.Errorf("the journal has %d records", n)
	}
}

// An access list is not copied, so the copy is for its owner alone: the
// group's bits of the mode were the list's mask.
func TestBackupOfAFileWithAnAccessList(t *testing.T) {
	path := newDB(t, nil, plain)
	if err := giveACL(path); err != nil {
		t.Skip("no access lists here: ", err)
	}
	w := begin(t, path)
	got, err := w.Backup("")
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(got)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v, %v", st.Mode(), err)
	}
	if len(w.Warnings()) != 1 || !strings.Contains(w.Warnings()[0], "access list") {
		t.Errorf("warnings are %q", w.Warnings())
	}
}
