package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// straceOf finds strace, without which nothing can be made to fail. A run for
// everybody must not pass without it.
func straceOf(t *testing.T) string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-f", "-o", os.DevNull, "true").Run()
	}
	switch {
	case err == nil:
		return strace
	case os.Getenv("BOLTMEND_CI") != "":
		t.Fatalf("strace cannot be used: %v; install Debian's package of that name", err)
	}
	t.Skipf("needs strace to make system calls fail: %v", err)
	return ""
}

// A subject is a command that writes, and the file that it is run on.
type subject struct {
	scene
	name    string
	strace  string
	counts  faultCounts
	prepare func(d scene) // makes the files that a run begins with
	args    []string
	code    int // of a run without a fault
	// check looks at what any run left, hurt or not; finish runs what has to
	// end well then.
	check  func(d scene, f fault, got traced)
	finish func(d scene, f fault)
	runs   int
}

// folder makes a new folder for a run.
func (sub *subject) folder() scene {
	sub.runs++
	d := scene{sub.T, sub.path(fmt.Sprintf("%s.%d", sub.name, sub.runs))}
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		sub.Fatal(err)
	}
	sub.prepare(d)
	return d
}

// A traced is the outcome of a run under strace.
type traced struct {
	outcome
	hit   bool // something was injected
	trace string
}

// run runs the command with something injected into a call, and maybe into
// others besides. Only calls that are about files of the folder count, those of the Go
// runtime do not.
func (sub *subject) run(d scene, call string, injects ...string) traced {
	log := d.dir + ".log"
	args := []string{"-f", "-y", "-o", log, "-P", d.dir}
	if !strings.Contains(strings.Join(injects, " "), "signal=") {
		args = append(args, "--seccomp-bpf") // is faster, and drops signals
	}
	for _, name := range faultNames() {
		args = append(args, "-P", d.path(name))
	}
	trace := call
	for _, in := range injects {
		args = append(args, "-e", "inject="+in)
		trace += "," + in[:strings.Index(in, ":")]
	}
	cmd := d.command(sub.args...)
	args = append(args, "-e", "trace="+trace, cmd.Path)
	cmd.Args = append(append([]string{"strace"}, args...), cmd.Args[1:]...)
	cmd.Path = sub.strace
	cmd.Env = append(os.Environ(), "BOLTMEND_ONE_THREAD=1")
	got := traced{outcome: d.finish(cmd)}
	text, err := os.ReadFile(log)
	if err != nil {
		sub.Fatal(err)
	}
	os.Remove(log)
	got.trace = string(text)
	for line := range strings.Lines(got.trace) {
		got.hit = got.hit || strings.Contains(line, "killed by SIGKILL") || strings.Contains(line, "--- SIGINT {") ||
			strings.Contains(line, "--- SIGTERM {") || strings.Contains(line, "(INJECTED)") &&
			(strings.Contains(line, " "+call+"(") || strings.Contains(line, "<... "+call+" resumed>"))
	}
	return got
}

// faultNames are the files that a command might make in the folder.
func faultNames() []string {
	names := []string{"a.db", "my.plan", "my.plan.boltmend-plan.tmp"}
	for i := 2; i < 10; i++ {
		for _, end := range []string{".bak", ".journal", "-2.bak", "-2.journal"} {
			name := fmt.Sprintf("a.db.boltmend-%d%s", i, end)
			names = append(names, name, name+".tmp")
		}
	}
	return names
}

// unhurt runs the command without a fault, and counts its calls.
func (sub *subject) unhurt() {
	d := sub.folder()
	defer os.RemoveAll(d.dir)
	// Other calls than those that are made to fail would go unnoticed.
	also := []string{"rename", "link", "unlink", "creat", "pwritev", "writev", "fallocate", "sendfile", "truncate", "symlinkat"}
	got := sub.run(d, strings.Join(append(also, writingCalls...), ","))
	if got.code != sub.code {
		sub.Fatalf("%s without a fault: exit %d\n%s%s", sub.name, got.code, got.stdout, got.err)
	}
	sub.check(d, fault{command: sub.name}, got)
	sub.finish(d, fault{command: sub.name})
	for _, call := range writingCalls {
		sub.counts.calls(sub.name, call, strings.Count(got.trace, " "+call+"("))
	}
	for _, call := range also {
		if strings.Contains(got.trace, " "+call+"(") {
			sub.Errorf("%s calls %s, into which nothing is injected:\n%s", sub.name, call, got.trace)
		}
	}
	if sub.Failed() {
		sub.FailNow()
	}
}
