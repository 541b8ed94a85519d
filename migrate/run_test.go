package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boltmend/internal/dbtext"
)

// copyOf copies a database of testdata/stores into a folder of the test.
func copyOf(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../testdata/stores", name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// made makes a database of a text.
func madeOf(t *testing.T, text string) string {
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

// A log is the events of a run, each as a line of JSON.
type log struct {
	lines []string
	sum   Summary
}

func (l *log) emit(e Event) {
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	l.lines = append(l.lines, string(b))
}

type command func(context.Context, string, Options, func(Event)) Summary

func do(t *testing.T, c command, path string, opts Options) log {
	t.Helper()
	var l log
	l.sum = c(context.Background(), path, opts, l.emit)
	return l
}

// same fails unless a file has kept its bytes and its time.
func unchanged(t *testing.T, path string, do func()) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	do()
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	now, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) || !now.ModTime().Equal(st.ModTime()) {
		t.Errorf("%s was written to", path)
	}
}

const poisonedText = `
chats/a [{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"k","type":"function","function":{"name":"f","arguments":"{}"}}]}]
chats/b [{"role":"user","content":"q"},{"role":"assistant","content":"a"}]
deep/er/c {"n":1,"m":[{"role":"tool","tool_call_id":"gone","content":"x"},{"role":"user","content":"q"}]}
`

func TestDryRunSaysWhatRepairDoes(t *testing.T) {
	path := copyOf(t, "ajean.db")
	var dry log
	unchanged(t, path, func() { dry = do(t, Repair, path, Options{DryRun: true}) })
	real := do(t, Repair, path, Options{})
	if got, want := len(dry.lines), len(real.lines); got != want {
		t.Fatalf("dry run: %d events, repair: %d", got, want)
	}
	for i := range dry.lines[:len(dry.lines)-1] {
		if dry.lines[i] != real.lines[i] {
			t.Errorf("event %d\ndry run %s\nrepair  %s", i, dry.lines[i], real.lines[i])
		}
	}
	d, r := dry.sum, real.sum
	if d.Exit != 1 || !d.DryRun || d.Backup != "" || d.Journal != "" || r.Backup == "" || r.Journal == "" || r.Exit != 0 {
		t.Errorf("dry run %+v\nrepair %+v", d, r)
	}
	d.DryRun, d.Exit, d.Backup, d.Journal = r.DryRun, r.Exit, r.Backup, r.Journal
	a, _ := json.Marshal(d)
	b, _ := json.Marshal(r)
	if !bytes.Equal(a, b) {
		t.Errorf("dry run %s\nrepair  %s", a, b)
	}
}

func TestSecondRepairChangesNothing(t *testing.T) {
	path := madeOf(t, poisonedText)
	if got := do(t, Repair, path, Options{}).sum; got.Verdict != VerdictRepaired || got.Fixed != 2 {
		t.Fatalf("first repair: %+v", got)
	}
	unchanged(t, path, func() {
		if got := do(t, Repair, path, Options{}).sum; got.Verdict != VerdictSound || got.Exit != 0 {
			t.Errorf("second repair: %+v", got)
		}
	})
}

func TestUndoGivesBackEveryByteOfEveryValue(t *testing.T) {
	for _, text := range []string{poisonedText, ""} {
		path := copyOf(t, "ajean.db")
		if text != "" {
			path = madeOf(t, text)
		}
		before := dump(t, path)
		repaired := do(t, Repair, path, Options{})
		if dump(t, path) == before {
			t.Fatal("repair changed nothing")
		}
		var l log
		sum := Undo(context.Background(), repaired.sum.Journal, "", Options{}, l.emit)
		if sum.Exit != 0 {
			t.Errorf("undo: %+v", sum)
		}
		if got := dump(t, path); got != before {
			t.Errorf("after undo\n%.2000s\nbefore\n%.2000s", got, before)
		}
	}
}

func TestUndoOfOneHistoryIsRefused(t *testing.T) {
	path := madeOf(t, poisonedText)
	repaired := do(t, Repair, path, Options{})
	unchanged(t, path, func() {
		var l log
		sum := Undo(context.Background(), repaired.sum.Journal, "", Options{Only: []string{"deep/er/c#/m"}}, l.emit)
		if text := strings.Join(l.lines, ""); sum.Verdict != VerdictError || !strings.Contains(text, "--only deep/er/c") {
			t.Errorf("undo of a history: %+v\n%s", sum, text)
		}
	})
}

func TestOutputLeavesTheSourceAlone(t *testing.T) {
	path := copyOf(t, "ajean.db")
	out := filepath.Join(t.TempDir(), "fixed.db")
	unchanged(t, path, func() {
		if got := do(t, Repair, path, Options{Output: out}).sum; got.Verdict != VerdictRepaired {
			t.Errorf("repair --output: %+v", got)
		}
	})
	if got := do(t, Repair, path, Options{}).sum; got.Exit != 0 {
		t.Fatalf("repair: %+v", got)
	}
	if dump(t, out) != dump(t, path) {
		t.Error("the repaired copy holds something else than the repaired database")
	}
}

func TestNothingToDoChangesNoByte(t *testing.T) {
	path := madeOf(t, "chats/b [{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\"}]\nstate/k v\n")
	unchanged(t, path, func() {
		for _, c := range []command{Scan, Repair, Inspect} {
			if got := do(t, c, path, Options{}).sum; got.Exit != 0 || got.Histories != 1 {
				t.Errorf("%+v", got)
			}
		}
	})
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the database: %v %v", left, err)
	}
}

func TestNarrowing(t *testing.T) {
	path := madeOf(t, poisonedText)
	for _, c := range []struct {
		name     string
		opts     Options
		poisoned int
		exit     int
	}{
		{"bucket", Options{Buckets: []string{"chats"}}, 1, 1},
		{"bucket below", Options{Buckets: []string{"deep/**"}}, 1, 1},
		{"star stays within a name", Options{Buckets: []string{"*"}}, 1, 1},
		{"two stars cross", Options{Buckets: []string{"**"}}, 2, 1},
		{"no bucket", Options{Buckets: []string{"none"}}, 0, 0},
		{"record", Options{Only: []string{"chats/a"}}, 1, 1},
		{"history", Options{Only: []string{"deep/er/c#/m"}}, 1, 1},
		{"unknown record", Options{Only: []string{"chats/z"}}, 0, 2},
		{"unknown history", Options{Only: []string{"deep/er/c#/x"}}, 0, 2},
		{"no ref", Options{Only: []string{"chats"}}, 0, 2},
		{"id", Options{IDs: []string{"gone"}}, 1, 1},
		{"unknown id", Options{IDs: []string{"nowhere"}}, 0, 0},
	} {
		if got := do(t, Scan, path, c.opts).sum; got.Poisoned != c.poisoned || got.Exit != c.exit {
			t.Errorf("%s: poisoned %d exit %d, want %d and %d", c.name, got.Poisoned, got.Exit, c.poisoned, c.exit)
		}
	}
}
