package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"boltmend/migrate"
)

// playing is an engine that emits the same events for every database,
// whatever it is asked to do.
func playing(events []migrate.Event) engine {
	play := func(_ context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
		last := migrate.Summary{Exit: exitTrouble}
		for _, e := range events {
			if s, ok := e.(*migrate.Summary); ok {
				last = *s
			}
			emit(e)
		}
		return last
	}
	return engine{
		scan: play, repair: play, inspect: play, check: play,
		undo: func(ctx context.Context, _, db string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
			return play(ctx, db, opts, emit)
		},
		restore: func(ctx context.Context, _, db string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
			return play(ctx, db, opts, emit)
		},
		show: func(ctx context.Context, path, _ string, _ bool, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
			return play(ctx, path, opts, emit)
		},
	}
}

// runFake runs a command line whose work is to emit events.
func runFake(t *testing.T, events []migrate.Event, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), playing(events), args, strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}

// wantText compares line by line, for a report that is easy to read.
func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	want = strings.TrimPrefix(want, "\n")
	if got != want {
		t.Errorf("%s:\ngot:\n%s\nwant:\n%s", what, got, want)
	}
}

// poisoned is a history of a fake report.
func poisoned(ref, state string, findings ...migrate.Finding) *migrate.History {
	return &migrate.History{Type: "history", Database: "chat.db", Ref: ref, Findings: findings, State: state}
}

// missing is a finding of one.
func missing(id string) migrate.Finding {
	return migrate.Finding{Code: "missing-result", Group: "pairing", ID: id}
}
