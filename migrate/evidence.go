package migrate

import (
	"errors"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// evidence: calls that do not prove themselves count only if some value of
// their bucket holds a result of the dialect.
type evidenceKey struct {
	bucket  string
	dialect repair.Dialect
}

// errFound ends a search.
var errFound = errors.New("found")

// search walks a bucket until fn returns errFound, and reports whether it did.
// A live database may have lost the bucket meanwhile.
func (r *run) search(b *store.Bucket, fn func(store.Item) error) (found bool, err error) {
	return r.searchIn(r.source, b, fn)
}

// searchIn is search in what is read from, the transaction of a repair say.
func (r *run) searchIn(rd getter, b *store.Bucket, fn func(store.Item) error) (found bool, err error) {
	if walker, ok := rd.(store.Reader); ok {
		err = walker.WalkBucket(b.Path, fn)
	} else {
		err = r.source.WalkBucket(b.Path, fn)
	}
	found = errors.Is(err, errFound)
	if found || errors.Is(err, store.ErrNoBucket) {
		err = nil
	}
	return found, err
}

// evidence reports whether a bucket holds a result of a dialect. The bucket
// is searched at most once, and only if some call in it needs proof.
func (r *run) evidence(b *store.Bucket, dl repair.Dialect) (bool, error) {
	key := evidenceKey{b.Encoded, dl}
	if known, ok := r.known[key]; ok {
		return known, nil
	}
	j := judge{opts: &Options{}}
	found, err := r.search(b, func(it store.Item) error {
		if slices.Contains(j.value(it.Value, sieve{}).results, dl) {
			return errFound
		}
		return nil
	})
	if err == nil {
		r.known[key] = found
	}
	return found, err
}

// rowEvidence reports whether the rows of a conversation's bucket, or of a
// bucket beside it, hold a result of a dialect.
func (r *run) rowEvidence(c *conversation, dl repair.Dialect) (bool, error) {
	buckets := []*store.Bucket{c.bucket}
	if c.layout.kind == rows {
		beside, err := r.siblings(c.bucket)
		if err != nil {
			return false, err
		}
		buckets = append(buckets, beside...)
	}
	for _, b := range buckets {
		key := evidenceKey{b.Encoded + "/@", dl}
		known, ok := r.known[key]
		if !ok {
			var err error
			if known, err = r.holdsResult(b, dl); err != nil {
				return false, err
			}
			r.known[key] = known
		}
		if known {
			return true, nil
		}
	}
	return false, nil
}

// holdsResult searches the rows of a bucket for a result.
func (r *run) holdsResult(b *store.Bucket, dl repair.Dialect) (bool, error) {
	return r.search(b, func(it store.Item) error {
		_, d := r.judge.unwrapped(it.Value)
		if d == nil {
			return nil
		}
		msg := rowMessage(d)
		if msg == jsonedit.None {
			return nil
		}
		one, err := jsonedit.Parse(slices.Concat([]byte{'['}, d.Raw(msg), []byte{']'}))
		if err != nil {
			return nil
		}
		if det, ok := r.judge.repair.Detect(one, 0); ok && det.Results && det.Dialect == dl {
			return errFound
		}
		return nil
	})
}
