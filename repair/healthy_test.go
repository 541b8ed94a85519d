package repair_test

import (
	"bytes"
	"slices"
	"testing"

	"boltmend/internal/hostile"
	"boltmend/internal/oracle"
	"boltmend/repair"
)

// TestHealthyGenerated wants 1,000 conversations of every dialect, which its
// provider takes, byte for byte as they are, and without a finding that is no
// lint. Those whose messages fork are judged path by path and not counted.
func TestHealthyGenerated(t *testing.T) {
	for _, dialect := range hostile.Dialects() {
		accepts := oracle.For(dialect)
		for n, seed := 0, uint64(0); n < 1000; seed++ {
			src := hostile.New(seed, dialect).Healthy()
			if accepts(src) != nil {
				continue
			}
			r, err := repair.History(src, repair.Options{Dialect: repair.Dialect(dialect), KeepOrder: true})
			if err != nil {
				t.Fatalf("%s seed %d: %v\n%s", dialect, seed, err, src)
			}
			outOfOrder := func(f repair.Finding) bool { return f.Code == repair.OutOfOrderResult } // without ids
			if r.Reason != "" || slices.ContainsFunc(r.Findings, outOfOrder) {
				continue
			}
			n++
			if !bytes.Equal(r.JSON, src) || slices.ContainsFunc(r.Findings, func(f repair.Finding) bool { return f.Group() != repair.Lint }) {
				t.Fatalf("%s seed %d: %v\n%s", dialect, seed, r.Findings, src)
			}
		}
	}
}
