package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/store"
)

// judgeLive judges a conversation of a file that is written to. The rows that
// the walk saw may be of several states, so that faults count only if they are
// there in one state too. After a while without a quiet moment the conversation
// is passed over.
func (r *run) judgeLive(rd store.Reader, c *conversation, s sieve) (*rowHistory, error) {
	h, err := r.judgeConversation(rd, c, s)
	if err == nil && !hasFindings(h.verdict.histories) || err != nil && !errors.Is(err, store.ErrStale) {
		return h, err
	}
	pages, ok := r.source.(interface {
		Together(fn func(store.Reader) error) error
	})
	if !ok {
		return h, err
	}
	err = pages.Together(func(one store.Reader) error {
		h = &rowHistory{conv: c, gone: true}
		now, err := r.reread(one, c)
		if now == nil || err != nil {
			return err // it is gone, and with it what was wrong
		}
		h, err = r.judgeConversation(one, now, s)
		return err
	})
	if errors.Is(err, store.ErrLocked) || errors.Is(err, store.ErrStale) {
		r.restless++
		return &rowHistory{conv: c, gone: true}, nil
	}
	return h, err
}

func hasFindings(hs []history) bool {
	return slices.ContainsFunc(hs, func(h history) bool { return len(h.result.Findings) > 0 })
}

// reread finds the rows of a conversation as they are now, nil if there are
// none.
func (r *run) reread(rd store.Reader, c *conversation) (*conversation, error) {
	g := grouping{r: r, bucket: c.bucket, layout: c.layout, by: make(map[string]*conversation)}
	var err error
	if from, ok := rd.(fromReader); ok && c.layout.kind == rowsComposite {
		// All of its keys begin with its name, and lie together.
		err = from.WalkFrom(c.bucket.Path, c.id, func(it store.Item) error {
			if !bytes.HasPrefix(it.Key, c.id) {
				return errFound
			}
			return g.row(it)
		})
	} else {
		err = rd.WalkBucket(c.bucket.Path, g.row)
	}
	if err != nil && !errors.Is(err, errFound) && !errors.Is(err, store.ErrNoBucket) {
		return nil, err
	}
	now := g.by[string(c.id)]
	if now == nil || len(now.keys) == 0 {
		return nil, nil
	}
	now.rows, now.max = c.rows, max(c.max, g.max)
	return now, nil
}

// A fromReader walks a part of a bucket.
type fromReader interface {
	WalkFrom(bucket [][]byte, from []byte, fn func(store.Item) error) error
}
