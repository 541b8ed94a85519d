//go:build unix

package cli

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// shapes are the lines of JSON as docs and help promise them: the members that
// each has, and in brackets those that it may have.
var shapes = map[string]string{
	"history": "type database ref bucket [key] [conversation] path layout [codec] dialect messages calls results findings state [reason]",
	"change":  "type database ref old new",
	"summary": "type database verdict histories poisoned findings fixed remaining lint report_only unrecognised unreadable live dry_run backup journal exit",
	"error":   "type database code message",
	"note":    "type database ref kind reason",
	"undo":    "type database ref state",
	"page":    "type database page kind severity bucket key_from key_to detail",
	"file":    "type database page_size pages used free meta transaction reason",
	"message": "type database ref message op json findings",
	"bucket":  "type database bucket ref keys buckets bytes codec layout dialects histories unrecognised unreadable evidence reason [how]",
}

// words are what a member may say.
var words = map[string][]string{
	"history.state":   {"sound", "fixable", "fixed", "left", "report-only", "stale"},
	"summary.verdict": {"sound", "poisoned", "repaired", "partly", "damaged", "no-conversations", "error"},
	"error.code":      {"not-database", "damaged", "locked", "io", "no-space", "permission", "usage"},
	"undo.state":      {"restored", "done", "left"},
	"page.severity":   {"error", "oddity", "passed"},
}

// TestJSONLines holds every line that the commands print against the promise:
// known members only, of the right kind, and one summary a database, last,
// that says the exit code.
func TestJSONLines(t *testing.T) {
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory, "chat/b "+soundHistory, "chat/c [",
		`chat/d {"tool_calls":[{"name":"x"}]}`, "log/x text", "empty/")
	s.db("damaged.db", "chat/a "+poisonedHistory)
	s.clear("damaged.db", 4, 1)
	for _, c := range []struct {
		code  int
		args  []string
		types string
	}{
		{1, []string{"scan", "--all", "a.db"}, "history history note note summary"},
		{0, []string{"inspect", "a.db"}, "bucket bucket bucket note note summary"},
		{1, []string{"show", "a.db", "chat/a"}, "history message message summary"},
		{0, []string{"check", "a.db"}, "file summary"},
		{1, []string{"check", "damaged.db"}, "file page summary"},
		{1, []string{"repair", "--dry-run", "a.db"}, "change history note note summary"},
		{3, []string{"scan", "none.db", "a.db"}, "error history note note summary summary"},
		{2, []string{"scan", "--only", "chat/none", "a.db"}, "error summary"},
		{0, []string{"repair", "--output", "new.db", "a.db"}, "change history note note summary"},
		{0, []string{"repair", "a.db"}, "change history note note summary"},
		{0, []string{"repair", "a.db"}, "note note summary"},
		{0, []string{"undo", "--dry-run", "a.db.boltmend-2.journal"}, "summary undo"},
		{0, []string{"undo", "a.db.boltmend-2.journal"}, "summary undo"},
		{2, []string{"undo", "none.journal"}, "error summary"},
	} {
		got := s.run(append(c.args, "--json")...)
		if got.code != c.code {
			t.Errorf("%q: exit %d, want %d\n%s", c.args, got.code, c.code, got.err)
		}
		var types []string
		last := ""
		for l := range strings.Lines(got.stdout) {
			last = s.jsonLine(l)
			types = append(types, last)
		}
		if last != "summary" || !strings.HasSuffix(got.stdout, "}\n") {
			t.Errorf("%q ends with %s", c.args, last)
		}
		slices.Sort(types)
		if got := strings.Join(types, " "); got != c.types {
			t.Errorf("%q: lines of %s, want %s", c.args, got, c.types)
		}
	}
}

// clear zeroes pages of a database.
func (s scene) clear(name string, page, n int64) {
	s.Helper()
	f, err := os.OpenFile(s.path(name), os.O_WRONLY, 0)
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(make([]byte, 4096*n), 4096*page); err != nil {
		s.Fatal(err)
	}
}

// jsonLine checks one line and returns its type.
func (s scene) jsonLine(text string) string {
	s.Helper()
	var l map[string]any
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		s.Fatalf("%v: %s", err, text)
	}
	kind, _ := l["type"].(string)
	shape := strings.Fields(shapes[kind])
	for _, m := range shape {
		name := strings.Trim(m, "[]")
		if _, ok := l[name]; !ok && name == m {
			s.Errorf("a line of type %s has no %s: %s", kind, name, text)
		}
	}
	for name, value := range l {
		if !slices.Contains(shape, name) && !slices.Contains(shape, "["+name+"]") {
			s.Errorf("a line of type %s has an unknown %s: %s", kind, name, text)
		}
		if may := words[kind+"."+name]; may != nil && !slices.Contains(may, value.(string)) {
			s.Errorf("%s is not a %s.%s", value, kind, name)
		}
		if value == nil && name != "json" {
			s.Errorf("%s.%s is null: %s", kind, name, text)
		}
	}
	if findings, ok := l["findings"].([]any); ok {
		for _, f := range findings {
			got := slices.Sorted(maps.Keys(f.(map[string]any)))
			if strings.Join(got, " ") != "code fixed group id message name" {
				s.Errorf("a finding has %q", got)
			}
		}
	}
	return kind
}
