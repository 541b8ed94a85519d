package repair_test

import (
	"fmt"
	"slices"

	"boltmend/repair"
)

// removedByFinding wants each text that is removed to be filed under a finding
// that is fixed.
func removedByFinding(x trial) error {
	for _, r := range x.result.Removed {
		fits := func(f repair.Finding) bool { return f.Fixed && f.Code == r.Code }
		if !slices.ContainsFunc(x.result.Findings, fits) {
			return fmt.Errorf("a %s of message %d is removed for %s, which is not found", r.Kind, r.Message, r.Code)
		}
	}
	return nil
}
