package migrate

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// Some apps store a conversation in pieces, each an array of messages: a value a
// turn, or a list of turns in one value. A call and its result may lie in two of
// them. The app puts them together, so that nothing is wrong there.

//
// Ids repeat from one conversation to the next in many stores. So what lies in
// another value is of the same conversation for certain only if the id is one
// that is never made twice, or if each value is one message, or if end after end
// fits the beginning behind it. If it may be or not, the history is reported and
// not written.

// maxPieces bounds the values before and behind one that may hold what it lacks,
// maxPieceBytes their bytes, maxKnown the values whose pieces are remembered, and
// maxOpened those that are opened to see whether they hold anything.
const (
	maxPieces     = 16
	maxPieceBytes = 1 << 20
	maxKnown      = 512
	maxOpened     = 4
)

// A piece is one array of messages, with what its ends lack.
type piece struct {
	start    int // in the text
	list     jsonedit.Ref
	dialect  repair.Dialect
	ids      map[string]bool
	messages int
	repair.Edges
}

// pieces are the arrays of messages of a value.
func (j *judge) pieces(value []byte) (all []piece) {
	sum := maphash.Bytes(j.seed, value)
	if known, ok := j.known[sum]; ok {
		return known
	}
	if len(j.known) >= maxKnown || j.known == nil {
		j.known = make(map[uint64][]piece)
	}
	_, d := j.unwrapped(value)
	if d == nil {
		j.known[sum] = nil
		return nil
	}
	var t trail
	for r := jsonedit.Ref(0); r < d.Nodes(); r++ {
		if d.Kind(r) != jsonedit.Array || !repair.LooksLikeHistory(d, r) {
			continue
		}
		det, ok := j.repair.Detect(d, r)
		if !ok || det.Messages == 0 && det.Dialect == "" {
			continue
		}
		res, err := j.repair.Opened(r, &repair.Options{})
		if err != nil {
			continue
		}
		start, _ := d.Span(r)
		p := piece{start: start, list: t.list(d, r), dialect: res.Dialect, messages: res.Messages, ids: make(map[string]bool)}
		for id := range j.repair.CallIDs() {
			p.ids[id] = true
		}
		for id := range j.repair.ResultIDs() {
			p.ids[id] = true
		}
		if isHalf(res.Findings) {
			p.Edges = j.repair.Edges()
		}
		all = append(all, p)
		r = d.End(r) - 1
	}
	j.known[sum] = all
	return all
}

// isHalf reports whether a history lacks the other half of something.
func isHalf(findings []repair.Finding) bool {
	return len(halves(findings, repair.MissingResult))+len(halves(findings, repair.OrphanResult)) > 0
}

// gather settles the histories of a value of which some halves lie in other
// pieces: what the pieces hold together is no finding.
func (r *run) gather(rd getter, b *store.Bucket, key []byte, hs []history) ([]history, error) {
	var own []piece
	for i := range hs {
		h := &hs[i]
		if h.result.JSON == nil || !isHalf(h.result.Findings) {
			continue
		}
		if own == nil {
			value, ok := rd.Get(b.Path, key)
			if !ok {
				return nil, store.ErrStale
			}
			own = slices.DeleteFunc(slices.Clone(r.judge.pieces(value)), func(p piece) bool { // a log for display
				lacks := len(p.Missing)+len(p.Orphans) > 0
				return lacks && !slices.ContainsFunc(hs, func(h history) bool { return len(h.within) == 0 && h.start == p.start })
			})
		}
		at := slices.IndexFunc(own, func(p piece) bool { return p.start == h.start })
		if at < 0 || len(h.within) > 0 {
			continue
		}
		near, err := r.piecesNear(rd, b, key, own)
		if err != nil {
			return nil, err
		}
		found, apart := own[at].matched(near, own)
		if len(found)+len(apart) > 0 {
			*h = unmade(*h, "calls and results of this conversation lie apart, in several pieces of it")
			h.result.JSON = nil
			h.result.Findings = slices.DeleteFunc(h.result.Findings, func(f repair.Finding) bool { return slices.Contains(found, f.IDs[0]) })
		}
	}
	return slices.DeleteFunc(hs, func(h history) bool {
		return h.result.JSON == nil && len(h.result.Findings) == 0 && len(h.result.Reason) > 0 && !r.opts.All
	}), nil
}

// around are the pieces in the values before and behind one, the nearest first.
type around struct{ before, behind []piece }

func (r *run) piecesNear(rd getter, b *store.Bucket, key []byte, own []piece) (a around, err error) {
	if !slices.ContainsFunc(own, func(p piece) bool { return p.Small || len(p.Head)+len(p.Tail) > 0 }) {
		return a, nil // what it lacks does not lie at an end
	}
	before, behind, err := r.near(rd, b, key, maxPieces, maxPieces)
	if !mayHold(before, own) && !mayHold(behind, own) {
		return a, err
	}
	for _, it := range within(before, maxPieceBytes) {
		all := slices.Clone(r.judge.pieces(it.Value))
		slices.Reverse(all)
		a.before = append(a.before, all...)
	}
	for _, it := range within(behind, maxPieceBytes) {
		a.behind = append(a.behind, r.judge.pieces(it.Value)...)
	}
	return a, err
}

// mayHold reports whether some value has an id of what the pieces lack: to look
// for that costs little, and mostly none has. Of values that are no plain JSON
// only the nearest are looked into.
func mayHold(items []store.Item, own []piece) bool {
	for i, it := range within(items, maxPieceBytes) {
		text := bytes.TrimSpace(it.Value)
		if len(text) > 0 && text[0] != '{' && text[0] != '[' {
			if i < maxOpened {
				return true
			}
			continue
		}
		for k := range own {
			if slices.ContainsFunc(slices.Concat(own[k].Missing, own[k].Orphans), func(id string) bool {
				return bytes.Contains(text, []byte(id)) || strings.ContainsAny(id, "\\\"<>&") || strings.IndexFunc(id, notPlain) >= 0
			}) {
				return true
			}
		}
	}
	return false
}

// notPlain is true of what JSON may escape.
func notPlain(c rune) bool { return c < ' ' || c > '~' }

// within are the first items that have some bytes together.
func within(items []store.Item, limit int) []store.Item {
	for i := range items {
		if limit -= len(items[i].Value); limit < 0 {
			return items[:i]
		}
	}
	return items
}

// near are some values before and behind one, the nearest first.
func (r *run) near(rd getter, b *store.Bucket, key []byte, up, down int) (before, behind []store.Item, err error) {
	if v, ok := rd.(interface {
		Near(bucket [][]byte, key []byte, up, down int) (before, behind []store.Item)
	}); ok {
		before, behind = v.Near(b.Path, key, up, down)
		return before, behind, nil
	}
	_, err = r.searchIn(rd, b, func(it store.Item) error {
		switch c := bytes.Compare(it.Key, key); {
		case c < 0:
			before = append(before, it)
			before = before[max(0, len(before)-up):]
		case c > 0 && len(behind) == down:
			return errFound
		case c > 0:
			behind = append(behind, it)
		}
		return nil
	})
	slices.Reverse(before)
	return before, behind, err
}
