package migrate

import (
	"strings"

	"boltmend/repair"
	"boltmend/store"
)

// A bucketState is what is known of a bucket that the walk is in: some things
// count only once all of its values were seen.
type bucketState struct {
	bucket *store.Bucket
	choice *BucketLayout // of a layout file
	// pending are notes that count only if the bucket turns out to hold
	// histories: there a value that begins as JSON and is none is broken,
	// elsewhere it is text.
	pending []*Note
	broken  int // how many there would be
	// brokenJSON are how many of them are JSON.
	brokenJSON int
	// cut are notes of those that speak of calls, which count if no history
	// shows that they are broken ones.
	cut   []*Note
	cuts  int
	holds bool
	// rows counts values that look like one message each; speaking are notes
	// of those that mention calls, which count if no conversation is made of
	// them.
	rows     int
	speaking []*Note
	spoke    int
}

// maxPending bounds the notes that wait for a bucket to turn out; more are
// only counted.
const maxPending = 1000

func (s *bucketState) wait(notes []*Note, n *Note, count *int) []*Note {
	if *count++; *count <= maxPending {
		notes = append(notes, n)
	}
	return notes
}

// at is the state of a bucket, after leaving those that the walk is not in any
// more.
func (r *run) at(b *store.Bucket) (*bucketState, error) {
	for len(r.states) > 0 {
		top := r.states[len(r.states)-1]
		if top.bucket == b {
			return top, nil
		}
		if strings.HasPrefix(b.Encoded, top.bucket.Encoded+"/") {
			break
		}
		if err := r.leave(); err != nil {
			return nil, err
		}
	}
	s := &bucketState{bucket: b, choice: r.opts.fixed(b)}
	r.states = append(r.states, s)
	return s, nil
}

// leaveAll leaves every bucket.
func (r *run) leaveAll() error {
	for len(r.states) > 0 {
		if err := r.leave(); err != nil {
			return err
		}
	}
	return nil
}

// leave judges what waited for the end of the innermost bucket.
func (r *run) leave() error {
	s := r.states[len(r.states)-1]
	r.states = r.states[:len(r.states)-1]
	if s.rows > 0 {
		if err := r.leaveRows(s); err != nil {
			return err
		}
	}
	if s.holds {
		r.sum.Unreadable += s.broken
		if s.brokenJSON > 0 {
			r.sum.Findings[string(repair.BrokenJSON)] += s.brokenJSON
			r.sum.Lint += s.brokenJSON
		}
		for _, n := range s.pending {
			r.emit(n)
		}
		return nil
	}
	r.sum.Unrecognised += s.cuts
	for _, n := range s.cut {
		r.emit(n)
	}
	return nil
}

// leaveRows judges the rows of a bucket.
func (r *run) leaveRows(s *bucketState) error {
	judged := false
	r.judge.listens = s.spoke > 0
	err := r.judgeBucket(s.bucket, func(h *rowHistory) error {
		judged = true
		v := &h.verdict
		if v.unreadable != "" {
			r.sum.Unreadable++
			r.emit(&Note{Type: "note", Database: r.database, Ref: h.conv.ref(), Kind: "unreadable", Reason: v.unreadable})
		}
		hs, dropped, err := r.provenRows(h)
		if err != nil {
			return err
		}
		v.count -= withCalls(dropped)
		if len(dropped) > 0 && v.unrecognised == "" && v.mentioned != "" {
			v.unrecognised = unproven
		}
		v.histories = hs
		r.sum.Histories += v.count
		s.holds = s.holds || v.count > 0
		r.notJudged(h)
		if len(hs) == 0 {
			return nil
		}
		return r.onRows(h)
	})
	if err != nil || judged || r.opts.Live { // of a live database they may be gone
		return err
	}
	r.sum.Unrecognised += s.spoke
	for _, n := range s.speaking {
		r.emit(n)
	}
	return nil
}

// isStray is why a message is none of its conversation.
const isStray = "its message does not lie where those of the other rows of the bucket do"

// notJudged notes what of a conversation in rows was not judged: all of it, or
// the messages that do not lie where those of the other rows do.
func (r *run) notJudged(h *rowHistory) {
	c := h.conv
	if why := h.verdict.unrecognised; why != "" {
		r.sum.Unrecognised++
		r.emit(&Note{Type: "note", Database: r.database, Ref: c.ref(), Kind: "unrecognised", Reason: why})
		return
	}
	if h.gone || !c.straysSpeak {
		return
	}
	r.sum.Unrecognised += c.stray
	for _, key := range c.strays {
		r.emit(&Note{Type: "note", Database: r.database, Ref: recordRef(c.bucket, key), Kind: "unrecognised",
			Reason: isStray})
	}
}

// provenRows is proven for a conversation in rows: its evidence is in the rows
// of its bucket, or of those beside it.
func (r *run) provenRows(h *rowHistory) (kept, dropped []history, err error) {
	for _, hist := range h.verdict.histories {
		if !r.admits(h.conv.bucket, hist) {
			continue
		}
		ok := hist.proven || hist.result.Dialect == ""
		if !ok {
			ok, err = r.rowEvidence(h.conv, hist.result.Dialect)
		}
		if err != nil {
			return nil, nil, err
		}
		if ok {
			kept = append(kept, hist)
		} else {
			dropped = append(dropped, hist)
		}
	}
	return kept, dropped, nil
}
