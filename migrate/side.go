package migrate

import (
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// rowsApart says why a conversation in rows is only half of one, "" if it is
// whole: it has nothing but results, or a bucket of nothing but results, or but
// calls, holds what it lacks.
func (r *run) rowsApart(c *conversation, res repair.Result) (string, error) {
	if res.Results > 0 && res.Results == res.Messages && res.Calls == 0 {
		if alone, err := r.onlyResults(c); alone || err != nil {
			return "it has nothing but results, and so have the others: their calls lie elsewhere", err
		}
	}
	calls := halves(res.Findings, repair.MissingResult)
	results := halves(res.Findings, repair.OrphanResult)
	if len(calls)+len(results) == 0 {
		return "", nil
	}
	where, err := r.halfBucket(c.bucket, calls, results)
	if where == "" || err != nil {
		return "", err
	}
	return "calls and results of this conversation lie apart: the others are in " + where, nil
}

// onlyResults reports whether the rows beside a conversation are results too, all
// of them.
func (r *run) onlyResults(c *conversation) (bool, error) {
	all := []*store.Bucket{c.bucket}
	if c.layout.kind == rows {
		beside, err := r.siblings(c.bucket)
		if err != nil {
			return false, err
		}
		all = append(all, beside...)
	}
	for _, b := range all {
		if s, err := r.sideOf(b); err != nil || len(s.calls) > 0 {
			return false, err
		}
	}
	return true, nil
}

// A side is the ids of a bucket that has only calls, or only results.
type side struct{ calls, results map[string]bool }

// halfBucket names a bucket near b that has only results and one of them for
// one of some calls, or only calls and one of them for one of some results.
func (r *run) halfBucket(b *store.Bucket, calls, results []string) (string, error) {
	near, err := r.nearby(b)
	if err != nil {
		return "", err
	}
	for _, s := range near {
		ids, err := r.sideOf(s)
		if err != nil {
			return "", err
		}
		for _, id := range calls {
			if len(ids.calls) == 0 && ids.results[id] {
				return s.Encoded, nil
			}
		}
		for _, id := range results {
			if len(ids.results) == 0 && ids.calls[id] {
				return s.Encoded, nil
			}
		}
	}
	return "", nil
}

// nearby are the buckets beside b, those beside the one that it lies in, and
// the buckets in those that are named as b is.
func (r *run) nearby(b *store.Bucket) ([]*store.Bucket, error) {
	near, err := r.siblings(b)
	if err != nil || len(b.Path) < 2 {
		return near, err
	}
	parent := &store.Bucket{Path: b.Path[:len(b.Path)-1], Depth: len(b.Path) - 1}
	parent.Encoded = store.EncodePath(parent.Path)
	uncles, err := r.siblings(parent)
	near = nil // those beside b are other conversations, whose ids may be the same
	for _, u := range uncles {
		path := append(slices.Clone(u.Path), b.Path[len(b.Path)-1])
		near = append(near, u, &store.Bucket{Path: path, Depth: len(path), Encoded: store.EncodePath(path)})
	}
	return near, err
}

// maxSide bounds the values of a bucket that are looked through for its ids.
const maxSide = 50_000

// sideOf collects the ids of a bucket, once.
func (r *run) sideOf(b *store.Bucket) (side, error) {
	if s, known := r.sides[b.Encoded]; known {
		return s, nil
	}
	s := side{calls: make(map[string]bool), results: make(map[string]bool)}
	n := 0
	_, err := r.search(b, func(it store.Item) error {
		if n++; n > maxSide || len(s.calls) > 0 && len(s.results) > 0 {
			return errFound
		}
		r.judge.collect(it.Value, &s)
		return nil
	})
	if n > maxSide {
		s = side{}
	}
	r.sides[b.Encoded] = s
	return s, err
}

// collect adds the ids of a value.
func (j *judge) collect(value []byte, s *side) {
	_, d := j.unwrapped(value)
	if d == nil {
		return
	}
	text := d.Raw(0)
	if d.Kind(0) == jsonedit.Object {
		msg := rowMessage(d)
		if msg == jsonedit.None {
			return
		}
		text = slices.Concat([]byte{'['}, d.Raw(msg), []byte{']'})
	}
	one, err := jsonedit.Parse(text)
	if err != nil {
		return
	}
	if _, ok := j.repair.Detect(one, 0); !ok {
		return
	}
	if _, err := j.repair.Opened(0, &repair.Options{}); err != nil {
		return
	}
	for id := range j.repair.CallIDs() {
		s.calls[id] = true
	}
	for id := range j.repair.ResultIDs() {
		s.results[id] = true
	}
}
