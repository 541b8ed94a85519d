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
			len(j.Batches) > 0 && !reflect.DeepEqual(j.Batches, whole.Batches[:len(j.Batches)]) {
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

// A value that is not what its digest is of is not put back, whatever the
// checksums of the lines say.
func TestJournalValueMustBeItsDigests(t *testing.T) {
	text := smallJournal(t)
	for from, to := range map[string]string{
		`"b25l"`:                   `"b25m"`, // "one", "onf"
		`"data":"b25l"`:            `"data":"b25"`,
		`,"data":"b25l"`:           ``,
		`"old":{"size":3,`:         `"old":{"size":4,`,
		`"type":"row"`:             `"type":"more"`,
		`"key":"9"`:                `"key":"a b"`,
		`"bucket":"b%0A/c","from"`: `"bucket":"b%0/c","from"`,
	} {
		j, err := read(withSums(bytes.Replace(text, []byte(from), []byte(to), 1)))
		if err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range j.Records() {
			last = err
		}
		if !errors.Is(last, errJournal) {
			t.Errorf("with %s for %s the records end with %v", to, from, last)
		}
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
