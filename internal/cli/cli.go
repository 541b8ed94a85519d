// Package cli is the command line of boltmend: it turns arguments into
// options for package migrate, and the events that come back into text or
// JSON lines. It decides nothing about histories or databases.
//
// A command is one file named for its verb. Text and JSON are two views of
// the same events: json.go, and text.go with the views of the commands that
// need one of their own.
//
// The rules of the output:
//   - stdout is the report and nothing else; all else goes to stderr, with
//     the prefix "boltmend: ". --json changes stdout only.
//   - stdout stays empty on a usage error.
//   - The report holds no time and no duration: the same database gives the
//     same text.
//   - Nothing that was stored reaches a terminal unescaped.
//   - Only Main exits.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"boltmend/migrate"
)

// Main runs the program and exits.
func Main() {
	// Go's own exit code for a panic is 2, which here promises that no
	// database was opened.
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "boltmend: internal error: %v\n%s", r, debug.Stack())
			os.Exit(exitTrouble)
		}
	}()
	// For tests that make the n-th system call fail: these are counted by
	// thread, and this goroutine makes all that change a file.
	if os.Getenv("BOLTMEND_ONE_THREAD") != "" {
		runtime.LockOSThread()
	}
	ctx, stop := withSignals(context.Background())
	code := Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run runs the program with args, which do not hold its name, and returns the
// exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(ctx, fromMigrate, args, stdin, stdout, stderr)
}

// An engine does the work of the commands. Tests put in their own.
type engine struct {
	scan    func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	repair  func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	undo    func(ctx context.Context, journal, db string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	check   func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	restore func(ctx context.Context, backup, db string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	inspect func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	why     func(ctx context.Context, path, ref string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	show    func(ctx context.Context, path, ref string, diff bool, opts migrate.Options, emit func(migrate.Event)) migrate.Summary
	filter  func(src []byte, opts migrate.Options) ([]byte, []*migrate.History, error)
}

var fromMigrate = engine{
	scan:    migrate.Scan,
	repair:  migrate.Repair,
	undo:    migrate.Undo,
	check:   migrate.Check,
	restore: migrate.Restore,
	inspect: migrate.Inspect,
	why:     migrate.Explain,
	show:    migrate.Show,
	filter:  migrate.Filter,
}

// A program is one run of the command line.
type program struct {
	engine
	stdin  io.Reader
	stdout *sink
	stderr io.Writer
}

func run(ctx context.Context, e engine, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{engine: e, stdin: stdin, stdout: &sink{w: stdout}, stderr: stderr}
	code, err := p.dispatch(ctx, args)
	if err != nil {
		p.complain(err.Error())
		var usage usageError
		if errors.As(err, &usage) {
			return exitUsage
		}
		return exitTrouble
	}
	return p.reported(code)
}

// reported returns the exit code of a run whose work ended with code. A
// reader that went away is no fault of the work; a report that could not be
// written for another reason, such as a full disk, is lost and must not look
// like success.
func (p *program) reported(code int) int {
	err := p.stdout.err
	if err == nil || isClosedPipe(err) {
		return code
	}
	p.complain("write the report: " + err.Error())
	return worse(code, exitTrouble)
}

// complain writes one line to stderr.
func (p *program) complain(line string) {
	fmt.Fprintln(p.stderr, clean("boltmend: "+line))
}
