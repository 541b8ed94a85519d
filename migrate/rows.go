package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// A bucket whose values are one message each is judged when the walk has left
// it: only all of its keys tell how its rows make up conversations.

// A rowHistory is the history of a conversation in rows, judged.
type rowHistory struct {
	conv    *conversation
	verdict verdict // of one history, or of none to report
	made    made
	// gone tells of a live database that the rows are not there any more, or
	// were never in one state together.
	gone bool
}

// judgeBucket judges the rows of a bucket, and tells found of each conversation.
func (r *run) judgeBucket(b *store.Bucket, found func(*rowHistory) error) error {
	p, err := r.profile(b)
	if err != nil || p.rows == 0 {
		return err
	}
	l, err := r.layoutOf(b, p)
	if l == nil || err != nil {
		return err
	}
	r.unlisted = func(n *Note) { r.emit(n) }
	defer func() { r.unlisted = nil }()
	if r.described != nil {
		r.described(b, l, p)
	}
	return r.conversations(b, l, p, func(c *conversation) error {
		s, want := r.sieveRows(c)
		if !want {
			return nil
		}
		judge := r.judgeConversation
		if r.opts.Live {
			judge = r.judgeLive
		}
		h, err := judge(r.source, c, s)
		if err != nil {
			return err
		}
		return found(h)
	})
}

// layoutOf is how the rows of a bucket make up conversations: as a layout file
// says, or as they look. It is nil for a bucket whose values are no rows.
func (r *run) layoutOf(b *store.Bucket, p *profile) (*layout, error) {
	choice := r.opts.fixed(b)
	if choice == nil {
		index, form, err := r.findIndex(b, p)
		if err != nil {
			return nil, err
		}
		return p.layout(index, form), nil
	}
	if choice.Layout == document || choice.Layout == layoutNone {
		return nil, nil
	}
	l := choice.layout()
	l.reason, l.constants = p.reason(), p.constants()
	if l.unordered() {
		l.doubt = unknownOrder
	}
	if l.index != nil {
		var stats keyStats
		if _, err := r.search(&store.Bucket{Path: l.index}, func(it store.Item) error {
			stats.add(it.Key)
			return nil
		}); err != nil {
			return nil, err
		}
		l.indexForm = stats.form()
	}
	return l, nil
}

// profile looks at all rows of a bucket.
func (r *run) profile(b *store.Bucket) (*profile, error) {
	p := newProfile(b.Path)
	_, err := r.search(b, func(it store.Item) error {
		if _, d := r.judge.unwrapped(it.Value); d != nil {
			if msg := rowMessage(d); msg != jsonedit.None {
				p.add(it.Key, d, msg)
				return nil
			}
		}
		p.others++
		return nil
	})
	return p, err
}

// findIndex finds the bucket beside b that lists its keys in order, if keys do
// not order themselves.
func (r *run) findIndex(b *store.Bucket, p *profile) (index [][]byte, form keyForm, err error) {
	if p.whole.form().ordered() {
		return nil, opaque, nil
	}
	siblings, err := r.siblings(b)
	if err != nil {
		return nil, opaque, err
	}
	for _, s := range siblings {
		var stats keyStats
		other, err := r.search(s, func(it store.Item) error {
			if _, ok := r.source.Get(b.Path, it.Value); len(it.Value) == 0 || !ok {
				return errFound
			}
			stats.add(it.Key)
			return nil
		})
		switch {
		case err != nil:
			return nil, opaque, err
		case !other && stats.n > 0 && stats.form().isNumber():
			return s.Path, stats.form(), nil
		}
	}
	return nil, opaque, nil
}

// maxSiblings bounds the buckets that are looked at beside one.
const maxSiblings = 256

// siblings are the other buckets in the bucket that holds b, but not too many.
func (r *run) siblings(b *store.Bucket) ([]*store.Bucket, error) {
	parent := b.Path[:len(b.Path)-1]
	name := store.EncodePath(parent)
	all, known := r.beside[name]
	if !known {
		err := r.source.Walk(func(store.Item) error { return nil }, func(o *store.Bucket) error {
			switch {
			case o.Depth <= len(parent) && slices.EqualFunc(o.Path, parent[:o.Depth], bytes.Equal):
				return nil
			case o.Depth == b.Depth && len(all) == maxSiblings:
				return errFound
			case o.Depth == b.Depth:
				all = append(all, o)
			}
			return store.SkipBucket
		})
		if err != nil && !errors.Is(err, errFound) {
			return nil, err
		}
		r.beside[name] = all
	}
	return slices.DeleteFunc(slices.Clone(all), func(o *store.Bucket) bool { return o.Encoded == b.Encoded }), nil
}

// judgeConversation judges one conversation as it is read now.
func (r *run) judgeConversation(rd store.Reader, c *conversation, s sieve) (*rowHistory, error) {
	h := &rowHistory{conv: c}
	rows, err := r.judge.read(rd, c)
	if err != nil {
		return nil, err
	}
	if rows = r.listed(c, rows); len(rows) == 0 {
		return h, nil
	}
	r.follow.sees(c, rows)
	h.verdict = r.judge.judgeRows(assemble(rows), s)
	v := &h.verdict
	if why := r.doubts(c, rows); why != "" && hasFindings(v.histories) {
		v.histories, v.results, v.unrecognised = nil, nil, why
		return h, nil
	}
	for i := range v.histories {
		hist := &v.histories[i]
		if hist.result.JSON == nil {
			continue
		}
		why, err := r.rowsApart(c, hist.result)
		if err != nil {
			return nil, err
		}
		if why == "" {
			if h.made, err = r.judge.remakeRows(rd, c, r.ends, rows, *hist); err != nil {
				return nil, err
			}
			why = h.made.failed
		}
		if why == "" && len(h.made.rows) > 0 {
			edits, err := r.sidecars(rd, c.bucket, h.made.resize)
			if errors.Is(err, errList) {
				h.made, why = made{done: true, left: true}, err.Error()
			} else if err != nil {
				return nil, err
			}
			h.made.rows = append(h.made.rows, edits...)
		}
		if why != "" {
			r.ends.withdraw(c)
			*hist = unmade(*hist, why)
			hist.result.JSON, hist.left = nil, h.made.left
		}
	}
	return h, nil
}

// listed drops the rows that the index does not list: the app does not read
// them.
func (r *run) listed(c *conversation, rows []row) []row {
	if c.layout.index == nil {
		return rows
	}
	return slices.DeleteFunc(rows, func(w row) bool {
		if w.entry == nil && r.unlisted != nil {
			r.unlisted(&Note{
				Type: "note", Database: r.database, Ref: recordRef(c.bucket, w.key), Kind: "unlisted",
				Reason: "the bucket that orders the rows does not list it, so that the app does not read it",
			})
		}
		return w.entry == nil
	})
}

// doubts says why the findings of a conversation may be none, "" if they are.
func (r *run) doubts(c *conversation, rows []row) string {
	switch {
	case c.layout.doubt != "":
		return c.layout.doubt
	case c.doubt != "":
		return c.doubt
	}
	return tied(c.layout, rows)
}

// tied says why the order of rows is not known, "" if it is.
func tied(l *layout, rows []row) string {
	if l.order == "" || l.form.ordered() {
		return "" // or the key decides
	}
	for i := 1; i < len(rows); i++ {
		if rows[i-1].order.compare(rows[i].order) == 0 {
			return "two rows have the same " + l.order + ": which of them the app reads first is not known"
		}
	}
	return ""
}
