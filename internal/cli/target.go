package cli

import (
	"slices"
	"strings"

	"boltmend/repair"
)

// checkTarget checks that there are such a target and such fixes.
func checkTarget(r repair.Options) error {
	if r.Target != "" && !slices.Contains(repair.Providers(), r.Target) {
		return usagef("unknown target %s: use one of %s", r.Target, joined(repair.Providers()))
	}
	for _, code := range r.Fix {
		switch {
		case slices.Contains(repair.Fixable(), code):
		case code.Group() == repair.Lint:
			return usagef("--fix %s: that is only reported, since a fix would make something up: use one of %s", code, joined(repair.Fixable()))
		case code.Group() == "":
			return usagef("--fix %s: unknown code: use one of %s", code, joined(repair.Fixable()))
		default:
			return usagef("--fix %s: that is no lint and needs no --fix: use one of %s", code, joined(repair.Fixable()))
		}
	}
	return nil
}

// joined lists names.
func joined[T ~string](names []T) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = string(n)
	}
	return strings.Join(list, ", ")
}
