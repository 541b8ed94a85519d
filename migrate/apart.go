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
