//go:build unix

package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// call and result are messages with any id, name and content.
func callMessage(id, name, args string) string {
	return `{"role":"assistant","content":"` + canary + `","tool_calls":[{"id":` + quoted(id) +
		`,"type":"function","function":{"name":` + quoted(name) + `,"arguments":` + quoted(args) + `}}]}`
}

func resultMessage(id, content string) string {
	return `{"role":"tool","tool_call_id":` + quoted(id) + `,"content":` + quoted(content) + `}`
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// canary is a secret that only show and --show-content may print.
const canary = "canary-do-not-print"

// TestHostileIDs: ids and tool names are other people's text too: escapes, a
// line break, a megabyte, an API key. The history is repaired, and the report
// names them by length and hash.
func TestHostileIDs(t *testing.T) {
	s := newScene(t)
	for key, id := range map[string]string{
		"ansi": "\x1b[2J\x1b]0;owned\x07", "lines": "a\nb\r\n", "bidi": "\u202eabc\u2066", "c1": "\u009b31m",
		"long": strings.Repeat("i", 1<<20), "controls": strings.Repeat("\x01", 1<<16), "secret": canary + " ",
	} {
		s.put("a.db", []string{"chat"}, key, []byte("["+callMessage(id, id+canary+"!", "{}")+`,{"role":"user","content":"x"},`+
			resultMessage(id+"x", canary)+`,`+callMessage(id+"y", "ls", "no JSON "+canary)+","+resultMessage(id+"y", "")+"]"))
	}
	s.put("a.db", []string{"state"}, "api_key", []byte(canary))
	s.put("a.db", []string{"state"}, "config", []byte(`{"`+canary+`":"`+canary+`","role":"`+canary+`"}`))
	s.put("a.db", []string{"chat"}, "zbroken", []byte(`[{"role":"`+canary+`",`+canary))
	before := s.dump("a.db")
	s.secret(1, "scan", "--all", "a.db")
	s.secret(0, "inspect", "a.db")
	s.secret(1, "repair", "--dry-run", "--all", "a.db")
	s.secret(2, "scan", "--only", "chat/none", "a.db")
	s.secret(0, "repair", "--output", "new.db", "a.db")
	s.secret(0, "repair", "--all", "a.db")
	s.secret(0, "scan", "--all", "a.db")
	s.secret(0, "repair", "a.db")
	journal := glob(t, s.path("*.journal"))[0]
	s.secret(0, "undo", "--dry-run", journal)
	s.secret(0, "undo", journal)
	if s.dump("a.db") != before {
		t.Error("undo did not give back what was there")
	}
	s.secret(2, "undo", "a.db")
	s.secret(3, "scan", journal)
	// What it is for.
	if got := s.run("show", "--diff", "a.db", "chat/ansi"); !strings.Contains(got.stdout, canary) {
		t.Error("show does not show")
	}
	if got := s.run("scan", "--show-content", "a.db"); !strings.Contains(got.stdout, canary) {
		t.Error("--show-content does not show")
	}
	s.plain(s.run("show", "--diff", "a.db", "chat/ansi"), 1)
	s.plain(s.run("show", "a.db", "chat/bidi"), 1)
	s.plain(s.run("show", "a.db", "chat/c1"), 1)
}

// secret runs a command twice, for people and for programs. Neither report,
// nor stderr, holds the canary, nor anything raw.
func (s scene) secret(code int, args ...string) {
	s.Helper()
	for _, more := range [][]string{nil, {"--json"}} {
		if len(more) > 0 && (args[0] == "repair" || args[0] == "undo") && args[1] != "--dry-run" {
			continue // it cannot be done twice; the dry run has the same lines
		}
		got := s.run(append(args, more...)...)
		if strings.Contains(got.stdout+got.err, canary) {
			s.Errorf("%q %q prints a secret", args, more)
		}
		s.plain(got, code)
	}
}
