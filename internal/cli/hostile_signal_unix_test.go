//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"boltmend/store"
)

const signalRecords = 400

// manyPoisoned makes a database whose repair takes dozens of transactions.
func (s scene) manyPoisoned(name string) {
	s.Helper()
	var lines []string
	for i := range signalRecords {
		h := strings.Replace(poisonedHistory, "list", strings.Repeat("list ", 800), 1)
		lines = append(lines, fmt.Sprintf("chat/%04d %s", i, h))
	}
	s.db(name, lines...)
}

// TestSignal stops a repair with SIGINT and SIGTERM after some of its commits:
// the exit code is the signal's, the report counts what was done, every record
// is whole, the same command finishes, and undo gives back what was there.
func TestSignal(t *testing.T) {
	s := newScene(t)
	s.manyPoisoned("origin")
	before := s.dump("origin")
	stopped := 0
	for n := 0; stopped < 4; n++ {
		if n == 40 {
			t.Fatalf("only %d of %d signals came in time", stopped, n)
		}
		name := fmt.Sprintf("%d.db", n)
		copyFile(t, s.path(name), s.path("origin"))
		sig, code := syscall.SIGINT, 130
		if n%2 == 1 {
			sig, code = syscall.SIGTERM, 143
		}
		cmd := s.command("repair", "--json", "--batch-bytes", "65536", name)
		if !s.signal(cmd, name, sig, uint64(1+n%7*3)) {
			continue
		}
		stopped++
		s.afterSignal(cmd, name, code)
		s.exits(0, "repair", "--quiet", "--batch-bytes", "65536", name)
		s.exits(0, "scan", "--quiet", name)
		journals, err := store.Journals(s.path(name))
		if err != nil || len(journals) != 2 {
			t.Fatalf("journals %v %v", journals, err)
		}
		for _, j := range journals {
			s.exits(0, "undo", "--quiet", j)
		}
		if s.dump(name) != before {
			t.Error("undo did not give back what was there")
		}
	}
}

// signal runs a command, sends it a signal after some commits and waits for
// it. It reports whether that was before the end.
func (s scene) signal(cmd *exec.Cmd, name string, sig syscall.Signal, commits uint64) bool {
	s.Helper()
	cmd.Stdout, cmd.Stderr = new(bytes.Buffer), new(bytes.Buffer)
	first := txid(s.T, s.path(name))
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	for txid(s.T, s.path(name)) < first+commits {
		select {
		case <-exited:
			return false
		case <-time.After(100 * time.Microsecond):
		}
	}
	cmd.Process.Signal(sig) // it may have just ended
	return <-exited != nil
}

// afterSignal looks at what a stopped repair said, and at what it did.
func (s scene) afterSignal(cmd *exec.Cmd, name string, code int) {
	s.Helper()
	if got := cmd.ProcessState.ExitCode(); got != code {
		s.Errorf("exit %d, want %d", got, code)
	}
	want := "boltmend: " + name + ": interrupted: the file is whole; run the same command again to finish\n"
	if got := cmd.Stderr.(*bytes.Buffer).String(); got != want {
		s.Errorf("stderr %q, want %q", got, want)
	}
	out := cmd.Stdout.(*bytes.Buffer).String()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	var sum struct {
		Type            string
		Fixed, Exit     int
		Backup, Journal string
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil {
		s.Fatal(err)
	}
	done := strings.Count(s.dump(name), "[interrompu]")
	if sum.Type != "summary" || sum.Exit != code || sum.Fixed != done || sum.Backup == "" || sum.Journal == "" || done == 0 || done == signalRecords {
		s.Errorf("%d repaired, and the summary says %+v", done, sum)
	}
	if n := strings.Count(out, `"type":"change"`); n != done {
		s.Errorf("%d repaired, and %d changes reported", done, n)
	}
}

// TestSignalOutput stops a repair of a copy: no copy is left, and nothing of
// one.
func TestSignalOutput(t *testing.T) {
	s := newScene(t)
	s.manyPoisoned("a.db")
	before := s.stamp("a.db")
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := s.command("repair", "--quiet", "--output", "new.db", "a.db")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, "the copy to be begun", func() bool { return len(glob(t, s.path("new.db*"))) > 0 })
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 128+int(sig) {
			t.Errorf("%v: exit %d", sig, code)
		}
		s.has("a.db")
	}
	if s.stamp("a.db") != before {
		t.Error("the source has changed")
	}
}

// TestReaderLeaves: whoever reads the report stops after its first line, and
// the repair goes on to its end.
func TestReaderLeaves(t *testing.T) {
	s := newScene(t)
	s.manyPoisoned("a.db")
	cmd := s.command("repair", "--json", "--no-backup", "--batch-bytes", "65536", "a.db")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var b [100]byte
	if _, err := out.Read(b[:]); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v %s", err, stderr)
	}
	s.exits(0, "scan", "--quiet", "a.db")
}
