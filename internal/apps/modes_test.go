package apps

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boltmend/migrate"
)

// TestModes: on each store a dry run says what the repair does, a repaired
// copy holds what the repair in place gives, and so do batches of one record;
// parts that are repaired or undone by themselves add up to the whole.
func TestModes(t *testing.T) {
	for _, s := range known {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			path := copyOf(t, s.name)
			before := dump(t, path)
			var dry *report
			unwritten(t, path, func() { dry = run(t, migrate.Repair, path, migrate.Options{DryRun: true}) })
			out := filepath.Join(t.TempDir(), "out.db")
			unwritten(t, path, func() { run(t, migrate.Repair, path, migrate.Options{Output: out}) })
			r := repaired(t, path)
			after := dump(t, path)
			if got, want := events(dry), events(r); !slices.Equal(got, want) {
				t.Errorf("dry run and repair differ\n%s", differences(strings.Join(got, "\n")+"\n", strings.Join(want, "\n")+"\n"))
			}
			if got := dump(t, out); got != after {
				t.Errorf("the repaired copy is another\n%s", differences(got, after))
			}
			s.inParts(t, r, after)
			undoInParts(t, path, r, before)

			small := copyOf(t, s.name)
			run(t, migrate.Repair, small, migrate.Options{BatchBytes: 1, NoBackup: true})
			if got := dump(t, small); got != after {
				t.Errorf("in small batches it comes out differently\n%s", differences(got, after))
			}
		})
	}
}

// events are the lines of a report but the summary.
func events(r *report) []string { return r.lines[:len(r.lines)-1] }

// inParts repairs one history after the other.
func (s store) inParts(t *testing.T, whole *report, after string) {
	path := copyOf(t, s.name)
	for _, h := range whole.histories {
		shown(t, path, h)
		r := run(t, migrate.Repair, path, migrate.Options{Only: []string{h.Ref}, NoBackup: true, Journal: filepath.Join(t.TempDir(), "journal")})
		if len(r.histories) != 1 || r.histories[0].Ref != h.Ref || r.histories[0].State != h.State {
			t.Errorf("--only %s\n%s", h.Ref, r)
		}
	}
	if got := dump(t, path); got != after {
		t.Errorf("repaired one by one it comes out differently\n%s", differences(got, after))
	}
}

// shown wants show to have the messages of a history and what would change.
func shown(t *testing.T, path string, h *migrate.History) {
	t.Helper()
	messages, changes := 0, 0
	sum := migrate.Show(context.Background(), path, h.Ref, true, migrate.Options{}, func(e migrate.Event) {
		if m, ok := e.(*migrate.Message); ok {
			if m.Op != "+" {
				messages++
			}
			if m.Op != " " {
				changes++
			}
			if !json.Valid(m.JSON) {
				t.Errorf("show %s: message %d is no JSON", h.Ref, m.Message)
			}
		}
	})
	if sum.Verdict == migrate.VerdictError || messages != h.Messages || (changes > 0) != (h.State == migrate.Fixed) {
		t.Errorf("show %s: %d messages, want %d, %d of them change, and the history is %s: %+v", h.Ref, messages, h.Messages, changes, h.State, sum)
	}
}

// undoInParts undoes one record after the other.
func undoInParts(t *testing.T, path string, r *report, before string) {
	t.Helper()
	undo := func(only ...string) {
		u := &report{}
		if sum := migrate.Undo(context.Background(), r.sum.Journal, "", migrate.Options{Only: only}, u.emit); sum.Exit != 0 {
			t.Errorf("undo --only %v: exit %d\n%s", only, sum.Exit, u)
		}
	}
	for _, ref := range r.changed {
		undo(ref)
	}
	if got := dump(t, path); got != before {
		t.Errorf("undone one by one it is not as before\n%s", differences(got, before))
	}
}
