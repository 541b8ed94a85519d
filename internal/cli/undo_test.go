package cli

import (
	"testing"

	"boltmend/migrate"
)

func TestUndoText(t *testing.T) {
	undone := func(ref, state string) migrate.Event {
		return &migrate.Undone{Type: "undo", Database: "chat.db", Ref: ref, State: state}
	}
	out, _, _ := runFake(t, []migrate.Event{undone("a", "restored"), undone("b", "done"), undone("c", "left"),
		&migrate.Summary{Database: "chat.db", Journal: "j2", Exit: 1}}, "undo", "j")
	wantText(t, "undo", out, `
chat.db: put back in part: 1 record
already as before: 1 record
left alone, the app has written since: 1 record
  c
journal: j2
to undo this: boltmend undo j2
`)
	out, _, _ = runFake(t, []migrate.Event{undone("a", "restored"),
		&migrate.Summary{Database: "chat.db", DryRun: true, Exit: 1}}, "undo", "--only", "a", "my j", "--dry-run", "chat.db")
	wantText(t, "dry undo", out, `
chat.db: would be put back: 1 record
next: boltmend undo --only a 'my j' chat.db
`)
	out, _, _ = runFake(t, []migrate.Event{undone("a", "done"), &migrate.Summary{Database: "chat.db"}}, "undo", "j")
	wantText(t, "undo again", out, `
chat.db: nothing to put back
already as before: 1 record
`)
}
