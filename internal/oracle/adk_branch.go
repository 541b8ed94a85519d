package oracle

import "slices"

// toTheirBranches moves the responses of events of no branch to the branch that
// asked.
func toTheirBranches(branches [][]message) [][]message {
	noBranch := object{}.branch()
	home := slices.IndexFunc(branches, func(ms []message) bool { return ms[0].branch() == noBranch })
	if home < 0 || len(branches) == 1 {
		return branches
	}
	moved := slices.Clone(branches)
	moved[home] = nil
	for _, m := range branches[home] {
		parts, _ := contentOfEvent(m.object)["parts"].([]any)
		shares := make([][]any, len(branches)) // of the parts
		for _, v := range parts {
			p, _ := v.(object)
			to := home
			if r, ok := p["functionresponse"].(object); ok {
				to = asker(branches, home, m.index, r.text("id"))
			}
			shares[to] = append(shares[to], v)
		}
		for b, share := range shares {
			if b == home && len(share) == len(parts) {
				moved[b] = append(moved[b], m)
			} else if len(share) > 0 {
				moved[b] = insert(moved[b], message{object: object{"content": object{"parts": share}}, index: m.index, role: m.role})
			}
		}
	}
	return slices.DeleteFunc(moved, func(ms []message) bool { return len(ms) == 0 })
}

// asker is the branch that has a call of an id before an event, home if that has
// one too or several have.
func asker(branches [][]message, home, before int, id string) int {
	found := -1
	for b, ms := range branches {
		asks := slices.ContainsFunc(ms, func(m message) bool {
			calls := partsOf(contentOfEvent(m.object), "functioncall")
			return m.index < before && slices.ContainsFunc(calls, func(c object) bool { return c.text("id") == id })
		})
		switch {
		case !asks:
		case found >= 0 || b == home:
			return home
		default:
			found = b
		}
	}
	if found < 0 || id == "" {
		return home
	}
	return found
}

// insert puts a message among others by where it stood.
func insert(ms []message, m message) []message {
	at := 0
	for at < len(ms) && ms[at].index < m.index {
		at++
	}
	return slices.Insert(slices.Clone(ms), at, m)
}
