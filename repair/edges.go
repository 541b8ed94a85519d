package repair

// Edges are what the ends of a history lack, which may lie in another one: some
// programs store a conversation in pieces.
type Edges struct {
	// Head are the ids of the results without a call that stand before
	// anything else, Tail those of the last turn's calls without a result that
	// only results stand behind.
	Head, Tail []string
	// Orphans and Missing are the same anywhere in the history.
	Orphans, Missing []string
	// OnlyResults: it holds nothing else. Small: it has at most three
	// messages, or none of the user.
	OnlyResults, Small bool
}

// Edges returns the edges of the history that was judged last, and found to
// have faults of pairing.
func (j *Judge) Edges() (e Edges) {
	if j.proven {
		return e
	}
	t := &j.reader.thread
	said := 0
	e.Small, e.OnlyResults = true, len(t.messages) > 0
	for i := range t.messages {
		m := &t.messages[i]
		only := m.results.len() > 0 && !m.content && m.calls.len() == 0
		e.OnlyResults = e.OnlyResults && only
		e.Small = e.Small && (m.role != roleUser || only || len(t.messages) <= 3)
		ids := t.orphans(m)
		e.Orphans = append(e.Orphans, ids...)
		if said == 0 {
			e.Head = append(e.Head, ids...)
		}
		if !only {
			said++
		}
		for k := m.calls.lo; k < m.calls.hi; k++ {
			if c := &t.calls[k]; c.result == none && !c.aside && !c.wrongRole && !c.pending && len(c.id) > 0 {
				e.Missing = append(e.Missing, string(c.id))
			}
		}
	}
	e.Tail = t.tail()
	return e
}

// orphans are the ids of a message's results that answer nothing.
func (t *thread) orphans(m *message) (ids []string) {
	for k := m.results.lo; k < m.results.hi; k++ {
		if r := &t.results[k]; r.owner == none && len(r.id) > 0 {
			ids = append(ids, string(r.id))
		}
	}
	return ids
}

// tail are the ids of the calls without a result of the last turn, or in a set
// dialect of the turns behind the user's last word.
func (t *thread) tail() (ids []string) {
	for i := len(t.messages) - 1; i >= 0; i-- {
		m := &t.messages[i]
		for k := m.calls.lo; k < m.calls.hi; k++ {
			if c := &t.calls[k]; c.result == none && len(c.id) > 0 {
				ids = append(ids, string(c.id))
			}
		}
		only := m.results.len() > 0 && !m.content || m.aside
		if m.calls.len() > 0 && !t.rules.set || m.calls.len() == 0 && !only {
			break
		}
	}
	return ids
}
