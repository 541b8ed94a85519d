package store

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// mended makes a database, backs it up and changes all of it in some
// batches, as a repair does.
func mended(t *testing.T) (path string, before []byte, res Applied, backup string) {
	t.Helper()
	path = newDB(t, nil, many(6, 1500))
	before = snap(t, path).bytes
	res, backup = repairAgain(t, path, upper, keys(6)...)
	return path, before, res, backup
}

func repairAgain(t *testing.T, path string, edit func(Reader, Record) (Edits, error), keys ...string) (res Applied, backup string) {
	t.Helper()
	w := begin(t, path)
	backup, err := w.Backup("")
	if err != nil {
		t.Fatal(err)
	}
	res, err = w.Apply(ctx, ApplyOptions{Backup: backup, BatchBytes: 6000}, records("b", keys...), edit, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return res, backup
}

// restore restores, and wants the file to be as it was.
func restore(t *testing.T, backup, path string, o RestoreOptions, want []byte) RestoreResult {
	t.Helper()
	res, err := Restore(ctx, backup, path, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(snap(t, path).bytes, want) {
		t.Fatal("the file is not as it was")
	}
	return res
}

// wantRefused wants a restore to be refused, and nothing to change.
func wantRefused(t *testing.T, backup, path string, o RestoreOptions, code string, sentinel error, words ...string) {
	t.Helper()
	was, list := snap(t, path), files(t, filepath.Dir(path))
	_, err := Restore(ctx, backup, path, o)
	wantError(t, err, code, sentinel, words...)
	wantUntouched(t, path, was)
	wantFiles(t, filepath.Dir(path), list...)
}

func TestRestore(t *testing.T) {
	path, before, applied, backup := mended(t)
	after := snap(t, path)
	res, err := Restore(ctx, backup, path, RestoreOptions{DryRun: true})
	if err != nil || !res.Restored || res.Backup+res.Journal != "" {
		t.Errorf("dry run: %+v, %v", res, err)
	}
	wantUntouched(t, path, after)
	if applied.Batches != 3 {
		t.Fatalf("%d batches", applied.Batches)
	}
	res = restore(t, backup, path, RestoreOptions{}, before)
	if !res.Restored || res.Resumed || res.Database != path || filepath.Base(res.Backup) != "a.db.boltmend-5.bak" {
		t.Errorf("result is %+v", res)
	}
	if !bytes.Equal(snap(t, res.Backup).bytes, after.bytes) {
		t.Error("the backup is not what the file was")
	}
	wantFiles(t, filepath.Dir(path), "a.db", "a.db.boltmend-2.bak", "a.db.boltmend-2.journal", "a.db.boltmend-5.bak", "a.db.boltmend-5.journal")

	// Once more there is nothing to do.
	was := snap(t, path)
	again, err := Restore(ctx, backup, path, RestoreOptions{})
	if err != nil || again.Restored || again.Backup != "" {
		t.Errorf("second time: %+v, %v", again, err)
	}
	wantUntouched(t, path, was)

	// And it can be taken back, and that too.
	res = restore(t, res.Backup, path, RestoreOptions{}, after.bytes)
	if res.Backup != backup {
		t.Errorf("the backup that was there is not used again, but %s", res.Backup)
	}
	restore(t, backup, path, RestoreOptions{}, before)
	if res, err := Undo(ctx, applied.Journal, "", UndoOptions{}, nil); err != nil || res.Done != 6 {
		t.Errorf("undo of what was restored: %+v, %v", res, err)
	}
}

// An undo and a second repair are our own: what they wrote is not lost, since
// it can be had again.
func TestRestoreOverSeveralJournals(t *testing.T) {
	path := newDB(t, nil, many(6, 1500))
	before := snap(t, path).bytes
	_, backup := repairAgain(t, path, upper, keys(3)...) // was ended early
	middle := snap(t, path).bytes
	second, later := repairAgain(t, path, upper, keys(6)...)
	if _, err := Undo(ctx, second.Journal, "", UndoOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	restore(t, later, path, RestoreOptions{}, middle)
	restore(t, backup, path, RestoreOptions{}, before)
	// A backup of the app's own state is not reached over what the app wrote.
	update(t, path, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "new", "mine") })
	_, last := repairAgain(t, path, upper, keys(6)...)
	wantRefused(t, backup, path, RestoreOptions{}, CodeRefused, ErrRefused, "the app has written since", "--force")
	res, err := Restore(ctx, last, path, RestoreOptions{})
	if err != nil || !res.Restored {
		t.Fatalf("%+v, %v", res, err)
	}
	if !strings.Contains(dump(t, path), `"new" = "mine"`) {
		t.Error("what the app wrote is gone")
	}
}

// scribble writes over a file.
func scribble(t *testing.T, path string, off int64, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt([]byte(text), off)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What a backup is for: the pages are broken, or both metas are.
func TestRestoreOfADamagedDatabase(t *testing.T) {
	path, before, _, backup := mended(t)
	for id := int64(2); id*4096 < int64(len(before)); id++ {
		scribble(t, path, id*4096+8, "\xff\xff")
	}
	broken := snap(t, path).bytes
	res := restore(t, backup, path, RestoreOptions{}, before)
	if !bytes.Equal(snap(t, res.Backup).bytes, broken) {
		t.Error("the backup is not what the file was")
	}
	scribble(t, path, 16, "not a meta")
	scribble(t, path, 4096+16, "not a meta")
	wantRefused(t, backup, path, RestoreOptions{}, CodeRefused, ErrRefused, "neither of its metas counts")
	res = restore(t, backup, path, RestoreOptions{Force: true}, before)
	if filepath.Base(res.Backup) != "a.db.boltmend-0.bak" {
		t.Errorf("backed up to %s", res.Backup)
	}
}

// A file that was cut short, or has grown, gets its length back.
func TestRestoreOfAnotherLength(t *testing.T) {
	path, before, _, backup := mended(t)
	for _, size := range []int64{3 * 4096, 100, int64(len(before)) + 1<<20} {
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		restore(t, backup, path, RestoreOptions{Force: true}, before)
	}
}

// Metas of which nothing is left are what a cut off restore leaves.
func TestRestoreGoesOn(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		path, before, _, backup := mended(t)
		after := snap(t, path).bytes
		o := RestoreOptions{BackupDir: dir}
		first := restore(t, backup, path, o, before)
		list := files(t, filepath.Dir(path))
		scribble(t, path, 0, strings.Repeat("\x00", 2*4096))
		_, err := Open(path, Options{})
		wantError(t, err, CodeNotDatabase, ErrNotDatabase, "a restore was cut off")
		res := restore(t, backup, path, o, before)
		if !res.Resumed || res.Backup+res.Journal != "" {
			t.Errorf("result is %+v", res)
		}
		wantFiles(t, filepath.Dir(path), list...)
		// Or it is taken back.
		scribble(t, path, 0, strings.Repeat("\x00", 2*4096))
		if res = restore(t, first.Backup, path, o, after); !res.Resumed || res.Backup != "" {
			t.Errorf("taken back: %+v", res)
		}
	}
}

// Where no restore was begun, or a repair came after it, empty metas are damage
// to a file that may hold what the app wrote.
func TestRestoreOfAnEmptyHead(t *testing.T) {
	path, before, _, backup := mended(t)
	update(t, path, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "new", "mine") })
	scribble(t, path, 0, strings.Repeat("\x00", 2*4096))
	broken := snap(t, path).bytes
	wantRefused(t, backup, path, RestoreOptions{}, CodeRefused, ErrRefused, "no journal tells of a restore", "--force")
	wantRefused(t, backup, path, RestoreOptions{DryRun: true}, CodeRefused, ErrRefused, "no journal tells of a restore")
	res := restore(t, backup, path, RestoreOptions{Force: true}, before)
	if res.Resumed || !bytes.Equal(snap(t, res.Backup).bytes, broken) {
		t.Errorf("result is %+v", res)
	}
	_, again := repairAgain(t, path, upper, keys(6)...)
	scribble(t, path, 0, strings.Repeat("\x00", 2*4096))
	wantRefused(t, again, path, RestoreOptions{}, CodeRefused, ErrRefused, "no journal tells of a restore")
	restore(t, again, path, RestoreOptions{Force: true}, snap(t, again).bytes)
}

// Other states of one transaction have names of their own.
func TestRestoreKeepsEveryBackup(t *testing.T) {
	path, before, _, backup := mended(t)
	for i, want := range []string{"8-2.bak", "5.bak", "5-2.bak"} {
		value := strings.Repeat("x", i+1)
		for range 3 {
			update(t, path, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "new", value) })
		}
		if i == 0 {
			if err := os.Mkdir(path+".boltmend-8.bak", 0o700); err != nil { // in the way
				t.Fatal(err)
			}
		}
		res := restore(t, backup, path, RestoreOptions{Force: true}, before)
		if got := filepath.Base(res.Backup); got != "a.db.boltmend-"+want {
			t.Errorf("backup %d is %s, want %s", i, got, want)
		}
		if !IsBackup(res.Backup) {
			t.Errorf("%s is not known as a backup", res.Backup)
		}
	}
}

// The whole file is copied, holes stay, and no name is followed.
func TestRestoreThroughALink(t *testing.T) {
	path, before, _, backup := mended(t)
	dir := t.TempDir()
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	res := restore(t, backup, link, RestoreOptions{}, before)
	if res.Database != path || filepath.Dir(res.Backup) != filepath.Dir(path) {
		t.Errorf("result is %+v", res)
	}
	wantFiles(t, dir, "link.db")
}

func TestUndoOfARestoreSaysHow(t *testing.T) {
	path, before, _, backup := mended(t)
	res := restore(t, backup, path, RestoreOptions{}, before)
	_, err := Undo(ctx, res.Journal, "", UndoOptions{}, nil)
	wantError(t, err, CodeUsage, ErrUsage, "boltmend restore", res.Backup)
}

func TestRestoreStops(t *testing.T) {
	path, _, _, backup := mended(t)
	was := snap(t, path)
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, err := Restore(done, backup, path, RestoreOptions{})
	if !isContext(err) {
		t.Errorf("error is %v", err)
	}
	wantUntouched(t, path, was)
}
