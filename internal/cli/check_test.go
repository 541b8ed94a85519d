package cli

import (
	"fmt"
	"strings"
	"testing"

	"boltmend/migrate"
)

// What a live scan passed over is said, also where it found faults, and the
// exit code is that of a database in use.
func TestPassedOverText(t *testing.T) {
	page := &migrate.Page{Type: "page", Database: "chat.db", Kind: "busy", Severity: "passed", Bucket: "chat", KeyFrom: "a", KeyTo: "b", Detail: "passed over"}
	line := &migrate.Error{Type: "error", Database: "chat.db", Code: migrate.CodeLocked, Message: "1 part was passed over"}
	const stderr = "boltmend: chat.db: 1 part was passed over: --lock-wait 1m\n"
	partly := []migrate.Event{page, line, &migrate.Summary{
		Type: "summary", Database: "chat.db", Verdict: migrate.VerdictPartly, Histories: 7, Live: true, Exit: 4,
	}}
	out, errs, code := runFake(t, partly, "scan", "--live", "chat.db")
	wantText(t, "partly", out, `
chat.db: scanned in part: 0 of 7 conversations poisoned
passed over, since written to without pause:
  busy: passed over, bucket chat, keys from a, keys before b
`)
	if errs != stderr || code != exitLocked {
		t.Errorf("%q, exit %d", errs, code)
	}
	found := []migrate.Event{poisoned("chat/x", migrate.Fixable, missing("call_a")), page, line, &migrate.Summary{
		Type: "summary", Database: "chat.db", Verdict: migrate.VerdictPoisoned, Histories: 7, Poisoned: 1, Live: true, Exit: 4,
	}}
	out, _, code = runFake(t, found, "scan", "--live", "chat.db")
	wantText(t, "poisoned", out, `
chat.db: poisoned: 1 of 7 conversations
  chat/x: 1 call without a result (call_a)
passed over, since written to without pause:
  busy: passed over, bucket chat, keys from a, keys before b
stop the app first: one that keeps the conversation in memory writes the old one back
next: boltmend repair chat.db
`)
	if code != exitLocked {
		t.Errorf("exit %d", code)
	}
}

// However much is wrong, a check prints a screen and says how much there is.
func TestCheckTextIsBounded(t *testing.T) {
	var events []migrate.Event
	for i := range 1000 {
		severity := []string{"error", "oddity"}[i%2]
		events = append(events, &migrate.Page{Type: "page", Database: "chat.db", Page: uint64(i), Kind: "gap", Severity: severity, Detail: "\x1b[31mred\n"})
	}
	events = append(events, &migrate.Summary{Type: "summary", Database: "chat.db", Verdict: migrate.VerdictDamaged, Remaining: 500, Lint: 500, Exit: 1})
	out, errs, code := runFake(t, events, "check", "chat.db")
	if n := strings.Count(out, "\n"); n > 2*screen+6 || errs != "" || code != exitLeft {
		t.Errorf("%d lines, %q, exit %d", n, errs, code)
	}
	for _, want := range []string{"chat.db: damaged: 500 errors\n", "500 oddities, which hurt nobody:\n", fmt.Sprintf("  and %d more: --json lists all\n", 500-screen)} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("an escape reaches the terminal")
	}
}
