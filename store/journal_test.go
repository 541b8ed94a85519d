package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// smallJournal is the text of a journal of two batches that has every kind of
// line.
func smallJournal(t testing.TB) []byte {
	t.Helper()
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		return put(tx, names("b\n", "c"), "1", "one", "2", "", "3", strings.Repeat("z", 40))
	})
	w := begin(t, path)
	b := names("b\n", "c")
	edits := map[string]Edits{
		"r1": {
			Rows: []RowEdit{
				{Bucket: b, Key: []byte("1"), Old: []byte("one"), New: []byte("ONE")},
				{Bucket: b, Key: []byte("9"), New: []byte("nine")},
			},
			Sequences: []SequenceEdit{{Bucket: b, Old: 0, New: 1 << 63}},
			Removed: []Removed{
				{Kind: "result", Code: "orphan-result", ID: "call_1", Message: 4, Text: []byte(`{"<tag>":"é"}`)},
				{Kind: "result", Code: "bytes", Text: []byte("\xff\x00")},
			},
		},
		"r2": {Rows: []RowEdit{{Bucket: b, Key: []byte("2"), Old: []byte{}}}},
		"r3": {Rows: []RowEdit{{Bucket: b, Key: []byte("3"), Old: bytes.Repeat([]byte("z"), 40), New: []byte{}}}},
	}
	var recs []Record
	for _, ref := range []string{"r1", "r2", "r3"} {
		recs = append(recs, Record{Ref: ref})
	}
	res, err := w.Apply(ctx, ApplyOptions{Backup: "/b", Header: map[string]string{"marker": "<x>"}, BatchBytes: 1000}, slices.Values(recs),
		func(_ Reader, r Record) (Edits, error) { return edits[r.Ref], nil }, nil)
	if err != nil || res.Changed != 3 || res.Batches != 2 {
		t.Fatalf("applied %+v, %v", res, err)
	}
	w.Close()
	text, err := os.ReadFile(res.Journal)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func read(text []byte) (*Journal, error) {
	return readJournal(bytes.NewReader(text), int64(len(text)))
}

func all(t testing.TB, j *Journal) []*JournalRecord {
	t.Helper()
	var out []*JournalRecord
	for r, err := range j.Records() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestJournalHoldsEverything(t *testing.T) {
	text := smallJournal(t)
	for line := range strings.Lines(string(text)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("line is no JSON: %s", line)
		}
	}
	j, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	if h := j.Header; h.Format != "boltmend-journal" || h.Version != 1 || !filepath.IsAbs(h.Database) || h.Backup != "/b" ||
		h.Options["marker"] != "<x>" || len(h.Meta0) != 128 || len(h.Meta1) != 128 || h.PageSize != 4096 {
		t.Errorf("header %+v", h)
	}
	recs := all(t, j)
	if len(recs) != 3 || recs[0].Ref != "r3" || recs[1].Ref != "r2" || recs[2].Ref != "r1" {
		t.Fatalf("records %+v", recs)
	}
	b := names("b\n", "c")
	want := &JournalRecord{
		Ref: "r1", Batch: 1, TxID: j.Header.TxID + 1,
		Rows: []JournalRow{
			{Bucket: b, Key: []byte("1"), Old: []byte("one"), Before: digestOf([]byte("one")), After: digestOf([]byte("ONE"))},
			{Bucket: b, Key: []byte("9"), After: digestOf([]byte("nine"))},
		},
		Sequences: []SequenceEdit{{Bucket: b, Old: 0, New: 1 << 63}},
		Removed: []Removed{
			{Kind: "result", Code: "orphan-result", ID: "call_1", Message: 4, Text: []byte(`{"<tag>":"é"}`)},
			{Kind: "result", Code: "bytes", Text: []byte("\xff\x00")},
		},
	}
	if !reflect.DeepEqual(recs[2], want) {
		t.Errorf("record %+v\nwant %+v", recs[2], want)
	}
	if row := recs[1].Rows[0]; row.Old == nil || len(row.Old) != 0 || row.After != nil {
		t.Errorf("deleted empty value is %+v", row)
	}
	if row := recs[0].Rows[0]; string(row.Old) != strings.Repeat("z", 40) || row.After == nil || row.After.Size != 0 {
		t.Errorf("emptied value is %+v", row)
	}
}

// Cut anywhere, a journal reads as its first batches; with a byte changed, it
// ends there at the latest.
func TestJournalCutAnywhere(t *testing.T) {
	text := smallJournal(t)
	whole, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	recs := all(t, whole)
	check := func(what string, b []byte) {
		j, err := read(b)
		if err != nil {
			if !errors.Is(err, errJournal) {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		if len(j.Batches) > len(whole.Batches) || !reflect.DeepEqual(j.Header, whole.Header) ||
			!slices.Equal(j.Batches, whole.Batches[:len(j.Batches)]) {
			t.Errorf("%s: batches %+v", what, j.Batches)
		}
		got := all(t, j)
		if want := recs[len(recs)-len(got):]; len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: records %+v", what, got)
		}
	}
	for n := range len(text) {
		check(fmt.Sprint("cut at ", n), text[:n])
		b := bytes.Clone(text)
		b[n] ^= 0x20
		check(fmt.Sprint("byte changed at ", n), b)
		check(fmt.Sprint("byte lost at ", n), append(bytes.Clone(text[:n]), text[n+1:]...))
	}
	// Lines out of order, or twice, are not what was written.
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i := range len(lines) - 2 {
		b := bytes.Join(slices.Concat(lines[:i], [][]byte{lines[i+1], lines[i]}, lines[i+2:]), nil)
		check(fmt.Sprint("lines swapped at ", i), b)
		check(fmt.Sprint("line twice at ", i), bytes.Join(slices.Concat(lines[:i+1], lines[i:]), nil))
	}
}

func FuzzJournal(f *testing.F) {
	text := smallJournal(f)
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		// A fuzzer does not guess checksums, so half of the inputs get them.
		for _, in := range [][]byte{b, withSums(b)} {
			j, err := read(in)
			if err != nil {
				continue
			}
			n, bytes := 0, 0
			for r, err := range j.Records() {
				if err != nil {
					break
				}
				n++
				for _, row := range r.Rows {
					bytes += len(row.Old)
				}
			}
			if n > len(in) || bytes > len(in) {
				t.Fatalf("%d records, %d bytes from %d bytes", n, bytes, len(in))
			}
		}
	})
}

// withSums gives each line the checksum and the number that it should have.
func withSums(b []byte) []byte {
	var out []byte
	n := 0
	for line := range bytes.Lines(b) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		if i := bytes.LastIndex(body, []byte(`,"crc":`)); i >= 0 {
			body = body[:i]
		}
		if rest, ok := bytes.CutPrefix(body, []byte(`{"n":`)); ok {
			if _, rest, ok := bytes.Cut(rest, []byte(",")); ok {
				body = append(fmt.Appendf(nil, `{"n":%d,`, n), rest...)
			}
		}
		out = append(out, fmt.Appendf(body[:len(body):len(body)], `,"crc":"%08x"}`+"\n", crcOf(body))...)
		n++
	}
	return out
}

// A value of any size goes through lines of bounded size.
func TestJournalOfLargeValues(t *testing.T) {
	for _, size := range []int{chunk - 1, chunk, chunk + 1, 3*chunk + 5} {
		path := newDB(t, nil, func(tx *bolt.Tx) error { return put(tx, names("b"), "1", strings.Repeat("x", size)) })
		before := dump(t, path)
		w := begin(t, path)
		res, err := w.Apply(ctx, ApplyOptions{}, records("b", "1"), upper, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
		text, err := os.ReadFile(res.Journal)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if len(line) > 2*chunk {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
		rec := all(t, journal(t, res.Journal))[0]
		if len(rec.Rows[0].Old) != size || len(rec.Removed[0].Text) != size {
			t.Errorf("%d and %d bytes, want %d", len(rec.Rows[0].Old), len(rec.Removed[0].Text), size)
		}
		undoAll(t, res.Journal, UndoResult{Restored: 1})
		if dump(t, path) != before {
			t.Error("not as before")
		}
	}
}

func TestReadJournalRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	_, err := ReadJournal(path)
	wantError(t, err, CodeUsage, ErrUsage, "no such file")
	_, err = ReadJournal(dir)
	wantError(t, err, CodeUsage, ErrUsage, "directory")
	text := smallJournal(t)
	for name, b := range map[string][]byte{
		"text": []byte("hello\n"), "header cut": text[:100],
		"later version": withSums(bytes.Replace(text, []byte(`"version":1`), []byte(`"version":2`), 1)),
	} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = ReadJournal(path)
		wantError(t, err, CodeUsage, ErrUsage, "not a journal")
		if name == "later version" && !strings.Contains(err.Error(), "version 2") {
			t.Errorf("error is %v", err)
		}
	}
}

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
