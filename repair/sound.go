package repair

import (
	"bytes"
	"hash/maphash"
)

// sound proves quickly that a thread has no finding. It allocates nothing and
// decides nothing: false only means that the planner has to look. Nearly all
// histories are sound, so this is where a scan spends its time.
func (t *thread) sound(ids *idSet) bool {
	switch {
	case len(t.servers) > 0:
		return false
	case t.rules.set:
		return t.soundSet(ids)
	}
	if t.rules.uniqueIDs {
		ids.reset()
	}
	var open span // calls that wait for their results
	for i := range t.messages {
		m := &t.messages[i]
		switch {
		case m.branch != 0 || m.emptyCalls:
			return false
		case m.aside:
			continue
		case m.results.len() > 0:
			if m.calls.len() > 0 || !t.answers(m, &open) {
				return false
			}
			continue
		case open.len() > 0:
			return false
		}
		if m.calls.len() == 0 {
			continue
		}
		if !t.clean(m.calls, ids) {
			return false
		}
		open = m.calls
	}
	return open.len() == 0
}

// answers takes the results of m off the open calls, in order.
func (t *thread) answers(m *message, open *span) bool {
	if t.rules.blocks && !m.canHost || m.results.len() > open.len() || t.rules.blocks && m.results.len() != open.len() {
		return false
	}
	for i := m.results.lo; i < m.results.hi; i++ {
		r, c := &t.results[i], &t.calls[open.lo]
		if r.byName || r.inline || r.wrongRole || r.behind || r.blankName || !bytes.Equal(r.id, c.id) {
			return false
		}
		open.lo++
	}
	return true
}

// clean reports whether the calls of one turn have nothing wrong with them.
func (t *thread) clean(turn span, ids *idSet) bool {
	for i := turn.lo; i < turn.hi; i++ {
		c := &t.calls[i]
		if len(c.id) == 0 || c.byName || c.wrongRole || c.badArguments {
			return false
		}
		if t.rules.uniqueIDs {
			if !ids.add(c.id) {
				return false
			}
			continue
		}
		if i-turn.lo > 16 {
			return false // many calls: leave the comparing to the planner's map
		}
		for j := turn.lo; j < i; j++ {
			if bytes.Equal(t.calls[j].id, c.id) {
				return false
			}
		}
	}
	return true
}

// An idSet is a set of ids by hash, reused from one history to the next. Two
// ids of one hash count as one: then the planner looks, and nothing is wrong.
type idSet struct {
	seed  maphash.Seed
	slots []uint64
	n     int
}

func (s *idSet) reset() {
	if s.slots == nil {
		s.seed = maphash.MakeSeed()
		s.slots = make([]uint64, 256)
	}
	clear(s.slots)
	s.n = 0
}

// add reports whether id was not in the set.
func (s *idSet) add(id []byte) bool {
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	h := maphash.Bytes(s.seed, id) | 1 // 0 is a free slot
	if !s.put(h) {
		return false
	}
	s.n++
	return true
}

// has reports whether id is in the set.
func (s *idSet) has(id []byte) bool {
	h := maphash.Bytes(s.seed, id) | 1
	mask := uint64(len(s.slots) - 1)
	for i := h >> 8 & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i] == h {
			return true
		}
	}
	return false
}

func (s *idSet) put(h uint64) bool {
	mask := uint64(len(s.slots) - 1)
	for i := h >> 8 & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case h:
			return false
		case 0:
			s.slots[i] = h
			return true
		}
	}
}

func (s *idSet) grow() {
	old := s.slots
	s.slots = make([]uint64, 2*len(old))
	for _, h := range old {
		if h != 0 {
			s.put(h)
		}
	}
}
