package migrate

import (
	"bytes"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// Some apps keep the messages that fell out of a window in a bucket beside that
// of the window, under the same key. A call and its result can be parted so:
// neither is to be made up nor to be taken out while the other lies next door.

// apart marks histories whose missing half lies next door as reported only.
func (r *run) apart(rd getter, b *store.Bucket, key []byte, hs []history) error {
	for i := range hs {
		ids := halves(hs[i].result.Findings, repair.MissingResult)
		orphans := halves(hs[i].result.Findings, repair.OrphanResult)
		if hs[i].result.JSON == nil || len(ids)+len(orphans) == 0 {
			continue
		}
		where, err := r.nextDoor(rd, b, key, ids, orphans)
		if err == nil && where == "" {
			where, err = r.halfBucket(b, ids, orphans)
		}
		if err != nil {
			return err
		}
		if where != "" {
			hs[i] = unmade(hs[i], "calls and results of this conversation lie apart: the others are in "+where)
			hs[i].result.JSON = nil
		}
	}
	return nil
}

// halves are the ids of the findings of a code.
func halves(findings []repair.Finding, code repair.Code) (ids []string) {
	for _, f := range findings {
		if f.Code == code && f.IDs[0] != "" {
			ids = append(ids, f.IDs[0])
		}
	}
	return ids
}

// nextDoor names the value that has a result for one of some calls, or a call
// for one of some results, and no pair of them; "" if there is none.
func (r *run) nextDoor(rd getter, b *store.Bucket, key []byte, calls, results []string) (string, error) {
	beside, err := r.siblings(b)
	if err != nil {
		return "", err
	}
	for _, s := range beside {
		value, ok := rd.Get(s.Path, key)
		if ok && r.judge.hasHalf(value, calls, results) {
			return recordRef(s, key), nil
		}
	}
	return "", nil
}

// A getter reads one value.
type getter interface {
	Get(bucket [][]byte, key []byte) (value []byte, ok bool)
}

// getter reads from the view, or, where there is none, by walking.
func (r *run) getter() getter {
	if r.view != nil {
		return r.view
	}
	return walking{r}
}

type walking struct{ r *run }

// Get walks the bucket until it finds the key.
func (w walking) Get(bucket [][]byte, key []byte) (value []byte, ok bool) {
	ok, _ = w.r.search(&store.Bucket{Path: bucket}, func(it store.Item) error {
		if bytes.Equal(it.Key, key) {
			value = it.Value
			return errFound
		}
		return nil
	})
	return value, ok
}

// hasHalf reports whether a value holds the other half of one of some calls or
// results.
func (j *judge) hasHalf(value []byte, calls, results []string) bool {
	_, d := j.unwrapped(value)
	if d == nil {
		return false
	}
	for r := jsonedit.Ref(0); r < d.Nodes(); r++ {
		if d.Kind(r) != jsonedit.Array || !repair.LooksLikeHistory(d, r) {
			continue
		}
		if _, ok := j.repair.Detect(d, r); !ok {
			continue
		}
		res, err := j.repair.Opened(r, &repair.Options{})
		if err != nil {
			continue
		}
		for _, f := range res.Findings {
			if f.Code == repair.OrphanResult && slices.Contains(calls, f.IDs[0]) ||
				f.Code == repair.MissingResult && slices.Contains(results, f.IDs[0]) {
				return true
			}
		}
	}
	return false
}

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
