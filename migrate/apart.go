package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// Some apps keep the messages that fell out of a window in a bucket beside that
// of the window, under the same key. A call and its result can be parted so:
// neither is to be made up nor to be taken out while the other lies next door.

// apart marks histories whose missing half lies next door as reported only, and
// puts pieces together.
func (r *run) apart(rd getter, b *store.Bucket, key []byte, hs []history) ([]history, error) {
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
			return nil, err
		}
		if where != "" {
			hs[i] = unmade(hs[i], "calls and results of this conversation lie apart: the others are in "+where)
			hs[i].result.JSON = nil
		}
	}
	return r.gather(rd, b, key, hs)
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
	where := ""
	err := r.doors(rd, b, key, func(it store.Item) error {
		if r.judge.hasHalf(it.Value, calls, results) {
			where = recordRef(it.Bucket, it.Key)
			return errFound
		}
		return nil
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return where, err
}

// maxDoors bounds the values of one bucket that belong to one conversation.
const maxDoors = 64

// doors calls fn for the values that may be of the same conversation as one: in
// a bucket beside, under the same key, under keys that begin with it, or in a
// bucket of its name; and from such a one the same way back.
func (r *run) doors(rd getter, b *store.Bucket, key []byte, fn func(store.Item) error) error {
	beside, err := r.siblings(b)
	if err != nil {
		return err
	}
	keys := [][]byte{key}
	if at := bytes.LastIndexAny(key, ":/|_#"); at > 0 {
		keys = append(keys, key[:at])
	}
	for _, s := range beside {
		for _, k := range keys {
			if value, ok := rd.Get(s.Path, k); ok {
				if err := fn(store.Item{Bucket: s, Key: k, Value: value}); err != nil {
					return err
				}
			}
		}
		if err := r.behindKey(rd, s, key, fn); err != nil {
			return err
		}
	}
	if len(b.Path) < 2 {
		return nil
	}
	uncles, err := r.siblings(parentOf(b))
	for _, u := range uncles {
		name := b.Path[len(b.Path)-1]
		if value, ok := rd.Get(u.Path, name); ok && err == nil {
			err = fn(store.Item{Bucket: u, Key: name, Value: value})
		}
	}
	return err
}

// behindKey calls fn for values under keys that begin with a key, and those in
// the bucket of its name.
func (r *run) behindKey(rd getter, s *store.Bucket, key []byte, fn func(store.Item) error) error {
	_, behind, err := r.near(rd, s, key, 0, maxDoors)
	for _, it := range behind {
		if err == nil && len(it.Key) > len(key)+1 && bytes.HasPrefix(it.Key, key) && bytes.IndexByte([]byte(":/|_#"), it.Key[len(key)]) >= 0 {
			err = fn(it)
		}
	}
	if err != nil {
		return err
	}
	n := 0
	inside := &store.Bucket{Path: append(slices.Clone(s.Path), key), Depth: s.Depth + 1}
	inside.Encoded = store.EncodePath(inside.Path)
	_, err = r.searchIn(rd, inside, func(it store.Item) error {
		if n++; n > maxDoors {
			return errFound
		}
		it.Bucket = inside
		return fn(it)
	})
	return err
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
