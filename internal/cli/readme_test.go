package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boltmend/migrate"
	"boltmend/repair"
)

// README.md and docs are held to what the program does: what a console block
// shows is run, what a table says is compared, and names have to exist.

const moduleRoot = "../.."

// shownAs is what the folder of a session is called in README.md.
const shownAs = "/srv/chat"

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documents are README.md and all of docs.
func documents(t *testing.T) map[string]string {
	docs := map[string]string{"README.md": readDoc(t, "README.md")}
	entries, err := os.ReadDir(filepath.Join(moduleRoot, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		docs["docs/"+e.Name()] = readDoc(t, "docs/"+e.Name())
	}
	return docs
}

// A fence is a block of code. A second word behind its language is the name of
// the file that it is.
type fence struct{ lang, file, text string }

var fencePattern = regexp.MustCompile("(?ms)^```([a-z]*) ?([^\n]*)\n(.*?)^```$")

func fences(doc string) (all []fence) {
	for _, m := range fencePattern.FindAllStringSubmatch(doc, -1) {
		all = append(all, fence{m[1], m[2], m[3]})
	}
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeSession runs all console blocks of README.md one behind the other
// in one folder, and the commands that it sets off by four spaces.
func TestReadmeSession(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, _ := filepath.Abs(filepath.Join(moduleRoot, "testdata"))
	if err := os.Symlink(data, filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	readme := readDoc(t, "README.md")
	commands := 0 // that were run
	for _, m := range regexp.MustCompile(`(?m)^    (go run \. .*)$`).FindAllStringSubmatch(readme, -1) {
		if out, code := runLine(t, dir, m[1], 0); code != 0 {
			t.Errorf("%s\nexits with %d\n%s", m[1], code, out)
		}
		commands++
	}
	for _, f := range fences(readme) {
		switch f.lang {
		case "sh":
			write(t, filepath.Join(dir, f.file), f.text)
		case "console":
			commands += runSession(t, dir, f.text)
		}
	}
	if commands < 10 {
		t.Errorf("README.md shows %d commands", commands)
	}
}

// runSession runs the lines that begin with "$ " and compares what each
// prints with what follows it.
func runSession(t *testing.T, dir, session string) (n int) {
	code := 0
	for _, part := range strings.Split("\n"+session, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		var out string
		out, code = runLine(t, dir, command, code)
		got := strings.TrimSuffix(strings.ReplaceAll(out, dir, shownAs), "\n")
		if want = strings.TrimSuffix(want, "\n"); got != want {
			t.Errorf("$ %s\ngot:\n%s\nwant:\n%s", command, got, want)
		}
		n++
	}
	return n
}

// runLine runs one line as a shell would whose last command exited with last.
func runLine(t *testing.T, dir, line string, last int) (out string, code int) {
	t.Helper()
	line = strings.ReplaceAll(line, "go run .", "boltmend")
	cmd := exec.Command("sh", "-c", "(exit "+strconv.Itoa(last)+")\n"+line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+dir)
	text, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatalf("%s: %v", line, err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// TestReadmeLibrary makes an app of the blocks that README.md gives for one.
func TestReadmeLibrary(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("needs the go command, and some time")
	}
	clone, _ := filepath.Abs(moduleRoot)
	dir, files := t.TempDir(), 0
	for _, f := range fences(readDoc(t, "README.md")) {
		switch {
		case f.file == "go.mod":
			f.text = "module example.com/app\n\ngo 1.26\n\n" + strings.Replace(f.text, "../boltmend", strconv.Quote(clone), 1)
		case f.lang != "go":
			continue
		}
		files++
		write(t, filepath.Join(dir, f.file), f.text)
	}
	if files < 2 {
		t.Fatal("README.md has no go.mod and no Go file")
	}
	// All modules are there, since this test was built with them.
	for _, args := range [][]string{{"mod", "tidy"}, {"vet", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// helpFlags are the flags that the help of a command names.
func helpFlags(command ...string) (names []string) {
	var out bytes.Buffer
	Run(context.Background(), append(command, "--help"), nil, &out, &out)
	for _, m := range regexp.MustCompile(`(?m)^  (--[a-z-]+)`).FindAllStringSubmatch(out.String(), -1) {
		names = append(names, m[1])
	}
	return names
}

var (
	spanPattern  = regexp.MustCompile("`([^`]+)`")
	usePattern   = regexp.MustCompile(`\bboltmend ([a-z]+)\b([^\n|;>]*)`)
	givenPattern = regexp.MustCompile(`(?:^|[^\w-])(--[a-z][a-z-]*)`)
)

// TestDocsNameWhatExists wants every command, and every flag, that is
// mentioned to exist, and a flag to be one of the command that it stands with.
func TestDocsNameWhatExists(t *testing.T) {
	known, anywhere := map[string][]string{}, helpFlags()
	for _, c := range commands() {
		known[c.name] = helpFlags(c.name)
		anywhere = append(anywhere, known[c.name]...)
	}
	for name, doc := range documents(t) {
		for _, m := range givenPattern.FindAllStringSubmatch(doc, -1) {
			if !slices.Contains(anywhere, m[1]) {
				t.Errorf("%s: no command has the flag %s", name, m[1])
			}
		}
		var code []string
		for _, f := range fences(doc) {
			code = append(code, f.text)
		}
		for _, m := range spanPattern.FindAllStringSubmatch(fencePattern.ReplaceAllString(doc, ""), -1) {
			code = append(code, strings.ReplaceAll(m[1], "\n", " "))
		}
		for _, m := range usePattern.FindAllStringSubmatch(strings.Join(code, "\n"), -1) {
			flags, ok := known[m[1]]
			if !ok {
				t.Errorf("%s: there is no command %s", name, m[0])
			}
			for _, g := range givenPattern.FindAllStringSubmatch(m[2], -1) {
				if ok && !slices.Contains(flags, g[1]) {
					t.Errorf("%s: %s: the command has no flag %s", name, m[0], g[1])
				}
			}
		}
	}
}

// tables returns the rows of each table with a first column of that name,
// without backquotes.
func tables(doc, first string) (all [][][]string) {
	pattern := regexp.MustCompile(`(?m)^\| ` + first + ` \|.*\n\|[-|]+\n((?:\|.*\n)+)`)
	for _, m := range pattern.FindAllStringSubmatch(doc, -1) {
		var rows [][]string
		for _, line := range strings.Split(strings.TrimSpace(m[1]), "\n") {
			rows = append(rows, strings.Split(strings.Trim(strings.ReplaceAll(line, "`", ""), "| "), " | "))
		}
		all = append(all, rows)
	}
	return all
}

// TestDocsExitCodes compares every table of exit codes with the program's.
func TestDocsExitCodes(t *testing.T) {
	var want [][]string
	oneLine := strings.ReplaceAll(exitHelp, "\n     ", " ")
	for _, m := range regexp.MustCompile(`(?m)^  ([\d, ]*\d)  (\S.*)$`).FindAllStringSubmatch(oneLine, -1) {
		want = append(want, m[1:])
	}
	found := 0
	for name, doc := range documents(t) {
		for _, got := range tables(doc, "exit") {
			if found++; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: exit codes\ngot  %q\nwant %q", name, got, want)
			}
		}
	}
	if found == 0 {
		t.Error("no table of exit codes")
	}
}

// TestDocsDialects wants a row in README.md and a section in docs/dialects.md
// for each dialect.
func TestDocsDialects(t *testing.T) {
	var listed []string
	for _, row := range slices.Concat(tables(readDoc(t, "README.md"), "dialect")...) {
		listed = append(listed, row[0])
	}
	rules := readDoc(t, "docs/dialects.md")
	for _, d := range repair.Dialects() {
		if !slices.Contains(listed, string(d)) {
			t.Errorf("README.md does not list the dialect %s", d)
		}
		if !strings.Contains(rules, "\n## "+string(d)+"\n") {
			t.Errorf("docs/dialects.md has no section %s", d)
		}
	}
	for _, name := range listed {
		if !slices.Contains(repair.Dialects(), repair.Dialect(name)) {
			t.Errorf("README.md lists the dialect %s, which does not exist", name)
		}
	}
}

// TestDocsReport wants docs/report.md to list the fields of each line, all of
// them and in order.
func TestDocsReport(t *testing.T) {
	doc := readDoc(t, "docs/report.md")
	for name, line := range map[string]any{
		"history": migrate.History{}, "finding": migrate.Finding{}, "change": migrate.Change{},
		"summary": migrate.Summary{}, "error": migrate.Error{}, "note": migrate.Note{}, "undo": migrate.Undone{},
		"page": migrate.Page{}, "file": migrate.File{}, "bucket": migrate.Bucket{}, "why": migrate.Why{}, "message": migrate.Message{}, "explain": explanation{},
	} {
		var want, got []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(line)) {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
				want = append(want, tag)
			}
		}
		_, section, _ := strings.Cut(doc, "\n## "+name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, row := range slices.Concat(tables(section, "field")...) {
			got = append(got, row[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("docs/report.md, %s: fields\ngot  %q\nwant %q", name, got, want)
		}
	}
}
