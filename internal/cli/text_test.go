package cli

import (
	"fmt"
	"strings"
	"testing"

	"boltmend/migrate"
)

func TestScanText(t *testing.T) {
	events := []migrate.Event{
		poisoned("chat/conversation#/messages", migrate.Fixable, missing("call_a"), missing("call_b"),
			migrate.Finding{Code: "orphan-result", Group: "pairing", ID: "call_c"}),
		&migrate.Note{Ref: "chat/old", Kind: "unreadable", Reason: "deeper than 10,000 levels"},
		&migrate.Note{Ref: "chat/new", Kind: "unrecognised", Reason: "flat calls without a result in the bucket"},
		poisoned("chathist/17#/messages", migrate.ReportOnly, migrate.Finding{Code: "empty-call-id", Group: "pairing"}),
		&migrate.Summary{Database: "my chat.db", Verdict: migrate.VerdictPoisoned, Histories: 1200, Poisoned: 2,
			Findings: map[string]int{"missing-result": 2, "orphan-result": 1, "empty-call-id": 1, "empty-content": 3},
			Lint:     3, ReportOnly: 1, Unrecognised: 1, Unreadable: 1, Exit: 1},
	}
	out, errs, code := runFake(t, events, "scan", "my chat.db", "--bucket", "chat*")
	wantText(t, "scan", out, `
my chat.db: poisoned: 2 of 1,200 conversations
  chat/conversation#/messages: 2 calls without a result (call_a, call_b); 1 result without a call (call_c)
  chathist/17#/messages: 1 call without an id [reported, never written]
lint, not repaired: 3 empty-content (boltmend explain CODE says what it is)
report only: 1 conversation in a form that is never written
unreadable: 1 value
  chat/old: deeper than 10,000 levels
unrecognised: 1 value mentions tool calls and could not be understood
  chat/new: flat calls without a result in the bucket
stop the app first: one that keeps the conversation in memory writes the old one back
next: boltmend repair --bucket 'chat*' 'my chat.db'
next: boltmend show 'my chat.db' chathist/17#/messages
next: boltmend inspect --bucket 'chat*' 'my chat.db'
`)
	if errs != "" || code != 1 {
		t.Errorf("stderr %q, exit %d", errs, code)
	}
}

func TestRepairText(t *testing.T) {
	events := func(s migrate.Summary) []migrate.Event {
		s.Database, s.Histories, s.Poisoned = "chat.db", 3, 1
		return []migrate.Event{poisoned("chat/x", migrate.Fixed, missing("call_a")), &migrate.Change{Ref: "chat/x"}, &s}
	}
	out, _, _ := runFake(t, events(migrate.Summary{Verdict: migrate.VerdictRepaired, Fixed: 1,
		Backup: "chat.db.boltmend-7.bak", Journal: "chat.db.boltmend-7.journal"}), "repair", "chat.db")
	wantText(t, "repair", out, `
chat.db: repaired: 1 of 3 conversations, 1 fault
  chat/x: 1 call without a result (call_a)
backed up to: chat.db.boltmend-7.bak
journal: chat.db.boltmend-7.journal
if the app was not stopped first, it may write the old conversation back from memory: stop it and repair again
to undo: boltmend undo chat.db.boltmend-7.journal
`)
	out, _, _ = runFake(t, events(migrate.Summary{Verdict: migrate.VerdictRepaired, Fixed: 1, DryRun: true, Exit: 1}),
		"repair", "--dry-run", "--marker", "en", "chat.db")
	wantText(t, "dry run", out, `
chat.db: would be repaired: 1 of 3 conversations, 1 fault
  chat/x: 1 call without a result (call_a)
stop the app first: one that keeps the conversation in memory writes the old one back
next: boltmend repair --marker en chat.db
`)
	out, _, _ = runFake(t, events(migrate.Summary{Verdict: migrate.VerdictRepaired, Fixed: 1}), "repair", "--output", "new.db", "chat.db")
	wantText(t, "output", out, `
chat.db: repaired: 1 of 3 conversations, 1 fault
  chat/x: 1 call without a result (call_a)
written to: new.db (chat.db is untouched)
`)
}

func TestLeftText(t *testing.T) {
	left := poisoned("chat/x", migrate.Left, missing(""))
	left.Reason = "the app wrote it meanwhile"
	out, _, code := runFake(t, []migrate.Event{left,
		&migrate.Summary{Database: "-chat.db", Verdict: migrate.VerdictPartly, Histories: 2, Poisoned: 2, Fixed: 4, Remaining: 1, Exit: 1,
			Journal: "j"}}, "repair", "--", "-chat.db")
	wantText(t, "partly", out, `
-chat.db: repaired in part: 2 of 2 conversations, 4 faults, 1 left
  chat/x: 1 call without a result [left as it is: the app wrote it meanwhile]
journal: j
if the app was not stopped first, it may write the old conversation back from memory: stop it and repair again
next: boltmend show -- -chat.db chat/x
to undo: boltmend undo j
`)
	if code != 1 {
		t.Errorf("exit %d", code)
	}
}

// The report is a screen, whatever is wrong.
func TestTextIsBounded(t *testing.T) {
	var events []migrate.Event
	for i := range 1254 {
		var findings []migrate.Finding
		for j := range 100 {
			findings = append(findings, missing(fmt.Sprintf("call_%d", j)))
		}
		events = append(events, poisoned(fmt.Sprintf("chat/%d", i), migrate.Fixable, findings...))
		events = append(events, &migrate.Note{Ref: "x", Kind: "unreadable", Reason: "y"})
	}
	events = append(events, &migrate.Summary{Verdict: migrate.VerdictPoisoned, Poisoned: 1254, Unreadable: 1254})
	out, _, _ := runFake(t, events, "scan", "chat.db")
	if n := strings.Count(out, "\n"); n > 2*screen+8 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{
		"  and 1,234 more: --json lists all\n",
		"chat/0: 100 calls without a result (call_0, call_1, call_2 and 97 more)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
}

func TestSoundText(t *testing.T) {
	events := []migrate.Event{
		&migrate.History{Ref: "chat/x", State: migrate.Sound, Messages: 2, Calls: 1, Results: 1},
		&migrate.Summary{Database: "chat.db", Verdict: migrate.VerdictSound, Histories: 1},
	}
	for args, want := range map[string]string{
		"scan chat.db":          "chat.db: sound: 1 conversation\n",
		"scan chat.db --all":    "chat.db: sound: 1 conversation\n  chat/x: sound (2 messages, 1 call, 1 result)\n",
		"scan --quiet chat.db":  "",
		"repair chat.db":        "chat.db: sound: 1 conversation\n",
		"scan chat.db other.db": "chat.db: sound: 1 conversation\n\nchat.db: sound: 1 conversation\n",
	} {
		out, errs, code := runFake(t, events, strings.Fields(args)...)
		if out != want || errs != "" || code != 0 {
			t.Errorf("%s: %q, %q, %d, want %q", args, out, errs, code, want)
		}
	}
}

func TestErrorText(t *testing.T) {
	events := []migrate.Event{
		&migrate.Error{Type: "error", Database: "chat.db", Code: migrate.CodeLocked, Message: "database is in use by process 12; stop it, or wait longer for the lock"},
		&migrate.Summary{Type: "summary", Database: "chat.db", Verdict: migrate.VerdictError, Exit: 4},
	}
	const line = "boltmend: chat.db: database is in use by process 12; stop it, or wait longer for the lock: --lock-wait 1m\n"
	for args, want := range map[string]string{
		"repair chat.db":         "chat.db: not repaired\n",
		"scan chat.db":           "chat.db: not scanned\n",
		"repair --quiet chat.db": "",
	} {
		out, errs, code := runFake(t, events, strings.Fields(args)...)
		if out != want || errs != line || code != 4 {
			t.Errorf("%s: %q, %q, %d", args, out, errs, code)
		}
	}
}

// What a run refuses as wrong usage leaves stdout empty too.
func TestRefusedText(t *testing.T) {
	events := []migrate.Event{
		&migrate.Error{Type: "error", Code: migrate.CodeUsage, Message: "j: is not a journal"},
		&migrate.Summary{Type: "summary", Verdict: migrate.VerdictError, Exit: 2},
	}
	for args, want := range map[string]string{
		"scan a.db":   "boltmend: a.db: j: is not a journal\n",
		"repair a.db": "boltmend: a.db: j: is not a journal\n",
		"undo j":      "boltmend: j: is not a journal\n",
		"inspect j":   "boltmend: j: is not a journal\n",
	} {
		if out, errs, code := runFake(t, events, strings.Fields(args)...); out != "" || errs != want || code != 2 {
			t.Errorf("%s: %q, %q, exit %d", args, out, errs, code)
		}
	}
}

func TestColor(t *testing.T) {
	var b strings.Builder
	p := printer{&b, true}
	p.head("\x1b.db: ", red, "poisoned", ": 1\n")
	if want := "\\u001b.db: \x1b[31mpoisoned\x1b[0m: 1\\n\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
