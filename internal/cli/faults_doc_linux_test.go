package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// faultCounts count by command, call and kind; under the kind "" is how often a
// run without a fault makes the call.
type faultCounts map[[3]string]int

func (c faultCounts) add(f fault)                       { c[[3]string{f.command, f.call, f.kind}]++ }
func (c faultCounts) calls(command, call string, n int) { c[[3]string{command, call, ""}] = n }

// of is how many faults a command had.
func (c faultCounts) of(command string) (n int) {
	for k, v := range c {
		if k[0] == command && k[2] != "" {
			n += v
		}
	}
	return n
}

// verify wants each call to have been hit, or not to be made at all, as often
// with one fault as with another.
func (c faultCounts) verify(t *testing.T) {
	t.Helper()
	points := 0
	for _, command := range []string{"repair", "restore"} {
		for _, call := range writingCalls {
			made := c[[3]string{command, call, ""}]
			for _, kind := range faultKinds {
				hit := c[[3]string{command, call, kind}]
				if hit < made || made == 0 && hit > 0 && !strings.HasPrefix(call, "renameat") {
					t.Errorf("%s: %s is called %d times and hit %d times with %s", command, call, made, hit, kind)
				}
			}
			points += c[[3]string{command, call, faultKinds[0]}]
		}
	}
	if points < 30 {
		t.Errorf("only %d points were hit", points)
	}
	t.Logf("%d points, each hit with %d kinds of fault", points, len(faultKinds))
}

const (
	faultsBegin = "<!-- faults: begin -->\n"
	faultsEnd   = "<!-- faults: end -->\n"
)

// write puts the table into docs/reliability.md, between marks of its own.
func (c faultCounts) write(t *testing.T) {
	t.Helper()
	var b strings.Builder
	total := 0
	b.WriteString("| command | system call | calls | SIGKILL | EIO | ENOSPC |\n|---|---|---|---|---|---|\n")
	for _, command := range []string{"repair", "restore", "undo", "plan"} {
		for _, call := range writingCalls {
			hits, any := "", 0
			for _, kind := range faultKinds {
				n := c[[3]string{command, call, kind}]
				hits += fmt.Sprintf(" %d |", n)
				any += n
			}
			total += any
			if made := c[[3]string{command, call, ""}]; c.of(command) > 0 {
				fmt.Fprintf(&b, "| %s | `%s` | %d |%s\n", command, call, made, hits)
			}
		}
	}
	fmt.Fprintf(&b, "\n%d faults injected, all of them survived.\n", total)
	path := filepath.Join(moduleRoot, "docs", "reliability.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), faultsBegin)
	_, after, closed := strings.Cut(rest, faultsEnd)
	if !found || !closed {
		t.Fatalf("docs/reliability.md has no marks %q and %q", faultsBegin, faultsEnd)
	}
	write(t, path, before+faultsBegin+b.String()+faultsEnd+after)
}
