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
func (adk) read(rd *reader, s *source, m *message) {
	rd.readParts(s, m, false)
	m = rd.last()
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

func (adk) made(w *writer, c int32) []byte { return w.responsePart(c) }
