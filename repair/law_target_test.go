package repair_test

import (
	"fmt"
	"maps"
	"slices"

	"boltmend/internal/oracle"
	"boltmend/repair"
)

// isPoison reports whether every provider of the dialect refuses it.
func isPoison(f repair.Finding) bool {
	return f.Group() == repair.Pairing || f.Group() == repair.Arguments
}

// leftIsFoundAgain wants a second look to find of lint, and of what the target
// refuses, just what the first one has left.
func leftIsFoundAgain(x trial) error {
	left, again := counts(x.result.Findings), counts(x.again.Findings)
	if !maps.Equal(left, again) {
		return fmt.Errorf("left %v, found again %v", left, again)
	}
	return nil
}

// counts counts the findings that are not fixed and are no fault of pairing.
func counts(findings []repair.Finding) map[repair.Code]int {
	n := map[repair.Code]int{}
	for _, f := range findings {
		if !f.Fixed && !isPoison(f) {
			n[f.Code]++
		}
	}
	return n
}

// targetTakesIDs wants every id to be one that the target takes.
func targetTakesIDs(x trial) error {
	takes := oracle.ForTarget(string(x.opts.Target), x.dialect)
	if takes == nil {
		return nil
	}
	if leavesIDs(x) {
		return nil // it says so itself
	}
	return takes(x.result.JSON)
}

// leavesIDs reports whether some id that the target may refuse is not changed.
func leavesIDs(x trial) bool {
	return slices.ContainsFunc(x.result.Findings, func(f repair.Finding) bool {
		return !f.Fixed && (isPoison(f) || f.Group() == repair.Target && f.Code != repair.TargetRole)
	})
}

// idsAreInjective wants two ids to stay two: beside a repair without a target,
// each id has one new one, and no two the same. Where ids must be unique, the
// calls after the first are others.
func idsAreInjective(x trial) error {
	if x.opts.Target == "" || leavesIDs(x) {
		return nil
	}
	o := x.opts
	o.Target, o.Fix, o.Dialect = "", nil, repair.Dialect(x.dialect)
	plain, err := repair.History(x.src, o)
	if err != nil {
		return err
	}
	before, err := oracle.CallIDs(x.dialect, plain.JSON)
	if err != nil {
		return err
	}
	o.Target = x.opts.Target // without fixes, which may take a branch's first message out
	renamed, err := repair.History(x.src, o)
	if err != nil {
		return err
	}
	after, err := oracle.CallIDs(x.dialect, renamed.JSON)
	if err != nil {
		return err
	}
	to, from := map[string]string{}, map[string]string{}
	unique := !slices.Contains([]repair.Provider{repair.ToOpenAI, repair.ToMistral}, x.opts.Target)
	for b := range before {
		if len(after) <= b || len(before[b]) != len(after[b]) {
			return fmt.Errorf("ids %q became %q", before, after)
		}
		for i, old := range before[b] {
			id := after[b][i]
			if was, known := from[id]; known && was != old {
				return fmt.Errorf("%q and %q are both %q", was, old, id)
			}
			if was, known := to[old]; known && was != id && !unique {
				return fmt.Errorf("%q is both %q and %q", old, was, id)
			}
			from[id], to[old] = old, id
		}
	}
	return nil
}
