// Reliability makes the table of damages in docs/reliability.md: what bbolt
// does with each damaged file, and what boltmend does.
//
//	go generate ./internal/reliability
//
// bbolt runs in a process of its own for each file and each operation, with a
// limit on time and memory, since on some files it crashes, and on some it
// never returns. The files are those of the tests of package page.
package main

//go:generate go run . ../../docs/reliability.md

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == "-op":
		os.Exit(child(os.Args[2], os.Args[3]))
	case len(os.Args) == 2:
		err = rewrite(os.Args[1])
	default:
		err = fmt.Errorf("usage: reliability DOCUMENT")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reliability:", err)
		os.Exit(1)
	}
}

// The table stands between these lines; the rest of the document is not
// touched.
const (
	head = "<!-- damage: made by go generate ./internal/reliability -->\n"
	tail = "<!-- end of damage -->\n"
)

// rewrite makes the table anew.
func rewrite(document string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), head)
	_, after, closed := strings.Cut(rest, tail)
	if !ok || !closed {
		return fmt.Errorf("%s has no place for the table: %q and %q", document, head, tail)
	}
	rows, err := measure()
	if err != nil {
		return err
	}
	return os.WriteFile(document, []byte(before+head+table(rows)+tail+after), 0o644)
}

// A row is what became of one damaged file.
type row struct {
	damage                       string
	open, walk, check, put       string // bbolt
	ourCheck, ourScan, ourRepair string
}

// measure makes the files and tries everything on each.
func measure() ([]row, error) {
	dir, err := os.MkdirTemp("", "reliability-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "boltmend")
	if err := run("go", "build", "-o", program, "boltmend"); err != nil {
		return nil, err
	}
	if err := run("go", "test", "boltmend/store/page", "-count=1", "-run", "^TestWriteDamaged$", "-args", "-damaged", dir); err != nil {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(dir, "list"))
	if err != nil {
		return nil, err
	}
	m := maker{dir: dir, program: program}
	var rows []row
	for line := range strings.Lines(string(list)) {
		file, damage, _ := strings.Cut(strings.TrimSpace(line), "\t")
		r, err := m.row(filepath.Join(dir, file), damage)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", damage, err)
		}
		rows = append(rows, r)
		fmt.Printf("%3d %s\n", len(rows), r.line())
	}
	return rows, nil
}

func run(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out.Bytes())
	}
	return nil
}
