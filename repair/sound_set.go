package repair

// soundSet is sound for dialects where a result may stand anywhere behind its
// call.
func (t *thread) soundSet(ids *idSet) bool {
	ids.reset()
	answered, calls := 0, 0
	for i := range t.messages {
		m := &t.messages[i]
		if m.branch != 0 || m.emptyCalls || m.aside && m.calls.len() > 0 {
			return false
		}
		for c := m.calls.lo; c < m.calls.hi; c++ {
			call := &t.calls[c]
			if len(call.id) == 0 || call.kind != 0 || call.byName || call.wrongRole || call.badArguments || !ids.add(call.id) {
				return false
			}
			calls++
		}
		for r := m.results.lo; r < m.results.hi; r++ {
			res := &t.results[r]
			if res.byName || res.inline || res.wrongRole || res.blankName || res.kind != 0 || len(res.id) == 0 {
				return false
			}
			t.key = append(append(t.key[:0], 0), res.id...)
			if !ids.has(res.id) || !ids.add(t.key) {
				return false
			}
			answered++
		}
	}
	return answered == calls
}
