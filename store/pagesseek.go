package store

import (
	"bytes"

	"boltmend/store/page"
)

// maxLevels bounds the pages from the root of a bucket to a leaf: a branch has
// two children or more, but for a damaged one that leads to itself.
const maxLevels = 64

// look reads on from where the walk is. It changes nothing that a second look
// from a newer state would not set anew.
func (w *pageWalk) look() (found, error) {
	top := len(w.levels) - 1
	if !w.looking {
		if err := w.begin(); err != nil {
			return found{}, err
		}
		for k := range top {
			if f, ok := w.reach(k); !ok {
				return f, nil
			}
		}
	}
	return w.next(top), nil
}

// begin takes the newest state to look at.
func (w *pageWalk) begin() (err error) {
	if !w.p.opts.Live {
		size, err := fileSize(w.p.files[0])
		if err != nil {
			return err
		}
		w.state = state{w.p.files[0], w.p.fixed, w.p.fixed.Tree(w.p.files[0], size)}
	} else if w.state, err = w.p.look(w.ctx); err != nil {
		return err
	}
	w.looking = true
	w.levels[0].root = w.state.tree.Root
	return nil
}

// reach looks up the bucket that the walk is in inside the bucket of level k,
// and sets level k to go on behind it. It fails if the bucket is no more, or
// cannot be reached.
func (w *pageWalk) reach(k int) (found, bool) {
	l, inner := &w.levels[k], &w.levels[k+1]
	lost := found{level: k, gone: true}
	name := inner.info.Path[k]
	if p := w.seek(l, position{name, false}); p != nil {
		lost.faults = append(lost.faults, *p)
		return lost, false
	}
	s := &l.steps[len(l.steps)-1]
	list, next, err := s.node.Entries(s.next, 0)
	switch {
	case err != nil:
		lost.faults = append(lost.faults, unreadable(s, err))
		return lost, false
	case len(list) == 0 || !bytes.Equal(list[0].Key, name):
		return lost, false
	case !list[0].IsBucket():
		s.next = next
		return lost, false
	}
	s.next = next
	root, seq, inline, fault := list[0].Bucket()
	inner.root, inner.inline = root, inline
	if inner.pos.key == nil && w.base > k { // nobody has seen it yet
		inner.info.Sequence = seq
	}
	if fault != nil {
		lost.faults = append(lost.faults, problem{*fault, s.node.ID, name, nil})
		return lost, false
	}
	return found{}, true
}

// seek goes down in a bucket to a position.
func (w *pageWalk) seek(l *level, to position) *problem {
	l.sought = true
	w.close(l)
	if l.inline != nil {
		l.steps = append(l.steps, step{node: l.inline})
		w.open += l.inline.Held()
	} else if p := w.down(l, l.root, nil, nil); p != nil {
		return p
	}
	for {
		s := &l.steps[len(l.steps)-1]
		i, exact, err := search(s.node, to.key)
		switch {
		case err != nil:
			p := unreadable(s, err)
			return &p
		case !s.node.Branch:
			s.next = i
			if exact && to.behind {
				s.next++
			}
			return nil
		case !exact && i > 0:
			i-- // the last child whose keys begin before
		}
		w.note(l, s, i)
		s.next = i
		if p := w.child(l); p != nil {
			return p
		}
	}
}

// search finds the first element that is not smaller than key.
func search(n *page.Node, key []byte) (i int, exact bool, err error) {
	if key == nil {
		return 0, false, nil
	}
	if i, err = n.Find(key); err != nil || i == n.Len() {
		return i, false, err
	}
	k, err := n.Key(i)
	return i, bytes.Equal(k, key), err
}

// note keeps where the part of a branch ends that is gone into, for a leaf that
// has to be passed over. It counts only if the file was not written to.
func (w *pageWalk) note(l *level, s *step, i int) {
	if w.tries == 0 || l != &w.levels[len(w.levels)-1] {
		return
	}
	if still, err := w.p.still(w.state); err == nil && still {
		_, hi := s.bounds(i)
		w.bound = bytes.Clone(hi)
	}
}

// bounds are the keys that a branch promises for child i.
func (s *step) bounds(i int) (lo, hi []byte) {
	lo, _ = s.node.Key(i)
	if hi = s.hi; i+1 < s.node.Len() {
		if next, _ := s.node.Key(i + 1); next != nil && bytes.Compare(lo, next) < 0 {
			hi = next
		}
	}
	return lo, hi
}

// child goes down to the next child of the innermost page, a branch.
func (w *pageWalk) child(l *level) *problem {
	s := &l.steps[len(l.steps)-1]
	lo, hi := s.bounds(s.next)
	s.next++
	return w.down(l, s.node.Child(s.next-1), lo, hi)
}

// down reads a page and puts it on the way.
func (w *pageWalk) down(l *level, id uint64, lo, hi []byte) *problem {
	if len(l.steps) == maxLevels {
		return &problem{page.Fault{Kind: page.KindTooDeep, Detail: "branches lie below one another without end"}, id, lo, hi}
	}
	if w.p.between != nil && len(l.steps) > 0 {
		w.p.between()
	}
	n, fault := w.state.tree.Node(id)
	if fault != nil {
		return &problem{*fault, id, lo, hi}
	}
	l.steps = append(l.steps, step{node: n, lo: lo, hi: hi})
	w.open += n.Held()
	return nil
}

// next reads on in the innermost bucket.
func (w *pageWalk) next(top int) found {
	l := &w.levels[top]
	f := found{level: top}
	if !l.sought {
		if p := w.seek(l, l.pos); p != nil {
			f.faults = append(f.faults, *p)
			return f
		}
	}
	for len(l.steps) > 0 {
		s := &l.steps[len(l.steps)-1]
		if b := s.node.Broken; b != nil && !s.said {
			s.said = true
			f.faults = append(f.faults, problem{*b, s.node.ID, s.lo, s.hi})
		}
		switch {
		case s.next == s.node.Len():
			w.open -= s.node.Held()
			l.steps = l.steps[:len(l.steps)-1]
		case s.node.Branch:
			if p := w.child(l); p != nil {
				f.faults = append(f.faults, *p)
				return f
			}
		default:
			list, next, err := s.node.Entries(s.next, w.limit)
			s.next = next
			if err != nil {
				f.faults = append(f.faults, unreadable(s, err))
				return f
			}
			f.entries = w.sorted(l, s, list, &f)
			return f
		}
	}
	f.end = true
	return f
}

// sorted compares the keys of entries with one another and with what the branch
// above says. Where the file is written to, the walk would lose its place by
// keys out of order, so they are left out there.
func (w *pageWalk) sorted(l *level, s *step, list []page.Entry, f *found) []page.Entry {
	var prev []byte
	if l.pos.behind {
		prev = l.pos.key
	}
	kept := list[:0]
	for _, e := range list {
		fault := page.Fault{}
		switch {
		case prev != nil && bytes.Compare(prev, e.Key) >= 0:
			fault = page.Fault{Kind: page.KindKeyOrder, Detail: "a key that is not greater than the one before"}
		case s.lo != nil && bytes.Compare(e.Key, s.lo) < 0, s.hi != nil && bytes.Compare(e.Key, s.hi) >= 0:
			fault = page.Fault{Kind: page.KindKeyRange, Detail: "a key that the branch above does not allow"}
		}
		if fault.Kind != "" && !s.said {
			s.said = true
			f.faults = append(f.faults, problem{fault, s.node.ID, s.lo, s.hi})
		}
		if fault.Kind == "" || !w.p.opts.Live {
			kept, prev = append(kept, e), e.Key
		}
	}
	return kept
}

// unreadable says that the system could not read a part of a page.
func unreadable(s *step, err error) problem {
	return problem{page.Fault{Kind: page.KindUnreadable, Detail: err.Error()}, s.node.ID, s.lo, s.hi}
}
