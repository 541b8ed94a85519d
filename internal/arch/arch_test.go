// Package arch holds no program, only tests of the whole module: who may
// import whom, who may print, and what every file has to keep to. It parses
// the files itself, so that files of other systems and tests count too.
//
// docs/design.md has the reasons.
package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "boltmend"

// A source is one Go file of the module.
type source struct {
	name    string // from the root of the module, with slashes
	dir     string // of name, "." for the root
	test    bool
	imports []string
	text    []byte
	file    *ast.File
	set     *token.FileSet
}

// at is where a node stands, for a message.
func (s *source) at(pos token.Pos) string {
	return s.name + ":" + strconv.Itoa(s.set.Position(pos).Line)
}

// within reports whether the file lies in one of some folders, not counting
// folders below them.
func (s *source) within(dirs ...string) bool { return slices.Contains(dirs, s.dir) }

// root is the root of the module as seen from this package.
const root = "../.."

// files lists the files of the module but those that are not part of it: what
// git keeps for itself and what .gitignore names.
func files(t *testing.T) []string {
	t.Helper()
	ignore, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case name == ".git" && d.IsDir():
			return filepath.SkipDir
		case name == ".git": // of a linked working tree
		case d.Type().IsRegular() && !ignored(string(ignore), name):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// ignored knows what .gitignore has here: a name at the root, or a pattern for
// the last element.
func ignored(list, name string) bool {
	for _, line := range strings.Fields(list) {
		if rooted, ok := strings.CutPrefix(line, "/"); ok && rooted == name {
			return true
		}
		if ok, _ := path.Match(line, path.Base(name)); ok {
			return true
		}
	}
	return false
}

// sources parses every Go file.
func sources(t *testing.T) []*source {
	t.Helper()
	set := token.NewFileSet()
	var all []*source
	for _, name := range files(t) {
		if path.Ext(name) != ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		s := &source{
			name: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			text: text, file: f, set: set,
		}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			s.imports = append(s.imports, p)
		}
		all = append(all, s)
	}
	if len(all) < 50 {
		t.Fatalf("found %d Go files: this is not the module", len(all))
	}
	return all
}
