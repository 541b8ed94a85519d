package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// many is a bucket of n values of that size.
func many(n, size int) func(tx *bolt.Tx) error {
	return func(tx *bolt.Tx) error {
		var pairs []string
		for i := range n {
			pairs = append(pairs, key(i), strings.Repeat(string(rune('a'+i%26)), size))
		}
		return put(tx, names("b"), pairs...)
	}
}

func key(i int) string { return fmt.Sprintf("k%05d", i) }

func keys(n int) []string {
	var out []string
	for i := range n {
		out = append(out, key(i))
	}
	return out
}

func TestApplyInBatches(t *testing.T) {
	path := newDB(t, nil, many(20, 1000))
	before := dump(t, path)
	w := begin(t, path)
	from := w.TxID()
	var order []string
	res, err := w.Apply(ctx, ApplyOptions{BatchBytes: 10000}, records("b", keys(20)...), upper,
		func(r Record, o Outcome) {
			if o != Changed {
				t.Errorf("%s is %v", r.Ref, o)
			}
			order = append(order, string(r.Key))
		})
	if err != nil {
		t.Fatal(err)
	}
	if res.Batches != 5 || res.Changed != 20 || res.Rows != 20 || res.OldBytes != 20000 || res.NewBytes != 20000 ||
		res.FirstTx != from+1 || res.LastTx != from+5 || res.Cut {
		t.Errorf("applied %+v from transaction %d", res, from)
	}
	if !slices.Equal(order, keys(20)) {
		t.Errorf("told in order %q", order)
	}
	if err := w.Check(ctx); err != nil {
		t.Error(err)
	}
	w.Close()
	if got, want := dump(t, path), strings.ToUpper(before); strings.ToUpper(got) != want || got == before {
		t.Error("the database holds something else")
	}
	j := journal(t, res.Journal)
	if !j.Complete || j.Cut || len(j.Batches) != 5 || j.Batches[4].TxID != res.LastTx {
		t.Errorf("journal %+v", j)
	}
	st, err := os.Stat(res.Journal)
	if err != nil || st.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("journal has mode %v, %v", st.Mode(), err)
	}
	wantFiles(t, filepath.Dir(path), "a.db", fmt.Sprintf("a.db.boltmend-%d.journal", from))
}

func journal(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := ReadJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// The reader sees the state before the batch, but the sequences that earlier
// records leave.
func TestReaderInsideABatch(t *testing.T) {
	path := newDB(t, nil, plain)
	w := begin(t, path)
	var seen []uint64
	res, err := w.Apply(ctx, ApplyOptions{}, records("chats", "1", "2", "3"), func(r Reader, rec Record) (Edits, error) {
		seq, ok := r.Sequence(rec.Bucket)
		if !ok {
			t.Error("no sequence")
		}
		seen = append(seen, seq)
		n := 0
		if err := r.WalkBucket(rec.Bucket, func(Item) error { n++; return nil }); err != nil || n != 3 {
			t.Errorf("%d rows, %v", n, err)
		}
		if err := r.WalkBucket(names("none"), nil); !errors.Is(err, ErrNoBucket) {
			t.Errorf("walk of no bucket: %v", err)
		}
		return Edits{
			Rows:      []RowEdit{{Bucket: rec.Bucket, Key: append([]byte("new"), rec.Key...), New: []byte("x")}},
			Sequences: []SequenceEdit{{Bucket: rec.Bucket, Old: seq, New: seq + 10}},
		}, nil
	}, nil)
	if err != nil || res.Batches != 1 || res.Changed != 3 {
		t.Fatalf("applied %+v, %v", res, err)
	}
	if !slices.Equal(seen, []uint64{0, 10, 20}) {
		t.Errorf("sequences seen are %v", seen)
	}
	w.Close()
	if got := dump(t, path); !strings.Contains(got, `"chats" seq 30`) || !strings.Contains(got, `"new3" = "x"`) {
		t.Errorf("the database holds\n%s", got)
	}
}

// Two records that touch one row go into two batches, and the second sees what
// the first one left.
func TestRowsOfOneBatchAreApart(t *testing.T) {
	path := newDB(t, nil, plain)
	w := begin(t, path)
	asked := 0
	res, err := w.Apply(ctx, ApplyOptions{}, records("chats", "1", "1", "1"), func(r Reader, rec Record) (Edits, error) {
		asked++
		v, _ := r.Get(rec.Bucket, rec.Key)
		return Edits{Rows: []RowEdit{{Bucket: rec.Bucket, Key: rec.Key, Old: v, New: append(bytes.Clone(v), '!')}}}, nil
	}, nil)
	if err != nil || res.Batches != 3 || res.Changed != 3 || asked != 5 {
		t.Fatalf("applied %+v, %v, asked %d times", res, err, asked)
	}
	w.Close()
	if got := dump(t, path); !strings.Contains(got, `"one!!!"`) {
		t.Errorf("the database holds\n%s", got)
	}
	undoAll(t, res.Journal, UndoResult{Restored: 3})
	if got := dump(t, path); !strings.Contains(got, `"1" = "one"`) {
		t.Errorf("after the undo the database holds\n%s", got)
	}
}

// So it is also where the edit does not look before it answers.
func TestRowsOfOneBatchAreApartUnseen(t *testing.T) {
	path := newDB(t, nil, plain)
	w := begin(t, path)
	old := "one"
	asked := 0
	res, err := w.Apply(ctx, ApplyOptions{}, records("chats", "1", "1"), func(_ Reader, rec Record) (Edits, error) {
		asked++
		e := Edits{Rows: []RowEdit{{Bucket: rec.Bucket, Key: rec.Key, Old: []byte(old), New: []byte(old + "!")}}}
		if asked != 2 {
			old += "!"
		}
		return e, nil
	}, nil)
	if err != nil || res.Batches != 2 || res.Changed != 2 || asked != 3 {
		t.Errorf("applied %+v, %v, asked %d times", res, err, asked)
	}
	w.Close()
	if got := dump(t, path); !strings.Contains(got, `"one!!"`) {
		t.Errorf("the database holds\n%s", got)
	}
}

// SIGINT: what was edited so far is committed, and the journal closed.
func TestCancelEndsAfterTheBatch(t *testing.T) {
	path := newDB(t, nil, many(30, 1000))
	w := begin(t, path)
	ctx, cancel := context.WithCancel(ctx)
	res, err := w.Apply(ctx, ApplyOptions{BatchBytes: 5000}, records("b", keys(30)...), func(r Reader, rec Record) (Edits, error) {
		if string(rec.Key) == key(9) {
			cancel()
		}
		return upper(r, rec)
	}, nil)
	if err != nil || !res.Cut || res.Changed != 10 {
		t.Errorf("applied %+v, %v", res, err)
	}
	w.Close()
	if n := strings.Count(dump(t, path), "AAAA"); n == 0 {
		t.Error("nothing was written")
	}
	if j := journal(t, res.Journal); !j.Complete || !j.Cut {
		t.Errorf("journal %+v", j)
	}
	w = begin(t, path)
	if res, err = w.Apply(ctx, ApplyOptions{}, records("b", keys(30)...), upper, nil); err != nil || !res.Cut || res.Batches != 0 {
		t.Errorf("with a context that has ended: %+v, %v", res, err)
	}
}

func TestApplyOnceAndWithoutViews(t *testing.T) {
	w := begin(t, newDB(t, nil, plain))
	v, err := w.View()
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Apply(ctx, ApplyOptions{}, records("chats"), upper, nil)
	wantError(t, err, CodeUsage, ErrUsage, "view")
	wantError(t, w.Close(), CodeUsage, ErrUsage, "view")
	v.Close()
	set(t, w, ApplyOptions{}, "chats", "1", "new")
	_, err = w.Apply(ctx, ApplyOptions{}, records("chats"), upper, nil)
	wantError(t, err, CodeUsage, ErrUsage, "already")
	if v, err = w.View(); err != nil {
		t.Fatal(err)
	}
	if got, _ := v.Get(names("chats"), []byte("1")); string(got) != "new" {
		t.Errorf("a view after Apply sees %q", got)
	}
	v.Close()
}
