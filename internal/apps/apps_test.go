// Package apps holds tests of whole runs on the stores that apps keep: the
// databases of testdata/stores, small programs that read and write them as
// their apps do, and every layout with every fault in it. It knows a database
// as an app knows it, through bbolt, and the program through package migrate
// alone.
package apps

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/internal/dbtext"
	"boltmend/migrate"
)

const stores = "../../testdata/stores"

// marker is the text of a made-up result.
const marker = "[interrompu]"

// copyOf copies a database of testdata/stores into a folder of the test.
func copyOf(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(stores, name+".db"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name+".db")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// made makes a database of a text.
func made(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.db")
	if err := dbtext.Make(path, text, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

func dump(t *testing.T, path string) string {
	t.Helper()
	var b bytes.Buffer
	if err := dbtext.Dump(&b, path); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A report is what a run said.
type report struct {
	lines     []string
	histories []*migrate.History
	buckets   []*migrate.Bucket
	changed   []string // refs
	sum       migrate.Summary
}

func (r *report) emit(e migrate.Event) {
	switch e := e.(type) {
	case *migrate.History:
		r.histories = append(r.histories, e)
	case *migrate.Bucket:
		r.buckets = append(r.buckets, e)
	case *migrate.Change:
		r.changed = append(r.changed, e.Ref)
	}
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	r.lines = append(r.lines, string(b))
}

func (r *report) String() string { return strings.Join(r.lines, "\n") }

type command func(context.Context, string, migrate.Options, func(migrate.Event)) migrate.Summary

func run(t *testing.T, c command, path string, opts migrate.Options) *report {
	t.Helper()
	r := &report{}
	r.sum = c(context.Background(), path, opts, r.emit)
	if r.sum.Verdict == migrate.VerdictError {
		t.Fatalf("%s: the run failed\n%s", filepath.Base(path), strings.Join(r.lines[max(0, len(r.lines)-2):], "\n"))
	}
	return r
}

// repaired repairs a database without a backup, since undo goes by the
// journal.
func repaired(t *testing.T, path string) *report {
	t.Helper()
	return run(t, migrate.Repair, path, migrate.Options{NoBackup: true})
}

// undone undoes a repair and wants the database to be as before.
func undone(t *testing.T, path string, r *report, before string) {
	t.Helper()
	if r.sum.Journal == "" {
		if dump(t, path) != before {
			t.Errorf("changed without a journal")
		}
		return
	}
	u := &report{}
	if sum := migrate.Undo(context.Background(), r.sum.Journal, "", migrate.Options{}, u.emit); sum.Exit != 0 {
		t.Errorf("undo: exit %d\n%s", sum.Exit, u)
	}
	if now := dump(t, path); now != before {
		t.Errorf("undo does not give back what was there\n%s", differences(now, before))
	}
}

// unwritten fails unless a file keeps its bytes and its time.
func unwritten(t *testing.T, path string, do func()) {
	t.Helper()
	state := func() ([]byte, time.Time) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return b, st.ModTime()
	}
	bytesBefore, timeBefore := state()
	do()
	bytesAfter, timeAfter := state()
	if !bytes.Equal(bytesBefore, bytesAfter) || !timeBefore.Equal(timeAfter) {
		t.Errorf("%s was written to", path)
	}
}

// differences lists the lines that only one of two texts has.
func differences(got, want string) string {
	var b strings.Builder
	missing := func(sign, in, from string) {
		for line := range strings.Lines(from) {
			if !strings.Contains("\n"+in, "\n"+line) {
				b.WriteString(sign + line)
			}
		}
	}
	missing("- ", got, want)
	missing("+ ", want, got)
	return b.String()
}

// update opens a database as an app does, for one transaction.
func update(t *testing.T, path string, do func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(do); err != nil {
		t.Fatal(err)
	}
}

// view is update for reading.
func view(t *testing.T, path string, do func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.View(do); err != nil {
		t.Fatal(err)
	}
}
