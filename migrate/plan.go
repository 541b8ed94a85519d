package migrate

import (
	"context"
	"crypto/sha256"
	"fmt"

	"boltmend/repair"
	"boltmend/store"
)

// An entry is a record with something to report. Of a plan only this much is
// kept, so that memory does not grow with the file: new bytes are made again
// when they are written, and must then have the hash that was planned.
type entry struct {
	bucket   *store.Bucket
	key      []byte
	old, new digest
	changes  bool
}

// plan judges everything and keeps what is to be reported, with the hashes of
// what is to be written.
func (r *run) plan(ctx context.Context) error {
	r.entries, r.need, r.plans = nil, store.Need{}, true
	err := r.walk(ctx, r.view, func(it store.Item, v verdict) error {
		hs, err := r.settle(it, v)
		if err != nil || len(hs) == 0 {
			return err
		}
		m := v.made
		if len(hs) != len(v.histories) || !m.done || v.sealed != "" {
			m = r.remake(it, v, hs)
		}
		e := entry{bucket: it.Bucket, key: append([]byte(nil), it.Key...), old: m.old, new: m.new}
		if e.changes = m.size > 0; e.changes {
			r.need.Records++
			r.need.OldBytes += int64(len(it.Value))
			r.need.NewBytes += int64(m.size)
		}
		r.entries = append(r.entries, e)
		return nil
	})
	if err != nil {
		return err
	}
	r.leaveBucket()
	return r.unknownTarget()
}

// again judges the record of an entry once more, as it is read now, and makes
// its new text again. It fails with ErrStale if the record is not what was
// planned on.
func (r *run) again(rd store.Reader, e *entry) ([]history, made, error) {
	value, ok := rd.Get(e.bucket.Path, e.key)
	if !ok || e.changes && sha256.Sum256(value) != e.old {
		return nil, made{}, store.ErrStale
	}
	item := store.Item{Bucket: e.bucket, Key: e.key, Value: value}
	s, _ := r.sieve(item)
	v := r.judge.value(value, s)
	hs, _, err := r.proven(e.bucket, v.histories)
	if err != nil {
		return nil, made{}, err
	}
	if v.sealed != "" {
		if err := r.unseal(e.bucket, v, hs); err != nil {
			return nil, made{}, err
		}
	}
	m := r.remake(item, v, hs)
	if e.changes && m.new != e.new {
		return nil, made{}, fmt.Errorf("%s: a second repair came out differently from the planned one; nothing of it was written", recordRef(e.bucket, e.key))
	}
	return hs, m, nil
}

// events are the report of an entry.
func (r *run) events(e *entry, hs []history, m made) []Event {
	var all []Event
	for _, h := range hs {
		if m.failed != "" && h.result.JSON != nil {
			h = unmade(h, m.failed)
		}
		all = append(all, r.event(e.bucket, e.key, h, true))
	}
	if m.text != nil {
		all = append(all, &Change{
			Type: "change", Database: r.database, Ref: recordRef(e.bucket, e.key),
			Old: m.old.String(), New: m.new.String(),
		})
	}
	return all
}

// unmade is a history whose repair was not taken.
func unmade(h history, why string) history {
	findings := append([]repair.Finding(nil), h.result.Findings...)
	for i := range findings {
		findings[i].Fixed = false
	}
	h.result.Findings = findings
	h.result.Reason = why
	return h
}

// report emits events and counts them.
func (r *run) report(events []Event) {
	for _, ev := range events {
		if h, ok := ev.(*History); ok {
			r.tally(h)
		}
		r.emit(ev)
	}
}

// stale reports a record that is not what was planned on any more.
func (r *run) stale(e *entry) {
	r.left++
	e.changes = false
	r.emit(&History{
		Type: "history", Database: r.database, Ref: recordRef(e.bucket, e.key),
		Bucket: encodedNames(e.bucket), Key: store.EncodeName(e.key), Layout: "document",
		Findings: []Finding{}, State: Stale,
		Reason: "the record was written since it was judged; nothing of it was changed: run again",
	})
}
