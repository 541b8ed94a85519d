package oracle

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestRepairCases judges the cases of testdata/repair, which come from public
// reports: what was damaged is refused, what is wanted is taken.
func TestRepairCases(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/repair/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		judge := For(filepath.Base(filepath.Dir(path)))
		if judge == nil {
			continue // a dialect that has no validator yet
		}
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		for _, f := range a.Files {
			files[f.Name] = f.Data
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		err = judge(files["in.json"])
		if sound := strings.HasPrefix(name, "same_") || strings.HasPrefix(name, "lint_") || strings.HasPrefix(name, "target_") || strings.HasPrefix(name, "out_of_order_"); sound != (err == nil) {
			t.Errorf("%s: %v", path, err)
		}
		for _, want := range []string{"want.json", "alt.json", "drop_turn.json", "with.json", "with_fix.json"} {
			if src := files[want]; src != nil && judge(src) != nil {
				t.Errorf("%s: %s: %v", path, want, judge(src))
			}
		}
	}
}
