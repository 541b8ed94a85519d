package store

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What was never committed by is replaced; what may be wanted is kept, and the
// next name taken.
func TestJournalInTheWay(t *testing.T) {
	path := newDB(t, nil, many(3, 100))
	first := snap(t, path)
	w := begin(t, path)
	res, err := w.Apply(ctx, ApplyOptions{BatchBytes: 1}, records("b", keys(3)...), upper, nil)
	if err != nil || res.Batches != 3 {
		t.Fatalf("applied %+v, %v", res, err)
	}
	w.Close()
	whole := snap(t, res.Journal).bytes
	lines := bytes.SplitAfter(whole, []byte("\n"))
	batch1 := bytes.Index(whole, []byte(`"type":"batch"`))
	batch1 += bytes.IndexByte(whole[batch1:], '\n') + 1
	for _, c := range []struct {
		name  string
		text  []byte
		taken bool
	}{
		{"header only", lines[0], true},
		{"half a batch", whole[:batch1-10], true},
		{"one batch", whole[:batch1], true},
		{"two batches", bytes.Join(lines[:len(lines)-2], nil), false},
		{"complete", whole, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The backup was restored: the metas are those of the header.
			if err := os.WriteFile(path, first.bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(res.Journal, c.text, 0o600); err != nil {
				t.Fatal(err)
			}
			w := begin(t, path)
			again := set(t, w, ApplyOptions{}, "b", key(0), "new")
			w.Close()
			if taken := again.Journal == res.Journal; taken != c.taken {
				t.Errorf("journal is %s", again.Journal)
			}
			if now := snap(t, res.Journal).bytes; !c.taken && !bytes.Equal(now, c.text) {
				t.Error("the journal in the way was written to")
			}
			if !c.taken {
				if err := os.Remove(again.Journal); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Run("named", func(t *testing.T) {
		os.WriteFile(path, first.bytes, 0o600)
		os.WriteFile(res.Journal, whole, 0o600)
		was := snap(t, path)
		_, err := begin(t, path).Apply(ctx, ApplyOptions{Journal: res.Journal}, records("b", key(0)), upper, nil)
		wantError(t, err, CodeUsage, ErrExists, "name another")
		wantUntouched(t, path, was)
	})
	t.Run("no journal", func(t *testing.T) {
		os.WriteFile(path, first.bytes, 0o600)
		os.WriteFile(res.Journal, []byte("notes\n"), 0o600)
		was := snap(t, path)
		_, err := begin(t, path).Apply(ctx, ApplyOptions{}, records("b", key(0)), upper, nil)
		wantError(t, err, CodeUsage, ErrExists, "move it away")
		wantUntouched(t, path, was)
		if now := snap(t, res.Journal).bytes; string(now) != "notes\n" {
			t.Error("the file in the way was written to")
		}
	})
}

func TestJournalInAnotherFolder(t *testing.T) {
	path := newDB(t, nil, many(3, 100))
	dir := t.TempDir()
	name := filepath.Join(dir, "my.journal")
	res := set(t, begin(t, path), ApplyOptions{Journal: name}, "b", key(0), "new")
	if res.Journal != name {
		t.Errorf("journal is %s", res.Journal)
	}
	wantFiles(t, dir, "my.journal")
	wantFiles(t, filepath.Dir(path), "a.db")
}

func TestJournalsNewestFirst(t *testing.T) {
	path := newDB(t, nil, plain)
	dir := filepath.Dir(path)
	for _, n := range []string{
		"a.db.boltmend-9.journal", "a.db.boltmend-10.journal", "a.db.boltmend-10-2.journal", "a.db.boltmend-100.journal",
		"a.db.boltmend-x.journal", "a.db.boltmend-1.journal.tmp", "b.db.boltmend-7.journal", "a.db.boltmend-1.bak",
	} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Journals(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] = filepath.Base(got[i])
	}
	want := []string{"a.db.boltmend-100.journal", "a.db.boltmend-10-2.journal", "a.db.boltmend-10.journal", "a.db.boltmend-9.journal"}
	if !slices.Equal(got, want) {
		t.Errorf("journals are %q, want %q", got, want)
	}
}
