package migrate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"boltmend/repair"
	"boltmend/store"
)

// An entry is a record with something to report. Of a plan only this much is
// kept, so that memory does not grow with the file: new bytes are made again
// when they are written, and must then have the hash that was planned.
type entry struct {
	bucket   *store.Bucket
	key      []byte
	conv     *conversation // of rows, instead of a key
	old, new digest
	changes  bool
}

func (e *entry) ref() string {
	if e.conv != nil {
		return e.conv.ref()
	}
	return recordRef(e.bucket, e.key)
}

// plan judges everything and keeps what is to be reported, with the hashes of
// what is to be written.
func (r *run) plan(ctx context.Context) error {
	r.entries, r.need, r.plans, r.ends = nil, store.Need{}, true, newEnds()
	r.onRows = func(h *rowHistory) error {
		c := *h.conv
		c.keys = cloneKeys(c.keys)
		r.planned(entry{bucket: c.bucket, conv: &c}, h.made, oldBytes(h.made.rows))
		return nil
	}
	err := r.walk(ctx, r.source, func(it store.Item, v verdict) error {
		hs, err := r.settle(it, v)
		if err != nil || len(hs) == 0 {
			return err
		}
		m := v.made
		if !m.done || v.sealed != "" || !sameRepairs(hs, v.histories) {
			m = r.remake(it, v, hs)
		}
		beside, err := r.docSidecars(r.view, it.Bucket, it.Key, hs)
		if err != nil {
			return err
		}
		r.planned(entry{bucket: it.Bucket, key: bytes.Clone(it.Key)}, m, int64(len(it.Value))+oldBytes(beside))
		return nil
	})
	if err == nil {
		err = r.leaveAll()
	}
	if err != nil {
		return err
	}
	r.ends = newEnds()
	return r.unknownTarget()
}

// sameRepairs reports whether what is to be repaired is what the worker made.
func sameRepairs(hs, judged []history) bool {
	return slices.EqualFunc(hs, judged, func(a, b history) bool { return (a.result.JSON == nil) == (b.result.JSON == nil) })
}

// planned takes an entry into the plan.
func (r *run) planned(e entry, m made, oldBytes int64) {
	e.old, e.new = m.old, m.new
	if e.changes = m.size > 0 || len(m.rows) > 0; e.changes {
		r.need.Records++
		r.need.OldBytes += oldBytes
		r.need.NewBytes += int64(m.size)
	}
	r.entries = append(r.entries, e)
}

func oldBytes(edits []store.RowEdit) (n int64) {
	for _, e := range edits {
		n += int64(len(e.Old))
	}
	return n
}

func cloneKeys(keys [][]byte) [][]byte {
	all := make([][]byte, len(keys))
	for i, k := range keys {
		all[i] = bytes.Clone(k)
	}
	return all
}

// again judges the record of an entry once more, as it is read now, and makes
// its new bytes again. It fails with ErrStale if the record is not what was
// planned on.
func (r *run) again(rd store.Reader, e *entry) ([]history, made, error) {
	hs, m, err := r.judgeAgain(rd, e)
	switch {
	case err != nil:
		return nil, made{}, err
	case e.changes && m.new != e.new:
		return nil, made{}, fmt.Errorf("%s: a second repair came out differently from the planned one; nothing of it was written", e.ref())
	}
	return hs, m, nil
}

func (r *run) judgeAgain(rd store.Reader, e *entry) ([]history, made, error) {
	if e.conv != nil {
		s := sieve{all: r.opts.All}
		h, err := r.judgeConversation(rd, e.conv, s)
		if err != nil {
			return nil, made{}, err
		}
		if e.changes && h.made.old != e.old {
			return nil, made{}, store.ErrStale
		}
		hs, _, err := r.provenRows(h)
		return hs, h.made, err
	}
	value, ok := rd.Get(e.bucket.Path, e.key)
	if !ok || e.changes && sha256.Sum256(value) != e.old {
		return nil, made{}, store.ErrStale
	}
	item := store.Item{Bucket: e.bucket, Key: e.key, Value: value}
	s, _ := r.sieve(item)
	v := r.judge.value(value, s)
	hs, _, err := r.proven(e.bucket, v.histories)
	if err == nil && v.sealed != "" {
		err = r.unseal(e.bucket, v, hs)
	}
	if err == nil {
		hs, err = r.apart(rd, e.bucket, e.key, hs)
	}
	if err == nil {
		err = r.held(rd, item, hs)
	}
	if err != nil {
		return nil, made{}, err
	}
	m := r.remake(item, v, hs)
	if m.text == nil {
		return hs, m, nil
	}
	m.rows = append(m.rows, store.RowEdit{Bucket: e.bucket.Path, Key: e.key, Old: value, New: m.text})
	edits, err := r.docSidecars(rd, e.bucket, e.key, hs)
	m.rows = append(m.rows, edits...)
	return hs, m, err
}

// events are the report of an entry.
func (r *run) events(e *entry, hs []history, m made) []Event {
	var all []Event
	for _, h := range hs {
		if m.failed != "" && h.result.JSON != nil {
			h = unmade(h, m.failed)
		}
		if e.conv != nil {
			all = append(all, r.rowEvent(e.conv, h, true))
		} else {
			all = append(all, r.event(e.bucket, e.key, h, true))
		}
	}
	if len(m.rows) > 0 {
		all = append(all, &Change{
			Type: "change", Database: r.database, Ref: e.ref(),
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
	h := &History{
		Type: "history", Database: r.database, Ref: e.ref(),
		Bucket: encodedNames(e.bucket), Layout: document,
		Findings: []Finding{}, State: Stale,
		Reason: "the record was written since it was judged; nothing of it was changed: run again",
	}
	if e.conv != nil {
		h.Conversation, h.Layout = store.EncodeName(e.conv.id), e.conv.layout.kind
	} else {
		h.Key = store.EncodeName(e.key)
	}
	r.emit(h)
}
