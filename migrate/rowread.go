package migrate

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"boltmend/store"
)

// A held is what rows are read by where there is no view: the values of one
// bucket, in memory.
type held struct {
	r      *run
	bucket *store.Bucket
	values map[string][]byte
}

// reader reads the rows of a bucket.
func (r *run) reader(b *store.Bucket) (store.Reader, error) {
	if r.view != nil {
		return r.view, nil
	}
	h := &held{r: r, bucket: b, values: make(map[string][]byte)}
	_, err := r.search(b, func(it store.Item) error {
		h.values[string(it.Key)] = it.Value
		return nil
	})
	return h, err
}

// Get returns a value of the bucket.
func (h *held) Get(path [][]byte, key []byte) (value []byte, ok bool) {
	if store.EncodePath(path) != h.bucket.Encoded {
		return nil, false
	}
	value, ok = h.values[string(key)]
	return value, ok
}

// WalkBucket walks a bucket as it is now.
func (h *held) WalkBucket(path [][]byte, fn func(store.Item) error) error {
	return h.r.source.WalkBucket(path, fn)
}

// Sequence returns that of the bucket.
func (h *held) Sequence([][]byte) (uint64, bool) { return h.bucket.Sequence, true }

// judgeLive judges a conversation of a file that is written to. Its rows may be
// of two states, so that faults count only if all rows read the same a second
// time. After a while without a quiet moment it is passed over.
func (r *run) judgeLive(rd store.Reader, c *conversation, s sieve) (*rowHistory, error) {
	until := time.Now().Add(r.opts.LockWait)
	for {
		h, err := r.judgeConversation(rd, c, s)
		if err != nil && !errors.Is(err, store.ErrStale) {
			return nil, err
		}
		if err == nil && !hasFindings(h.verdict.histories) {
			return h, nil
		}
		next, now, e := r.reread(c)
		switch {
		case e != nil:
			return nil, e
		case err == nil && sameRows(rd, c, now, next):
			return h, nil
		case next == nil || len(next.keys) == 0:
			return &rowHistory{conv: c}, nil // it is gone
		case time.Now().After(until):
			r.restless++
			return &rowHistory{conv: c}, nil
		}
		rd, c = now, next
	}
}

func hasFindings(hs []history) bool {
	return slices.ContainsFunc(hs, func(h history) bool { return len(h.result.Findings) > 0 })
}

// reread reads the bucket of a conversation again, nil if it is not there.
func (r *run) reread(c *conversation) (next *conversation, rd store.Reader, err error) {
	if rd, err = r.reader(c.bucket); err != nil {
		return nil, nil, err
	}
	g := grouping{r: r, bucket: c.bucket, layout: c.layout, by: make(map[string]*conversation)}
	for key, value := range rd.(*held).values {
		if err := g.row(store.Item{Bucket: c.bucket, Key: []byte(key), Value: value}); err != nil {
			return nil, nil, err
		}
	}
	if next = g.by[string(c.id)]; next != nil {
		next.rows, next.max = c.rows, max(c.max, g.max)
		slices.SortFunc(next.keys, bytes.Compare)
	}
	return next, rd, nil
}

// sameRows compares what was read of a conversation at two times.
func sameRows(a store.Reader, c *conversation, b store.Reader, d *conversation) bool {
	if d == nil || len(c.keys) != len(d.keys) {
		return false
	}
	for _, key := range c.keys {
		was, _ := a.Get(c.bucket.Path, key)
		is, ok := b.Get(c.bucket.Path, key)
		if !ok || !bytes.Equal(was, is) {
			return false
		}
	}
	return true
}
