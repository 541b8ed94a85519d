package arch

import (
	"bytes"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// prints are the programs that have a terminal: boltmend by its cli, and the
// tools for whoever works on it.
var prints = []string{"internal/cli", "internal/bench", "internal/dbtext/make", "internal/bolt13", "internal/reliability"}

// TestOnlyCliPrints keeps libraries from writing to a terminal and from ending
// the process: a report is data, an error is returned.
func TestOnlyCliPrints(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || s.within(prints...) {
			continue
		}
		for _, imported := range s.imports {
			if imported == "log" || imported == "log/slog" {
				t.Errorf("%s imports %s: only cli prints", s.name, imported)
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if name := terminal(n); name != "" {
				t.Errorf("%s uses %s: only cli prints, and only cli.Main exits", s.at(n.Pos()), name)
			}
			return true
		})
	}
}

// terminal names what a node does to the terminal or the process, "" if
// nothing.
func terminal(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
			return id.Name
		}
	case *ast.SelectorExpr:
		pkg, ok := n.X.(*ast.Ident)
		if !ok {
			return ""
		}
		name := pkg.Name + "." + n.Sel.Name
		if strings.HasPrefix(name, "fmt.Print") || strings.HasPrefix(name, "fmt.Scan") ||
			slices.Contains([]string{"os.Stdin", "os.Stdout", "os.Stderr", "os.Exit", "syscall.Exit"}, name) {
			return name
		}
	}
	return ""
}

// TestOnlyMainExits holds cli itself to it: a command returns its exit code.
func TestOnlyMainExits(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || !s.within("internal/cli") {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Name.Name == "Main" {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if name := terminal(n); name == "os.Exit" {
					t.Errorf("%s uses %s: only cli.Main exits", s.at(n.Pos()), name)
				}
				return true
			})
		}
	}
}

// TestNoInit: what a package does is done when it is called.
func TestNoInit(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: a function init", s.at(f.Pos()))
			}
		}
	}
}

// longest is how many lines a file may have: a file fits in a head.
const longest = 300

func TestFilesAreShort(t *testing.T) {
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > longest {
			t.Errorf("%s has %d lines, %d at most: split it", s.name, n, longest)
		}
	}
}

// TestExportedNamesAreDocumented is about what others may call. A group of
// constants or variables may share a comment.
func TestExportedNamesAreDocumented(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || !s.within("repair", "store", "store/page", "migrate") {
			continue
		}
		for _, d := range s.file.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", s.at(name.Pos()), name.Name)
			}
		}
	}
}

// wellKnown are methods that say no more than their interface does.
var wellKnown = []string{"Error", "String", "Unwrap", "Is"}

func undocumented(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		method := d.Recv != nil
		if !d.Name.IsExported() || method && (!ast.IsExported(receiver(d)) || slices.Contains(wellKnown, d.Name.Name)) {
			return nil
		}
		if d.Doc == nil {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && spec.Doc == nil && (d.Doc == nil || len(d.Specs) > 1) {
					names = append(names, spec.Name)
				}
			case *ast.ValueSpec:
				if d.Doc != nil || spec.Doc != nil || spec.Comment != nil {
					continue
				}
				for _, name := range spec.Names {
					if name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// receiver is the name of a method's type.
func receiver(f *ast.FuncDecl) string {
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// TestPackagesAreDocumented wants one comment on each package that is not all
// tests.
func TestPackagesAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if s.test && s.dir != "internal/arch" {
			continue
		}
		name, comment := s.file.Name.Name, s.file.Doc.Text()
		documented[s.dir] = documented[s.dir] || comment != ""
		if comment != "" && name != "main" && !strings.HasPrefix(comment, "Package "+name+" ") {
			t.Errorf("%s: the package comment does not begin with its name", s.at(s.file.Package))
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment", dir)
		}
	}
}
