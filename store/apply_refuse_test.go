package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func TestStaleRecordsAreLeft(t *testing.T) {
	path := newDB(t, nil, plain)
	before := dump(t, path)
	edits := map[string]Edits{
		"1": {Rows: []RowEdit{{Bucket: names("chats"), Key: []byte("1"), Old: []byte("other"), New: []byte("x")}}},
		"2": {Rows: []RowEdit{{Bucket: names("chats"), Key: []byte("2"), Old: nil, New: []byte("x")}}},
		"3": {Rows: []RowEdit{{Bucket: names("chats"), Key: []byte("none"), Old: []byte("a"), New: nil}}},
		"4": {Rows: []RowEdit{{Bucket: names("chats"), Key: []byte("deep"), Old: nil, New: []byte("x")}}},
		"5": {Rows: []RowEdit{{Bucket: names("none"), Key: []byte("k"), Old: nil, New: []byte("x")}}},
		"6": {Sequences: []SequenceEdit{{Bucket: names("chats"), Old: 5, New: 6}}},
		"7": {Sequences: []SequenceEdit{{Bucket: names("none"), Old: 0, New: 6}}},
		// One row that fits does not save the record.
		"8": {Rows: []RowEdit{
			{Bucket: names("chats"), Key: []byte("1"), Old: []byte("one"), New: []byte("x")},
			{Bucket: names("chats"), Key: []byte("2"), Old: []byte("other"), New: []byte("x")},
		}},
	}
	was := snap(t, path)
	w := begin(t, path)
	stale := 0
	res, err := w.Apply(ctx, ApplyOptions{}, records("chats", "0", "1", "2", "3", "4", "5", "6", "7", "8"),
		func(r Reader, rec Record) (Edits, error) {
			if e, ok := edits[string(rec.Key)]; ok {
				return e, nil
			}
			return Edits{}, fmt.Errorf("so: %w", ErrStale)
		}, func(r Record, o Outcome) {
			if o == Stale {
				stale++
			}
		})
	if err != nil || res.Stale != 9 || stale != 9 || res.Batches != 0 || res.Journal != "" {
		t.Errorf("applied %+v, %v, %d told", res, err, stale)
	}
	w.Close()
	wantUntouched(t, path, was)
	if dump(t, path) != before {
		t.Error("something was written")
	}
	wantFiles(t, filepath.Dir(path), "a.db")
}

// An error of an edit drops the open batch and keeps those before.
func TestEditErrorEndsTheRun(t *testing.T) {
	path := newDB(t, nil, many(10, 1000))
	w := begin(t, path)
	mine := errors.New("mine")
	told := 0
	res, err := w.Apply(ctx, ApplyOptions{BatchBytes: 7000}, records("b", keys(10)...), func(r Reader, rec Record) (Edits, error) {
		if string(rec.Key) == key(5) {
			return Edits{}, mine
		}
		return upper(r, rec)
	}, func(Record, Outcome) { told++ })
	if err != mine || res.Batches != 1 || told != res.Changed || res.Changed != 3 {
		t.Errorf("applied %+v, %v, told %d", res, err, told)
	}
	w.Close()
	if n := strings.Count(dump(t, path), strings.Repeat("A", 1000)); n != 1 {
		t.Errorf("%d values changed", n)
	}
	j := journal(t, res.Journal)
	if j.Complete || len(j.Batches) != 1 {
		t.Errorf("journal %+v", j)
	}
}

func TestEditPanicLeavesNoLock(t *testing.T) {
	path := newDB(t, nil, plain)
	was := snap(t, path)
	w := begin(t, path)
	func() {
		defer func() {
			if r := recover(); r != "mine" {
				t.Errorf("panic is %v", r)
			}
		}()
		w.Apply(ctx, ApplyOptions{}, records("chats", "1", "2"), func(r Reader, rec Record) (Edits, error) {
			if string(rec.Key) == "2" {
				panic("mine")
			}
			return upper(r, rec)
		}, nil)
	}()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	wantUntouched(t, path, was)
}

func TestBadEditsAreRefused(t *testing.T) {
	for name, rows := range map[string][]RowEdit{
		"no key":      {{Bucket: names("chats"), New: []byte("x")}},
		"long key":    {{Bucket: names("chats"), Key: make([]byte, bolt.MaxKeySize+1), New: []byte("x")}},
		"a row twice": {{Bucket: names("chats"), Key: []byte("n"), New: []byte("x")}, {Bucket: names("chats"), Key: []byte("n"), New: []byte("y")}},
	} {
		t.Run(name, func(t *testing.T) {
			w := begin(t, newDB(t, nil, plain))
			_, err := w.Apply(ctx, ApplyOptions{}, records("chats", "1"), func(Reader, Record) (Edits, error) {
				return Edits{Rows: rows}, nil
			}, nil)
			wantError(t, err, CodeUsage, ErrUsage, "chats/1")
		})
	}
}
