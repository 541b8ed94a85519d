package repair

import (
	"cmp"
	"slices"

	"boltmend/internal/jsonedit"
)

// Some stores keep a chat as a tree: each message names the one before it
// (parentId, parentUuid). Where the tree forks, each path from the root to a
// leaf is a history of its own, and a repair of the flat list would be wrong
// for some of them: such a history is judged path by path and only reported.

// paths returns the paths of a history that forks, each a list of indexes of
// sources. It also notes whether messages are linked at all.
func (rd *reader) paths() (paths [][]int32, forked bool) {
	rd.linked = false
	for i := range rd.sources {
		if rd.doc.Kind(rd.sources[i].members[mParentID]) == jsonedit.String {
			rd.linked = true
			break
		}
	}
	if !rd.linked {
		return nil, false
	}
	at := make(map[string]int32)
	for i := range rd.sources {
		if id := rd.ownID(int32(i)); len(id) > 0 {
			at[string(id)] = int32(i)
		}
	}
	parent := make([]int32, len(rd.sources))
	children := make([]int32, len(rd.sources))
	for i := range rd.sources {
		parent[i] = none
		id := rd.id(rd.sources[i].members[mParentID])
		if p, found := at[string(id)]; found && len(id) > 0 && p < int32(i) {
			parent[i] = p
			children[p]++
			forked = forked || children[p] > 1
		}
	}
	if !forked {
		return nil, false
	}
	return rd.leaves(parent, children), true
}

// ownID is the id by which other messages name this one.
func (rd *reader) ownID(i int32) []byte {
	m := &rd.sources[i].members
	if rd.doc.Kind(m[mUUID]) == jsonedit.String {
		return text(rd.doc, m[mUUID])
	}
	return rd.id(m[mID])
}

// leaves follows each leaf up to its root. A tree with very many long paths is
// cut off: it is only reported, and the first paths tell what is wrong.
func (rd *reader) leaves(parent, children []int32) (paths [][]int32) {
	budget := 8*len(parent) + 1000
	for i := range parent {
		if children[i] > 0 || budget < 0 {
			continue
		}
		var path []int32
		for at := int32(i); at != none; at = parent[at] {
			path = append(path, at)
			budget--
		}
		slices.Reverse(path)
		paths = append(paths, path)
	}
	return paths
}

// forked judges each path and reports what is wrong on any of them.
func (j *Judge) forked(dl dialect, paths [][]int32, res Result) Result {
	rd := &j.reader
	whole := slices.Clone(rd.sources)
	type seen struct {
		code    Code
		message int
		id      string
	}
	found := make(map[seen]bool)
	res.count(rd.read(dl))
	for _, path := range paths {
		rd.sources = rd.sources[:0]
		for _, i := range path {
			rd.sources = append(rd.sources, whole[i])
		}
		t := rd.read(dl)
		if t.sound(&j.ids) {
			continue
		}
		rd.rankAll()
		j.planner.plan(t, rd.opts)
		for _, f := range j.report(false) {
			f.Message = int(path[f.Message])
			key := seen{f.Code, f.Message, f.IDs[0]}
			if !found[key] {
				found[key] = true
				res.Findings = append(res.Findings, f)
			}
		}
	}
	rd.sources = append(rd.sources[:0], whole...)
	j.read(res.Dialect)
	slices.SortStableFunc(res.Findings, func(a, b Finding) int { return cmp.Compare(a.Message, b.Message) })
	res.Reason = "messages fork (parent links)"
	return res
}
