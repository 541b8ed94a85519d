package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"boltmend/internal/dbtext"
)

var update = flag.Bool("update", false, "rewrite what the scripts expect")

// TestMain makes "boltmend" a command of the scripts: the test binary itself.
func TestMain(m *testing.M) {
	if os.Getenv("BOLTMEND_TEST_HANG") != "" {
		hang()
	}
	testscript.Main(m, map[string]func(){"boltmend": Main})
}

// TestScripts runs the stories in testdata/script. Beside testscript's own
// commands they have
//
//	exits CODE PROGRAM ARG...   run a program that must exit with CODE
//	mkdb FILE SPEC              make a database, see package dbtext
//	dumpdb FILE                 print one
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"mkdb":   mkdb,
			"dumpdb": dumpdb,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if code != want {
		ts.Fatalf("%s exited with %d, want %d", args[1], code, want)
	}
}

// hang is what the test binary does as a victim of signals: it says what ends
// its context and then never ends.
func hang() {
	ctx, _ := withSignals(context.Background())
	os.Stdout.WriteString("ready\n")
	<-ctx.Done()
	os.Stdout.WriteString(context.Cause(ctx).Error() + "\n")
	select {}
}

// mkdb makes a database from a text.
func mkdb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mkdb FILE SPEC")
	}
	ts.Check(dbtext.Make(ts.MkAbs(args[0]), ts.ReadFile(args[1]), ts.ReadFile))
}

// dumpdb prints a database as mkdb reads it.
func dumpdb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: dumpdb FILE")
	}
	ts.Check(dbtext.Dump(ts.Stdout(), ts.MkAbs(args[0])))
}
