package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"boltmend/migrate"
)

// fakeOptions keeps the options that it is called with.
func fakeOptions(got *migrate.Options) work {
	return func(_ context.Context, _ string, opts migrate.Options, _ func(migrate.Event)) migrate.Summary {
		*got = opts
		return migrate.Summary{}
	}
}

// exiting is a scan that exits with a code that is a file's name, and keeps
// the names.
func exiting(codes map[string]int, paths *[]string) engine {
	return engine{scan: func(_ context.Context, path string, _ migrate.Options, emit func(migrate.Event)) migrate.Summary {
		*paths = append(*paths, path)
		s := migrate.Summary{Type: "summary", Database: path, Exit: codes[path]}
		emit(&s)
		return s
	}}
}

func TestExitOfSeveral(t *testing.T) {
	codes := map[string]int{"done": 0, "left": 1, "usage": 2, "trouble": 3, "locked": 4, "signal": 130}
	for args, want := range map[string]int{
		"done":                     0,
		"done left":                1,
		"left done":                1,
		"left locked done":         4,
		"trouble locked left done": 3,
		"locked trouble":           3,
		"left usage":               2,
		"usage locked":             4,
		"trouble signal":           130,
	} {
		var paths []string
		code := run(t.Context(), exiting(codes, &paths), append([]string{"scan", "--json"}, strings.Fields(args)...),
			nil, io.Discard, io.Discard)
		if code != want || strings.Join(paths, " ") != args {
			t.Errorf("%s: exit %d, want %d; ran %v", args, code, want, paths)
		}
	}
}

func TestDatabases(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.db", "b.db", "a.db.boltmend-12.bak", "a.db.boltmend-12.journal", "a.db.boltmend-x.bak"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link("a.db", "link.db"); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string][2]string{
		"a.db b.db":                 {"a.db b.db", ""},
		"a.db ./a.db link.db b.db":  {"a.db b.db", "boltmend: ./a.db: passed over: the same file as a.db\nboltmend: link.db: passed over: the same file as a.db\n"},
		"a.db.boltmend-12.bak":      {"a.db.boltmend-12.bak", ""},
		"a.db.boltmend-12.bak b.db": {"b.db", "boltmend: a.db.boltmend-12.bak: passed over: boltmend made it beside a database\n"},
		"b.db a.db.boltmend-x.bak":  {"b.db a.db.boltmend-x.bak", ""},
		"missing missing":           {"missing missing", ""},
		"b.db b.db --quiet":         {"b.db", ""},
	} {
		var paths []string
		var errs bytes.Buffer
		run(t.Context(), exiting(nil, &paths), append([]string{"scan"}, strings.Fields(args)...), nil, io.Discard, &errs)
		if got := strings.Join(paths, " "); got != want[0] || errs.String() != want[1] {
			t.Errorf("%s: ran %s, said %q", args, got, errs.String())
		}
	}
}

// A signal ends the run before the next database, and is in the summary of
// the one that it met.
func TestSignalled(t *testing.T) {
	for signal, want := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var ran []string
		e := engine{scan: func(_ context.Context, path string, _ migrate.Options, emit func(migrate.Event)) migrate.Summary {
			ran = append(ran, path)
			cancel(interrupted{signal})
			s := migrate.Summary{Type: "summary", Exit: 1}
			emit(&s)
			return s
		}}
		var out bytes.Buffer
		code := run(ctx, e, []string{"scan", "--json", "a", "b"}, nil, &out, io.Discard)
		if code != want || len(ran) != 1 || !strings.Contains(out.String(), fmt.Sprintf(`"exit":%d}`, want)) {
			t.Errorf("%v: exit %d, ran %v, %s", signal, code, ran, out.String())
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A reader that goes away stops nothing and changes no exit code; a report
// that is lost does not look like success.
func TestReportNotWritten(t *testing.T) {
	for _, tt := range []struct {
		err  error
		code int
		line string
	}{
		{syscall.EPIPE, 1, ""},
		{&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, 1, ""},
		{syscall.ENOSPC, 3, "boltmend: write the report: no space left on device\n"},
	} {
		var paths []string
		var errs bytes.Buffer
		code := run(t.Context(), exiting(map[string]int{"a": 1}, &paths), []string{"scan", "--json", "a", "b"}, nil, failing{tt.err}, &errs)
		if code != tt.code || len(paths) != 2 || errs.String() != tt.line {
			t.Errorf("%v: exit %d, ran %v, said %q", tt.err, code, paths, errs.String())
		}
	}
}

func TestFilter(t *testing.T) {
	e := engine{filter: func(src []byte, opts migrate.Options) ([]byte, []*migrate.History, error) {
		switch string(src) {
		case "bad", `{"a": }`:
			return nil, nil, errors.New("no history")
		case "sound":
			return src, []*migrate.History{{State: migrate.Sound}}, nil
		}
		fixed, left := missing("call_a"), missing("a b")
		fixed.Fixed = true
		return []byte("out"), []*migrate.History{
			{Path: "", Findings: []migrate.Finding{fixed}},
			{Path: "/log", Findings: []migrate.Finding{left}},
		}, nil
	}}
	for _, tt := range []struct {
		in, args, out, errs string
		code                int
	}{
		{"sound", "", "sound", "", 0},
		{"sound", "--all", "sound", "boltmend: sound\n", 0},
		{"x", "", "out", "boltmend: message 0: 1 call without a result (call_a)\n" +
			"boltmend: /log: message 0: 1 call without a result (len=3 sha256=c8687a08) [left]\n", 1},
		{"x", "--quiet", "out", "", 1},
		{"bad", "", "", "boltmend: stdin: not JSON at byte 1: invalid character 'b' looking for beginning of value\n", 3},
		{`{"a": }`, "", "", "boltmend: stdin: not JSON at byte 7: invalid character '}' looking for beginning of value\n", 3},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), e, append([]string{"filter"}, strings.Fields(tt.args)...), strings.NewReader(tt.in), &out, &errs)
		if out.String() != tt.out || errs.String() != tt.errs || code != tt.code {
			t.Errorf("filter %s of %q: %q, %q, exit %d", tt.args, tt.in, out.String(), errs.String(), code)
		}
	}
	var errs bytes.Buffer
	if code := run(t.Context(), e, []string{"filter"}, strings.NewReader("x"), failing{syscall.EPIPE}, &errs); code != 3 {
		t.Errorf("history not written: exit %d, %q", code, errs.String())
	}
	if code := run(t.Context(), e, []string{"filter"}, failingReader{}, io.Discard, &errs); code != 3 {
		t.Errorf("stdin not read: exit %d, %q", code, errs.String())
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, syscall.EIO }
