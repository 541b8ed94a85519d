package arch

import (
	"slices"
	"strings"
	"testing"
)

// A rule says of some files what they may not import.
type rule struct {
	name string
	of   func(*source) bool
	bars func(imported string) bool
}

var rules = []rule{
	{"repair knows the standard library and jsonedit, and nothing of databases",
		code("repair"), but(isStandard, own("internal/jsonedit"))},
	{"jsonedit knows the standard library alone",
		code("internal/jsonedit"), but(isStandard)},
	{"the page check knows the standard library alone",
		code("store/page"), but(isStandard)},
	{"repair and jsonedit are pure: no files, no clock, no chance",
		code("repair", "internal/jsonedit"), outside},
	{"only store talks to bbolt, beside tests and the tools that make files",
		not(code("store", "internal/dbtext", "internal/bench", "internal/bolt13", "internal/reliability"), tests), below("go.etcd.io/bbolt")},
	{"only cli knows the command line library",
		not(all("internal/cli")), below("github.com/urfave/cli")},
	{"only cli shows progress",
		not(all("internal/cli")), below("github.com/schollz/progressbar")},
	{"store knows no conversations",
		all("store", "store/page"), own("repair", "migrate", "internal/jsonedit", "internal/codec")},
	{"repair knows no databases",
		all("repair", "internal/jsonedit"), own("store", "store/page", "migrate", "internal/cli")},
	{"oracle and hostile are for tests",
		not(tests, all("internal/oracle", "internal/hostile")), own("internal/oracle", "internal/hostile")},
	{"the program is not for hostile or oracle to judge by",
		all("internal/oracle", "internal/hostile"), own("repair", "internal/jsonedit", "migrate", "store")},
	{"hostile knows the oracle in tests only",
		code("internal/hostile"), own("internal/oracle")},
	{"only main knows cli",
		not(all(".")), own("internal/cli")},
	{"migrate does the work of the tools, not the other way around",
		code("migrate", "store", "repair", "internal/cli"), own("internal/dbtext", "internal/bench", "internal/arch")},
}

// code is the program in some folders, all is that and its tests.
func code(dirs ...string) func(*source) bool {
	return func(s *source) bool { return !s.test && s.within(dirs...) }
}

func all(dirs ...string) func(*source) bool {
	return func(s *source) bool { return s.within(dirs...) }
}

func tests(s *source) bool { return s.test }

// not is every file that none of the conditions holds for.
func not(conditions ...func(*source) bool) func(*source) bool {
	return func(s *source) bool {
		return !slices.ContainsFunc(conditions, func(c func(*source) bool) bool { return c(s) })
	}
}

// but bars all imports that none of the conditions allows.
func but(allowed ...func(string) bool) func(string) bool {
	return func(imported string) bool {
		return !slices.ContainsFunc(allowed, func(a func(string) bool) bool { return a(imported) })
	}
}

// isStandard tells the standard library, whose paths begin with no host.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return first != module && !strings.Contains(first, ".")
}

// own is some packages of this module.
func own(dirs ...string) func(string) bool {
	return func(imported string) bool {
		dir, ok := strings.CutPrefix(imported, module+"/")
		return ok && slices.Contains(dirs, dir)
	}
}

// below is a module and its packages, in any major version.
func below(prefix string) func(string) bool {
	return func(imported string) bool { return imported == prefix || strings.HasPrefix(imported, prefix+"/") }
}

// outside is what of the standard library reaches out of a pure function.
func outside(imported string) bool {
	switch first, _, _ := strings.Cut(imported, "/"); first {
	case "os", "net", "time", "log", "syscall", "testing", "database":
		return true
	}
	return slices.Contains([]string{"io/fs", "math/rand", "math/rand/v2", "crypto/rand", "runtime/debug"}, imported)
}

func TestImports(t *testing.T) {
	matched := make([]int, len(rules))
	for _, s := range sources(t) {
		for i, r := range rules {
			if !r.of(s) {
				continue
			}
			matched[i]++
			for _, imported := range s.imports {
				if r.bars(imported) {
					t.Errorf("%s imports %s, but %s", s.name, imported, r.name)
				}
			}
		}
	}
	for i, n := range matched {
		if n == 0 {
			t.Errorf("no file that the rule is about: %s", rules[i].name)
		}
	}
}

// TestRulesBite tries the rules on imports that they have to refuse, and on
// some that they must not.
func TestRulesBite(t *testing.T) {
	for _, c := range []struct {
		file, imported string
		barred         bool
	}{
		{"repair/x.go", "boltmend/store", true},
		{"repair/x.go", "boltmend/internal/jsonedit", false},
		{"repair/x.go", "os", true},
		{"repair/x.go", "bytes", false},
		{"repair/x_test.go", "os", false},
		{"repair/x_test.go", "boltmend/internal/oracle", false},
		{"repair/x_test.go", "boltmend/migrate", true},
		{"internal/jsonedit/x.go", "golang.org/x/text", true},
		{"migrate/x.go", "go.etcd.io/bbolt", true},
		{"migrate/x_test.go", "go.etcd.io/bbolt", false},
		{"store/x.go", "go.etcd.io/bbolt/errors", false},
		{"store/x.go", "boltmend/internal/jsonedit", true},
		{"store/page/x.go", "go.etcd.io/bbolt", true},
		{"migrate/x.go", "github.com/urfave/cli/v2", true},
		{"internal/cli/x.go", "github.com/urfave/cli/v2", false},
		{"internal/cli/x.go", "boltmend/internal/oracle", true},
		{"internal/oracle/x_test.go", "boltmend/repair", true},
		{"internal/hostile/x.go", "boltmend/internal/oracle", true},
		{"internal/hostile/x_test.go", "boltmend/internal/oracle", false},
		{"store/x.go", "boltmend/internal/cli", true},
		{"main.go", "boltmend/internal/cli", false},
	} {
		s := &source{name: c.file, dir: ".", test: strings.HasSuffix(c.file, "_test.go")}
		if i := strings.LastIndex(c.file, "/"); i >= 0 {
			s.dir = c.file[:i]
		}
		barred := slices.ContainsFunc(rules, func(r rule) bool { return r.of(s) && r.bars(c.imported) })
		if barred != c.barred {
			t.Errorf("%s imports %s: barred %v, want %v", c.file, c.imported, barred, c.barred)
		}
	}
}
