package oracle

import (
	"errors"
	"slices"
)

// Where ids are optional, a result goes by its id first. One of an id that no
// call of the turn has goes by its name to a call without an id; one without
// an id goes by its name, in order; one without a name goes by order alone.
func byIDOrName(calls []call, answers []reply) []int {
	of := slices.Repeat([]int{-1}, len(answers))
	answered := make([]bool, len(calls))
	give := func(wants func(reply) bool, fits func(reply, call) bool) {
		for i, a := range answers {
			if of[i] >= 0 || !wants(a) {
				continue
			}
			for k, c := range calls {
				if !answered[k] && fits(a, c) {
					of[i], answered[k] = k, true
					break
				}
			}
		}
	}
	known := func(a reply) bool {
		return a.id != "" && slices.ContainsFunc(calls, func(c call) bool { return c.id == a.id })
	}
	named := func(a reply) bool { return !blank(a.name) }
	give(known, func(a reply, c call) bool { return a.id == c.id })
	give(func(a reply) bool { return !known(a) && named(a) }, func(a reply, c call) bool { return c.id == "" && a.name == c.name })
	give(func(a reply) bool { return a.id == "" && named(a) }, func(a reply, c call) bool { return a.name == c.name })
	give(func(a reply) bool { return a.id == "" && !named(a) }, func(reply, call) bool { return true })
	return of
}

// acceptOptional judges an answer where ids are optional: an id may be left
// out on either side, but not be empty where the call has one.
func acceptOptional(id, name string) func(reply, call) error {
	return func(a reply, c call) error {
		switch {
		case a.object.blank(name) && !blank(c.name):
			return errors.New(name + ": must not be empty")
		case c.id != "" && a.object[id] == "":
			return errors.New(id + ": must not be empty where the call has one")
		}
		return nil
	}
}

// emptyID reports whether an object has an id that is an empty string.
func emptyID(o object) bool { return o["id"] == "" }
