//go:build unix

package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPathIsNoText: a folder and a file whose names are no UTF-8, which
// neither JSON nor a terminal can hold. What is printed as the next command
// works when it is pasted.
func TestPathIsNoText(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	s := newScene(t)
	if err := os.Mkdir(s.path("x\xffy"), 0o700); err != nil {
		t.Skipf("no such names here: %v", err)
	}
	d := scene{t, s.path("x\xffy")}
	d.db("a\xfe'b.db", "chat/a "+poisonedHistory)
	before := d.dump("a\xfe'b.db")
	paste := func(out, what string) string {
		t.Helper()
		_, line, found := strings.Cut(out, what)
		line, _, _ = strings.Cut(line, "\n")
		if !found || !utf8.ValidString(line) {
			t.Fatalf("no %q that can be pasted in\n%q", what, out)
		}
		cmd := exec.Command(bash, "-c", line)
		cmd.Dir = d.dir
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", line, err, text)
		}
		return string(text)
	}
	out := d.run("repair", "a\xfe'b.db")
	if out.code != 0 {
		t.Fatalf("%+v", out)
	}
	paste(out.stdout, "to undo: ")
	if d.dump("a\xfe'b.db") != before {
		t.Error("the undo that was pasted did not give back what was there")
	}
	next := d.run("repair", "--dry-run", "a\xfe'b.db")
	paste(next.stdout, "next: ")
	d.exits(0, "scan", "--quiet", "a\xfe'b.db")
	out = d.run("restore", "a\xfe'b.db.boltmend-2.bak", "a\xfe'b.db")
	if out.code != 0 || d.dump("a\xfe'b.db") != before {
		t.Errorf("restore: %+v", out)
	}
	paste(out.stdout, "to undo this: ")
	d.exits(0, "scan", "--quiet", "a\xfe'b.db")
}
