package repair

import (
	"strings"

	"boltmend/internal/jsonedit"
)

// A repair may know less than the app. Where a history mentions an id that the
// dialect did not read as a call or a result, a result that seems to answer
// nothing may answer that, and a call that seems unanswered may be answered
// there. Then nothing is removed and nothing made up: the history is reported.

// doubts says why the planner's findings are not to be trusted, "" if they
// are.
func (j *Judge) doubts() string {
	rd, t := &j.reader, &j.reader.thread
	asked := make(map[string]int32) // by id: the message that may mention it
	dropped := false
	for i := range t.results {
		if r := &t.results[i]; r.drop == OrphanResult || r.drop == EmptyResultID {
			dropped = dropped || r.rank >= rankEmpty
			if len(r.id) > 0 {
				asked[string(r.id)] = none
			}
		}
	}
	made := false
	for i := range t.calls {
		delete(asked, string(t.calls[i].id)) // it is known
		made = made || t.calls[i].answer
	}
	for i := range t.servers {
		delete(asked, string(t.servers[i].id))
	}
	if (rd.unread || j.found.Mixed) && (dropped || made) {
		return "it holds calls or results that were not understood"
	}
	for i := range t.calls {
		if c := &t.calls[i]; c.answer && len(c.id) > 0 {
			asked[string(c.id)] = c.message
		}
	}
	if len(asked) > 0 && rd.mentions(asked) {
		return "it mentions the id of a call or result in a way that was not understood"
	}
	return ""
}

// mentions reports whether an id-like member outside of what was read has one
// of some ids. Messages that were read to call or to answer mention ids by
// right.
func (rd *reader) mentions(asked map[string]int32) bool {
	longest := 0 // as stored: each byte may be an escape of six
	for id := range asked {
		longest = max(longest, 6*len(id))
	}
	for i := range rd.sources {
		m := &rd.thread.messages[i]
		if m.results.len() > 0 || m.calls.len() > 0 && !m.aside {
			continue
		}
		node := rd.sources[i].node
		if rd.doc.Kind(node) != jsonedit.Object || m.aside && m.calls.len() > 0 {
			continue
		}
		for r, end := node+1, rd.doc.End(node); r+1 < end; r++ {
			if rd.doc.Kind(r) != jsonedit.String || rd.doc.Kind(r+1) != jsonedit.String || rd.doc.End(r) != r+1 || len(rd.doc.Inner(r+1)) > longest {
				continue
			}
			if _, found := asked[string(text(rd.doc, r+1))]; found && strings.HasSuffix(fold(rd.doc.Text(r)), "id") {
				return true
			}
		}
	}
	return false
}
