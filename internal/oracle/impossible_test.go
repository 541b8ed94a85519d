package oracle

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestImpossible wants no case with a finding that is said to be impossible,
// and a table for each dialect.
func TestImpossible(t *testing.T) {
	for _, d := range Dialects() {
		if Impossible[d] == nil {
			t.Errorf("no table for %s", d)
		}
		paths, err := filepath.Glob("../../testdata/repair/" + d + "/*.txtar")
		if err != nil || len(paths) == 0 {
			t.Fatalf("no cases for %s: %v", d, err)
		}
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Files {
				if strings.HasPrefix(f.Name, "findings") {
					possible(t, path, Impossible[d], string(f.Data))
				}
			}
		}
	}
	if len(Impossible) != len(Dialects()) {
		t.Errorf("%d tables for %d dialects", len(Impossible), len(Dialects()))
	}
}

// possible wants no finding of a list to be impossible.
func possible(t *testing.T, path string, impossible map[string]string, findings string) {
	for line := range strings.Lines(findings) {
		if code := strings.Fields(line)[1]; impossible[code] != "" {
			t.Errorf("%s: %s is impossible: %s", path, code, impossible[code])
		}
	}
}
