package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// A sidecar is a row in another bucket, or another row of the bucket, that says
// something about the messages of a conversation: how many there are, the number
// of the last or of the next, which they are. What it says follows a repair, but
// only if it was right before.

// sidecarPrefixes stand before the conversation in keys of sidecars.
var sidecarPrefixes = []string{
	"", "conv:", "conversation:", "sess:", "session:", "sum:", "summary:", "meta:", "thread:", "chat:",
}

// metaKeys are keys of rows about the others of their bucket.
var metaKeys = [][]byte{[]byte("meta"), []byte("_meta"), []byte("metadata"), []byte("info"), []byte("header"), []byte("summary")}

// maxCounterBuckets bounds the buckets that are looked into for numbers that
// stand alone: where there are more, each is of a conversation.
const maxCounterBuckets = 32

// sidecars are the edits of what is said elsewhere about the messages of a
// conversation.
func (r *run) sidecars(rd store.Reader, b *store.Bucket, rs *resize) (edits []store.RowEdit, err error) {
	if rs.nothing() {
		return nil, nil
	}
	own := []*store.Bucket{b}
	ids := [][]byte{rs.id}
	mine := rs.alone // what is so of the bucket is so of the one around it
	if len(b.Path) > 1 {
		own = append(own, parentOf(b))
		others, err := r.siblings(b)
		for _, s := range others {
			if mine && err == nil {
				var t trait
				t, err = r.traitOf(rd, s)
				mine = !t.rows
			}
		}
		if err != nil {
			return nil, err
		}
		if mine && len(b.Path) > 2 { // sessions/<id>/messages
			ids = append(ids, b.Path[len(b.Path)-2])
		}
	}
	beside, err := r.beyond(b)
	if err != nil {
		return nil, err
	}
	if len(ids) > 1 {
		more, err := r.siblings(parentOf(parentOf(b)))
		if err != nil {
			return nil, err
		}
		beside = append(beside, more...)
	}
	for i, s := range slices.Concat(own, beside) {
		look := lookout{r: r, rd: rd, bucket: s, own: i == 0, near: i < len(own), few: len(beside) <= maxCounterBuckets}
		look.mine = look.near && rs.alone && (look.own || mine)
		more, err := look.edits(b, ids, rs)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
	}
	return once(edits), nil
}

// once leaves out what is a second edit of a row.
func once(edits []store.RowEdit) []store.RowEdit {
	known := make(map[string]bool)
	return slices.DeleteFunc(edits, func(e store.RowEdit) bool {
		name := store.EncodePath(e.Bucket) + "/" + string(e.Key)
		again := known[name]
		known[name] = true
		return again
	})
}

// A lookout looks for sidecars in one bucket.
type lookout struct {
	r      *run
	rd     store.Reader
	bucket *store.Bucket
	own    bool // it is that of the rows
	near   bool // or that or the one around it
	mine   bool // and of this conversation alone
	few    bool // there are few to be looked at
}

// edits are those of the sidecars in the bucket about a conversation of b, which
// may have several names.
func (o *lookout) edits(b *store.Bucket, ids [][]byte, rs *resize) (edits []store.RowEdit, err error) {
	t, err := o.r.traitOf(o.rd, o.bucket)
	name := fold(o.bucket.Path[max(0, len(o.bucket.Path)-1)])
	if err != nil || !o.near && (t.rows || isSettings(name)) {
		return nil, err
	}
	tell := func(keys [][]byte, sure bool, rs *resize) {
		if err == nil {
			var more []store.RowEdit
			more, err = o.told(keys, sure, rs)
			edits = append(edits, more...)
		}
	}
	for _, id := range ids {
		named := *rs
		named.id = id
		keys := sidecarKeys(id)
		if o.near {
			keys = keys[1:] // the first is the value itself
		}
		tell(keys, false, &named)
		if o.few && (o.near || t.short) {
			edits = append(edits, loneCounters(o.rd, o.bucket, o.own, &named)...)
		}
	}
	if o.mine {
		tell(metaKeys, true, rs)
		edits = append(edits, wordCounters(o.rd, o.bucket, rs)...)
	}
	if all := rs.shared(); all != nil && o.few && (o.own || isMeta(name)) {
		tell(metaKeys, true, all)
		if !o.own {
			tell(b.Path[len(b.Path)-1:], true, all)
		}
		edits = append(edits, wordCounters(o.rd, o.bucket, all)...)
	}
	return edits, err
}

// isMeta reports whether a folded name is one for a bucket about the others.
func isMeta(name string) bool {
	switch name {
	case "meta", "metadata", "info", "state", "seq", "seqs", "sequence", "sequences", "counter", "counters", "system":
		return true
	}
	return false
}

// isSettings reports whether a folded name is one for a bucket of numbers that
// people set.
func isSettings(name string) bool {
	for _, part := range []string{"setting", "config", "pref", "user", "quota", "limit", "job", "task"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// A trait is what the first values of a bucket tell of it: that they are rows of
// a conversation, or that some are so short that they may be numbers.
type trait struct{ rows, short bool }

// traitSample is how many values are looked at, and shortValue what is short.
const (
	traitSample = 64
	shortValue  = 24
)

func (r *run) traitOf(rd store.Reader, s *store.Bucket) (trait, error) {
	if known, ok := r.traits[s.Encoded]; ok {
		return known, nil
	}
	var t trait
	n := 0
	_, err := r.searchIn(rd, s, func(it store.Item) error {
		if n++; n == 1 {
			_, d := r.judge.unwrapped(it.Value)
			t.rows = d != nil && rowMessage(d) != jsonedit.None
		}
		t.short = t.short || len(it.Value) <= shortValue
		if n == traitSample {
			return errFound
		}
		return nil
	})
	if err == nil {
		r.traits[s.Encoded] = t
	}
	return t, err
}

// told are the edits of what some rows of the bucket tell. sure: whatever their
// keys are, they are about these messages.
func (o *lookout) told(keys [][]byte, sure bool, rs *resize) (edits []store.RowEdit, err error) {
	for _, key := range keys {
		value, ok := o.rd.Get(o.bucket.Path, key)
		if !ok {
			continue
		}
		now, named, err := o.r.judge.recount(value, o.near || sure, rs)
		if err != nil {
			return nil, fmt.Errorf("%w, in %s", err, recordRef(o.bucket, key))
		}
		if now != nil && (named || sure || bytes.HasSuffix(key, rs.id)) {
			edits = append(edits, store.RowEdit{Bucket: o.bucket.Path, Key: key, Old: value, New: now})
		}
	}
	return edits, nil
}

// errList says that a list of a conversation's rows could not follow.
var errList = errors.New("a list of its rows")

func parentOf(b *store.Bucket) *store.Bucket {
	path := b.Path[:len(b.Path)-1]
	return &store.Bucket{Path: path, Depth: len(path), Encoded: store.EncodePath(path)}
}

// beyond are the buckets beside one, and those beside the one that it lies in,
// where conversations have buckets of their own.
func (r *run) beyond(b *store.Bucket) ([]*store.Bucket, error) {
	beside, err := r.siblings(b)
	if err != nil || len(b.Path) < 2 {
		return beside, err
	}
	more, err := r.siblings(parentOf(b))
	return slices.Concat(beside, more), err
}

// docSidecars are the sidecars of a value. Of several histories whose length
// changes the first counts.
func (r *run) docSidecars(rd store.Reader, b *store.Bucket, key []byte, hs []history) ([]store.RowEdit, error) {
	for _, h := range hs {
		if h.result.JSON != nil && h.result.Order != nil {
			return r.sidecars(rd, b, &resize{id: key, old: h.elements, now: len(h.result.Order)})
		}
	}
	return nil, nil
}

// sidecarKeys are the keys that a row about a conversation may have.
func sidecarKeys(id []byte) (keys [][]byte) {
	for _, id := range idForms(id) {
		for _, prefix := range sidecarPrefixes {
			keys = append(keys, append([]byte(prefix), id...))
		}
	}
	return keys
}

// idForms are the names that a conversation may have elsewhere: its own, and
// what stands behind the last separator in it.
func idForms(id []byte) [][]byte {
	if at := bytes.LastIndexAny(id, ":/|"); at >= 0 && at+1 < len(id) {
		return [][]byte{id, id[at+1:]}
	}
	return [][]byte{id}
}
