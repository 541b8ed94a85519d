package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func TestRestoreRefusesWhatTheAppWrote(t *testing.T) {
	path, before, _, backup := mended(t)
	update(t, path, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "new", "mine") })
	wantRefused(t, backup, path, RestoreOptions{}, CodeRefused, ErrRefused, "the app has written since", "--force", "undo")
	wantRefused(t, backup, path, RestoreOptions{DryRun: true}, CodeRefused, ErrRefused, "the app has written since")
	res := restore(t, backup, path, RestoreOptions{Force: true}, before)
	if !strings.Contains(dump(t, res.Backup), `"new" = "mine"`) {
		t.Error("the backup does not have what the app wrote")
	}
}

// The app may have had the transaction that the journal promised to a batch
// that was never committed: the number alone proves nothing.
func TestRestoreRefusesAnothersTransaction(t *testing.T) {
	path, before, res, backup := mended(t)
	if err := os.WriteFile(path, before, 0o600); err != nil {
		t.Fatal(err)
	}
	for id := res.FirstTx; id <= res.LastTx; id++ {
		update(t, path, nil, func(tx *bolt.Tx) error {
			if uint64(tx.ID()) != id {
				t.Fatalf("transaction %d instead of %d", tx.ID(), id)
			}
			return put(tx, names("b"), "new", "mine")
		})
		wantRefused(t, backup, path, RestoreOptions{}, CodeRefused, ErrRefused, "the app has written since")
	}
}

func TestRestoreRefusesAForeignBackup(t *testing.T) {
	path, before, _, backup := mended(t)
	other, _, _, _ := mended(t)
	dir := t.TempDir()
	place := func(name, from string) string {
		to := filepath.Join(dir, name)
		b, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return to
	}
	update(t, other, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "x", "y") })
	_, foreign := repairAgain(t, other, upper, keys(1)...)
	wantRefused(t, foreign, path, RestoreOptions{}, CodeRefused, ErrRefused, "named in none")
	wantRefused(t, foreign, path, RestoreOptions{Force: true}, CodeRefused, ErrRefused, "named in none")
	wantRefused(t, place("a.db.boltmend-2.bak", foreign), path, RestoreOptions{}, CodeRefused, ErrRefused, "another state")
	wantRefused(t, place("mine.bak", backup), path, RestoreOptions{}, CodeRefused, ErrRefused, "named in none")
	wantRefused(t, path, path, RestoreOptions{}, CodeUsage, ErrUsage, "one file")
	wantRefused(t, place("x", path), newDB(t, nil, plain), RestoreOptions{}, CodeRefused, ErrRefused, "no journal")
	// That it was moved does not matter.
	restore(t, place("a.db.boltmend-2.bak", backup), path, RestoreOptions{}, before)
}

func TestRestoreWithAJournalElsewhere(t *testing.T) {
	path, before, res, backup := mended(t)
	dir := t.TempDir()
	journal := filepath.Join(dir, "my.journal")
	if err := os.Rename(res.Journal, journal); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, backup, path, RestoreOptions{}, CodeRefused, ErrRefused, "no journal")
	wantRefused(t, backup, path, RestoreOptions{Journal: dir + "/x"}, CodeUsage, ErrUsage, "no such file")
	got := restore(t, backup, path, RestoreOptions{Journal: journal, BackupDir: dir}, before)
	if filepath.Dir(got.Backup) != dir || filepath.Dir(got.Journal) != dir {
		t.Errorf("result is %+v", got)
	}
	restore(t, got.Backup, path, RestoreOptions{Journal: journal}, snap(t, got.Backup).bytes)
	other, _, _, foreign := mended(t)
	wantRefused(t, foreign, other, RestoreOptions{Journal: journal}, CodeUsage, ErrUsage, "another database")
}

func TestRestoreRefusesADamagedBackup(t *testing.T) {
	path, _, _, backup := mended(t)
	for id := int64(2); id < 6; id++ {
		scribble(t, backup, id*4096+8, "\xff\xff")
	}
	wantRefused(t, backup, path, RestoreOptions{Force: true}, CodeDamaged, ErrDamaged, "cannot be restored from")
	if err := os.Truncate(backup, 5000); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, backup, path, RestoreOptions{}, CodeDamaged, ErrDamaged)
	wantRefused(t, filepath.Dir(path), path, RestoreOptions{}, CodeNotDatabase, ErrNotDatabase, "directory")
	wantRefused(t, path+".x", path, RestoreOptions{}, CodeNotDatabase, ErrNotDatabase, "no such file")
}

// A restore that was cut off between its last two writes has left the backup's
// state with one meta: there is nothing to keep, and nothing to refuse, whatever
// the journals say.
func TestRestoreGoesOnNearItsEnd(t *testing.T) {
	path, before, res, backup := mended(t)
	if err := os.Truncate(res.Journal, snapSize(t, res.Journal)-20); err != nil { // its run was killed
		t.Fatal(err)
	}
	if err := os.WriteFile(path, before, 0o600); err != nil {
		t.Fatal(err)
	}
	w := begin(t, path)
	older := int64(1-w.metas.Live) * 4096
	w.Close()
	scribble(t, path, older, strings.Repeat("\x00", 4096))
	got := restore(t, backup, path, RestoreOptions{}, before)
	if !got.Restored || got.Resumed || got.Backup != "" {
		t.Errorf("result is %+v", got)
	}
	wantFiles(t, filepath.Dir(path), "a.db", filepath.Base(backup), filepath.Base(res.Journal))
}

func snapSize(t *testing.T, path string) int64 { return int64(len(snap(t, path).bytes)) }

// A repair that was killed behind its last commit has left a journal without an
// end: the records tell that the batch is there.
func TestRestoreAfterAKilledRepair(t *testing.T) {
	path, before, res, backup := mended(t)
	if err := os.Truncate(res.Journal, snapSize(t, res.Journal)-20); err != nil {
		t.Fatal(err)
	}
	after := snap(t, path).bytes
	got := restore(t, backup, path, RestoreOptions{}, before)
	restore(t, got.Backup, path, RestoreOptions{}, after)
	restore(t, backup, path, RestoreOptions{}, before)
}
