package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// undoAll undoes a journal and compares the counts.
func undoAll(t *testing.T, journal string, want UndoResult) UndoResult {
	t.Helper()
	told := UndoResult{}
	got, err := Undo(ctx, journal, "", UndoOptions{}, func(_, state string) { told.count(state) })
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []UndoResult{got, told} {
		if r.Restored != want.Restored || r.Done != want.Done || r.Left != want.Left {
			t.Errorf("undo restored %d, found done %d, left %d, want %d, %d, %d",
				r.Restored, r.Done, r.Left, want.Restored, want.Done, want.Left)
		}
	}
	return got
}

// repaired is a database with three values in upper case, and its journal.
func repaired(t *testing.T) (path, journal, before string) {
	t.Helper()
	path = newDB(t, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "1", "one", "2", "two", "3", "three") })
	before = dump(t, path)
	w := begin(t, path)
	res, err := w.Apply(ctx, ApplyOptions{BatchBytes: 1}, records("b", "1", "2", "3"), upper, nil)
	if err != nil || res.Changed != 3 || res.Batches != 3 {
		t.Fatalf("applied %+v, %v", res, err)
	}
	w.Close()
	return path, res.Journal, before
}

func TestUndoLeavesWhatTheAppWrote(t *testing.T) {
	path, journal, _ := repaired(t)
	update(t, path, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "2", "TWO and more", "4", "four") })
	var told []string
	res, err := Undo(ctx, journal, "", UndoOptions{}, func(ref, state string) { told = append(told, ref+" "+state) })
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"b/3 restored", "b/2 left", "b/1 restored"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if res.Restored != 2 || res.Left != 1 {
		t.Errorf("undo %+v", res)
	}
	want := "\"b\" seq 0\n  \"1\" = \"one\"\n  \"2\" = \"TWO and more\"\n  \"3\" = \"three\"\n  \"4\" = \"four\"\n"
	if got := dump(t, path); got != want {
		t.Errorf("the database holds\n%s\nwant\n%s", got, want)
	}
	undoAll(t, journal, UndoResult{Done: 2, Left: 1})
}

func TestUndoOnly(t *testing.T) {
	path, journal, _ := repaired(t)
	_, err := Undo(ctx, journal, "", UndoOptions{Only: []string{"b/2", "b/9"}}, nil)
	wantError(t, err, CodeUsage, ErrUsage, "b/9")
	res, err := Undo(ctx, journal, "", UndoOptions{Only: []string{"b/2"}}, nil)
	if err != nil || res.Restored != 1 || res.Done != 0 {
		t.Errorf("undo %+v, %v", res, err)
	}
	if got := dump(t, path); !strings.Contains(got, `"two"`) || !strings.Contains(got, `"ONE"`) {
		t.Errorf("the database holds\n%s", got)
	}
}

func TestUndoDryRun(t *testing.T) {
	path, journal, _ := repaired(t)
	was := snap(t, path)
	before := files(t, filepath.Dir(path))
	res, err := Undo(ctx, journal, "", UndoOptions{DryRun: true}, nil)
	if err != nil || res.Restored != 3 || res.Applied.Journal != "" {
		t.Errorf("undo %+v, %v", res, err)
	}
	wantUntouched(t, path, was)
	wantFiles(t, filepath.Dir(path), before...)
}

// An undo with nothing left to restore does not touch the file.
func TestUndoTwiceLeavesTheFile(t *testing.T) {
	path, journal, before := repaired(t)
	undoAll(t, journal, UndoResult{Restored: 3})
	if dump(t, path) != before {
		t.Error("not as before")
	}
	was := snap(t, path)
	all := files(t, filepath.Dir(path))
	undoAll(t, journal, UndoResult{Done: 3})
	wantUntouched(t, path, was)
	wantFiles(t, filepath.Dir(path), all...)
}

func TestUndoInAnotherPlace(t *testing.T) {
	path, journal, before := repaired(t)
	moved := filepath.Join(t.TempDir(), "moved.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(moved, b, 0o600); err != nil {
		t.Fatal(err)
	}
	// A copy holds every record.
	if res, err := Undo(ctx, journal, moved, UndoOptions{}, nil); err != nil || res.Restored != 3 {
		t.Errorf("undo %+v, %v", res, err)
	}
	if dump(t, moved) != before {
		t.Error("not as before")
	}
	// Another database does not.
	other := newDB(t, nil, plain)
	was := snap(t, other)
	_, err = Undo(ctx, journal, other, UndoOptions{}, nil)
	wantError(t, err, CodeUsage, ErrUsage, "another database")
	wantUntouched(t, other, was)
	// One that only lacks a record is not believed either.
	update(t, moved, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "1", "x") })
	_, err = Undo(ctx, journal, moved, UndoOptions{}, nil)
	wantError(t, err, CodeUsage, ErrUsage, "b/1")
}

// A database that was renamed is known by its inode, whatever it holds.
func TestUndoAfterARename(t *testing.T) {
	path, journal, _ := repaired(t)
	update(t, path, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "1", "x") })
	moved := path + ".moved"
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	_, err := Undo(ctx, journal, "", UndoOptions{}, nil)
	wantError(t, err, CodeNotDatabase, ErrNotDatabase, "no such file")
	if res, err := Undo(ctx, journal, moved, UndoOptions{}, nil); err != nil || res.Restored != 2 || res.Left != 1 {
		t.Errorf("undo %+v, %v", res, err)
	}
	if err := os.Rename(moved, path); err != nil {
		t.Fatal(err)
	}
}

// A bucket's sequence is put back only if nobody raised it since.
func TestUndoOfSequences(t *testing.T) {
	for _, raised := range []bool{false, true} {
		t.Run(fmt.Sprint(raised), func(t *testing.T) {
			path := newDB(t, nil, plain)
			w := begin(t, path)
			res, err := w.Apply(ctx, ApplyOptions{}, records("chats", "1", "2"), func(r Reader, rec Record) (Edits, error) {
				e, _ := upper(r, rec)
				seq, _ := r.Sequence(rec.Bucket)
				e.Sequences = []SequenceEdit{{Bucket: rec.Bucket, Old: seq, New: seq + 5}}
				return e, nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			w.Close()
			want := uint64(0)
			if raised {
				want = 11
				update(t, path, nil, func(tx *bolt.Tx) error {
					_, err := tx.Bucket([]byte("chats")).NextSequence()
					return err
				})
			}
			undoAll(t, res.Journal, UndoResult{Restored: 2})
			db := open(t, path)
			v, _ := db.View()
			defer v.Close()
			if seq, _ := v.Sequence(names("chats")); seq != want {
				t.Errorf("sequence is %d, want %d", seq, want)
			}
		})
	}
}

// Where the app has deleted the bucket, or put one in a row's place, the
// record is left.
func TestUndoWithoutTheBucket(t *testing.T) {
	for name, app := range map[string]func(tx *bolt.Tx) error{
		"deleted": func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte("b")) },
		"nested": func(tx *bolt.Tx) error {
			_, err := tx.Bucket([]byte("b")).CreateBucket([]byte("1"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newDB(t, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "1", "one") })
			w := begin(t, path)
			res, err := w.Apply(ctx, ApplyOptions{}, records("b", "1"), func(r Reader, rec Record) (Edits, error) {
				v, _ := r.Get(rec.Bucket, rec.Key)
				return Edits{Rows: []RowEdit{{Bucket: rec.Bucket, Key: rec.Key, Old: v}}}, nil
			}, nil)
			if err != nil || res.Changed != 1 {
				t.Fatalf("applied %+v, %v", res, err)
			}
			w.Close()
			update(t, path, nil, app)
			undoAll(t, res.Journal, UndoResult{Left: 1})
		})
	}
}
