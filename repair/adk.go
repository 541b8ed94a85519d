package repair

// ADK is the event list of Google's Agent Development Kit: calls and responses
// are parts of event contents and pair by id. A response may stand anywhere
// behind its call, and a long-running call has interim responses before the
// final one.
//
// Source: google/adk-go and adk-python, content processors, and the reports
// collected in docs/dialects.md, read 2026-11-30.
const ADK Dialect = "adk"

type adk struct{}

func (adk) rules() rules {
	return rules{families: eventFamily, blocks: true, set: true, many: true, objectArguments: true}
}

func (adk) spelling() spelling { return gemini{}.spelling() }

func (adk) vote(rd *reader, s *source) evidence { return rd.voteParts(s) }

// read reads the parts of an event. Its long-running calls may wait. The list
// of those names a call by its id, so of two calls of one id it is the first.
func (a adk) read(rd *reader, s *source, m *message) {
	rd.readParts(s, m, false)
	m = rd.last()
	a.answerBranches(rd, m)
	for id := range rd.doc.Elems(s.members[mLongRunning]) {
		for c := m.calls.lo; c < m.calls.hi; c++ {
			if call := &rd.thread.calls[c]; string(call.id) == string(rd.id(id)) {
				call.pending = true
				rd.calls[c].listed = id
				break
			}
		}
	}
}

// answerBranches lets the responses of an event of no branch answer the calls of
// any: that is how a person answers what an agent of a branch asks. If its own
// branch has a call of the id, or several others have one, it stays with its own.
func (adk) answerBranches(rd *reader, m *message) {
	own, found := rd.branches[""]
	if !found || m.branch != own || m.results.len() == 0 {
		return
	}
	t := &rd.thread
	for ; rd.branched < len(t.calls); rd.branched++ {
		c := &t.calls[rd.branched]
		b := t.messages[c.message].branch
		if at, twice := rd.callBranch[string(c.id)]; twice && at != b {
			if b = none; at == own || t.messages[c.message].branch == own {
				b = own
			}
		}
		rd.callBranch[string(c.id)] = b
	}
	for r := m.results.lo; r < m.results.hi; r++ {
		if b, found := rd.callBranch[string(t.results[r].id)]; found && b != none && len(t.results[r].id) > 0 {
			t.results[r].branch = b
		}
	}
}

func (adk) made(w *writer, c int32) []byte { return w.responsePart(c) }
