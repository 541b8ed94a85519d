package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func TestBackupIsTheFile(t *testing.T) {
	path := newDB(t, nil, plain)
	was := snap(t, path)
	w := begin(t, path)
	got, err := w.Backup("")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`/a\.db\.boltmend-\d+\.bak$`).MatchString(filepath.ToSlash(got)) {
		t.Errorf("backup is %s", got)
	}
	if b := snap(t, got); !bytes.Equal(b.bytes, was.bytes) {
		t.Error("backup is not the file")
	}
	wantFiles(t, filepath.Dir(path), "a.db", filepath.Base(got))
	wantUntouched(t, path, was)
	if again, err := w.Backup(""); err != nil || again != got {
		t.Errorf("an equal backup is not used again: %s, %v", again, err)
	}
	checkWithBolt(t, got)
}

func TestBackupRefusesAnotherFile(t *testing.T) {
	path := newDB(t, nil, plain)
	w := begin(t, path)
	got, err := w.Backup("")
	if err != nil {
		t.Fatal(err)
	}
	b := snap(t, got).bytes
	b[w.metas.Meta[w.metas.Live].Root*4096+30] ^= 1
	for _, other := range [][]byte{b, b[:100], nil} {
		if err := os.WriteFile(got, other, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = w.Backup("")
		wantError(t, err, CodeUsage, ErrExists, "another state")
		if now := snap(t, got).bytes; !bytes.Equal(now, other) {
			t.Error("the file in the way was written to")
		}
	}
}

// A run that was killed in its first commit has written pages that were free:
// the backup that it made is still the backup.
func TestBackupIsUsedAgainAfterAKill(t *testing.T) {
	path := newDB(t, nil, plain)
	w := begin(t, path)
	made, err := w.Backup("")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := w.bolt.Begin(false)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	pages := int64(w.metas.Meta[w.metas.Live].Pages)
	free := 0
	for id := int64(2); id < pages+3; id++ {
		if info, err := tx.Page(int(id)); err != nil || info != nil && info.Type != "free" {
			continue
		}
		free++
		if _, err := f.WriteAt(bytes.Repeat([]byte{7}, 4096), id*4096); err != nil {
			t.Fatal(err)
		}
	}
	tx.Rollback()
	f.Close()
	if free < 4 {
		t.Fatalf("only %d pages are free", free)
	}
	if again, err := w.Backup(""); err != nil || again != made {
		t.Errorf("backup is %s, %v", again, err)
	}
}

// Two databases of one name can have their backups in one folder.
func TestBackupFolder(t *testing.T) {
	dir := t.TempDir()
	var all []string
	for range 2 {
		w := begin(t, newDB(t, nil, plain))
		got, err := w.Backup(dir)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^a\.db\.boltmend-\d+-[0-9a-f]{8}\.bak$`).MatchString(filepath.Base(got)) {
			t.Errorf("backup is %s", got)
		}
		all = append(all, got)
	}
	if all[0] == all[1] {
		t.Errorf("both are %s", all[0])
	}
	w := begin(t, newDB(t, nil, plain))
	_, err := w.Backup(filepath.Join(dir, "none"))
	wantError(t, err, CodeIO, ErrIO, "folder")
}

func TestBackupCancelled(t *testing.T) {
	path := newDB(t, nil, many(100, 30_000))
	db, err := Open(path, Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	w, err := db.Begin(ctx, BeginOptions{Progress: func(string, int64, int64) { cancel() }})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if got, err := w.Backup(""); !errors.Is(err, context.Canceled) || got != "" {
		t.Errorf("backup is %q, %v", got, err)
	}
	wantFiles(t, filepath.Dir(path), "a.db")
}

func TestBackupComesFirst(t *testing.T) {
	w := begin(t, newDB(t, nil, plain))
	set(t, w, ApplyOptions{}, "chats", "1", "new")
	_, err := w.Backup("")
	wantError(t, err, CodeUsage, ErrUsage, "before the first change")
}

// What a killed run left is removed by the next one, and nothing else is.
func TestLeftoversAreRemoved(t *testing.T) {
	path := newDB(t, nil, plain)
	dir := filepath.Dir(path)
	for _, name := range []string{
		"a.db.boltmend-2.bak.tmp", "a.db.boltmend-2.journal.tmp",
		"a.db.tmp", "b.db.boltmend-2.bak.tmp", "a.db.boltmend-2.bak", "xa.db.boltmend-2.bak.tmp",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.Mkdir(filepath.Join(dir, "a.db.boltmend-3.tmp"), 0o700)
	begin(t, path)
	wantFiles(t, dir, "a.db", "a.db.boltmend-2.bak", "a.db.boltmend-3.tmp", "a.db.tmp",
		"b.db.boltmend-2.bak.tmp", "xa.db.boltmend-2.bak.tmp")
}

func TestCheckSpaceAsksForAll(t *testing.T) {
	path := newDB(t, nil, func(tx *bolt.Tx) error { return plain(tx) })
	w := begin(t, path)
	if err := w.CheckSpace(Need{Backup: true, Records: 10, OldBytes: 1 << 20, NewBytes: 1 << 20}); err != nil {
		t.Error(err)
	}
	for _, n := range []Need{
		{NewBytes: 1 << 60},
		{OldBytes: 1 << 60},
		{OldBytes: 1 << 60, Journal: filepath.Join(t.TempDir(), "j")},
	} {
		err := w.CheckSpace(n)
		wantError(t, err, CodeNoSpace, ErrNoSpace, "EB here", "free")
	}
	if err := w.CheckSpace(Need{OldBytes: 1 << 60, NoJournal: true}); err != nil {
		t.Errorf("without a journal: %v", err)
	}
	wantFiles(t, filepath.Dir(path), "a.db")
}

func TestInUnits(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 KB", 999949: "999.9 KB", 999950: "1.0 MB", 1 << 60: "1.2 EB",
	} {
		if got := inUnits(n); got != want {
			t.Errorf("inUnits(%d) = %q, want %q", n, got, want)
		}
	}
}
