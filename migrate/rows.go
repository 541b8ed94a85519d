package migrate

import (
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
		x, err := r.findIndex(b, p)
		if err != nil {
			return nil, err
		}
		l := p.layout(x)
		if err = r.spell(b, l, p.places(l)); err == nil {
			err = r.nameRows(x)
		}
		return l, err
	}
	if choice.Layout == document || choice.Layout == layoutNone {
		return nil, nil
	}
	l := choice.layout()
	l.chosen = true
	l.reason, l.constants = p.reason(), p.constants()
	l.ranked = l.form == opaque // without an order that is what was chosen
	if l.unordered() {
		l.doubt = unknownOrder
	}
	if err := r.respell(b, l); err != nil {
		return nil, err
	}
	if l.index != nil {
		return l, r.readChoice(choice, l.index)
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

// judgeConversation judges one conversation as it is read now. Where fixes of
// lint cannot be carried out in its rows, it is repaired without them.
func (r *run) judgeConversation(rd store.Reader, c *conversation, s sieve) (*rowHistory, error) {
	h, err := r.judgeOnce(rd, c, s)
	if err != nil || !h.made.left || len(r.opts.Repair.Fix) == 0 {
		return h, err
	}
	without := r.opts
	without.Repair.Fix = nil
	r.judge.opts = &without
	defer func() { r.judge.opts = &r.opts }()
	again, err := r.judgeOnce(rd, c, s)
	if err != nil || len(again.made.rows) == 0 {
		return h, err
	}
	for i := range again.verdict.histories {
		if res := &again.verdict.histories[i].result; res.Reason == "" {
			res.Reason = "its lint is left: " + h.made.failed
		}
	}
	return again, nil
}

func (r *run) judgeOnce(rd store.Reader, c *conversation, s sieve) (*rowHistory, error) {
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
	if why := r.doubts(c, rows, v.histories); why != "" && hasFindings(v.histories) {
		v.histories, v.results, v.unrecognised = nil, nil, why
		return h, nil
	}
	for i := range v.histories {
		hist := &v.histories[i]
		if hist.result.JSON == nil {
			continue
		}
		why, err := r.rowsApart(c, hist.result)
		if why == "" && err == nil {
			why, err = r.libraryIndexes(c.bucket)
		}
		if why == "" && err == nil {
			why, err = r.rowsHeld(rd, c, rows)
		}
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
			if err == nil {
				var more []store.RowEdit
				more, err = r.relists(rd, c, rows, h.made.written.keys)
				edits = append(edits, more...)
			}
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
		if w.entry == nil {
			r.unlists(c.bucket, w.key)
		}
		return w.entry == nil
	})
}

// unlists notes a row that no index lists.
func (r *run) unlists(b *store.Bucket, key []byte) {
	if r.unlisted != nil {
		r.unlisted(&Note{
			Type: "note", Database: r.database, Ref: recordRef(b, key), Kind: "unlisted",
			Reason: "the bucket that orders the rows does not list it, so that the app does not read it",
		})
	}
}

// doubts says why the findings of a conversation may be none, "" if they are.
func (r *run) doubts(c *conversation, rows []row, hs []history) string {
	switch {
	case c.layout.doubt != "":
		return c.layout.doubt
	case c.doubt != "":
		return c.doubt
	}
	if why := tied(c.layout, rows); why != "" {
		return why
	}
	l := c.layout
	if n := faultsOf(hs); n > 0 && !l.chosen && !l.named && l.conv == "" && !l.index.names() {
		if name := r.judge.mixed(rows, n); name != "" {
			return "the rows may be of several conversations (" + store.EncodeName([]byte(name)) + "), which have fewer faults than one"
		}
	}
	return ""
}

// tied says why the order of rows is not known, "" if it is.
func tied(l *layout, rows []row) string {
	if l.order == "" && l.index == nil && backwards(rows) {
		return "the rows may be read from the last key to the first: their times go back"
	}
	if l.order == "" || l.form.ordered() && !l.counted() {
		return "" // or the key decides
	}
	for i := 1; i < len(rows); i++ {
		if rows[i-1].order.compare(rows[i].order) == 0 {
			return "two rows have the same " + l.order + ": which of them the app reads first is not known"
		}
	}
	return ""
}

// backwards reports whether all rows have a time, each an earlier one than the
// row before it.
func backwards(rows []row) bool {
	if len(rows) < 3 {
		return false
	}
	docs := make([]*jsonedit.Doc, len(rows))
	for i := range rows {
		d, err := jsonedit.Parse(rows[len(rows)-1-i].text)
		if err != nil {
			return false
		}
		docs[i] = d
	}
	name := timeOf(docs)
	if name == "" {
		return false
	}
	for i := 1; i < len(docs); i++ {
		if markOf(docs[i-1], docs[i-1].Get(0, name)).compare(markOf(docs[i], docs[i].Get(0, name))) == 0 {
			return false
		}
	}
	return true
}
