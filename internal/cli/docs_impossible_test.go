package cli

import (
	"testing"

	"boltmend/internal/oracle"
	"boltmend/repair"
)

// isImpossible reports whether no history of a dialect can have a finding.
func isImpossible(d repair.Dialect, c repair.Code) bool {
	return oracle.Impossible[string(d)][string(c)] != ""
}

// For every dialect and every finding there is a case that shows it, or a
// reason why there can be none.
func TestEveryFindingOfEveryDialectIsShown(t *testing.T) {
	shown := findingsOfCases(t)
	for _, d := range repair.Dialects() {
		for _, c := range repair.Codes() {
			if !shown[d][c] && !isImpossible(d, c) {
				t.Errorf("testdata/repair/%s has no case with %s", d, c)
			}
		}
	}
}
