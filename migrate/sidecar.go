package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

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
	if len(b.Path) > 1 {
		own = append(own, parentOf(b))
	}
	beside, err := r.beyond(b)
	if err != nil {
		return nil, err
	}
	for i, s := range slices.Concat(own, beside) {
		keys := sidecarKeys(rs.id)
		switch {
		case i == 0:
			keys = append(keys[1:], metaKeys...) // the first is the value itself
		case i < len(own):
			keys = keys[1:]
		}
		more, err := r.told(rd, s, keys, i < len(own), i == 0, rs)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
		if len(beside) > maxCounterBuckets {
			continue
		}
		edits = append(edits, loneCounters(rd, s, i == 0, rs)...)
		if all := rs.shared(); all != nil && i > 0 {
			more, err := r.told(rd, s, append(metaKeys, b.Path[len(b.Path)-1]), true, true, all)
			if err != nil {
				return nil, err
			}
			edits = append(edits, more...)
			edits = append(edits, wordCounters(rd, s, all)...)
		}
	}
	return edits, nil
}

// told are the edits of what some rows of a bucket tell. sure: whatever their
// keys are, they are about these messages.
func (r *run) told(rd store.Reader, s *store.Bucket, keys [][]byte, own, sure bool, rs *resize) (edits []store.RowEdit, err error) {
	for _, key := range keys {
		value, ok := rd.Get(s.Path, key)
		if !ok {
			continue
		}
		now, named, err := r.judge.recount(value, own, rs)
		if err != nil {
			return nil, fmt.Errorf("%w, in %s", err, recordRef(s, key))
		}
		if now != nil && (named || sure || bytes.HasSuffix(key, rs.id)) {
			edits = append(edits, store.RowEdit{Bucket: s.Path, Key: key, Old: value, New: now})
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
