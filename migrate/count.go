package migrate

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// Apps keep the number of messages beside them, or in a row of its own. Such a
// number follows a repair, but only if it was right before: what merely looks
// like one, as the number of turns, stays.

// counts are new texts for the numbers in the objects around the array arr that
// say how many elements it has, once it has n.
func counts(d *jsonedit.Doc, around []jsonedit.Ref, arr jsonedit.Ref, n int) (parts []part) {
	old := 0
	for range d.Elems(arr) {
		old++
	}
	if old == n {
		return nil
	}
	name := ""
	if arr > 0 && d.Kind(arr-1) == jsonedit.String {
		name = d.Text(arr - 1)
	}
	for i, obj := range around {
		for key, value := range membersOf(d, obj) {
			if isCount(d.Text(key), name, i == len(around)-1) && says(d, value, old) {
				start, end := d.Span(value)
				parts = append(parts, part{span{start, end}, strconv.AppendInt(nil, int64(n), 10)})
			}
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return a.start - b.start })
	return parts
}

// says reports whether a value is a number.
func says(d *jsonedit.Doc, r jsonedit.Ref, n int) bool {
	return d.Kind(r) == jsonedit.Number && string(d.Raw(r)) == strconv.Itoa(n)
}

// isCount reports whether a member's name is one for the number of elements of
// an array of a name, which lies in the same object or deeper.
func isCount(name, array string, beside bool) bool {
	name, array = fold([]byte(name)), fold([]byte(array))
	if beside && (name == "count" || name == "length") {
		return true
	}
	for _, what := range []string{"message", "messages", "msg", "msgs", array, strings.TrimSuffix(array, "s")} {
		if what == "" {
			continue
		}
		for _, form := range []string{what + "count", what + "scount", "num" + what, "n" + what, "total" + what, what + "total"} {
			if name == form {
				return true
			}
		}
	}
	return false
}

// sidecarPrefixes stand before the conversation in keys of other buckets.
var sidecarPrefixes = []string{
	"", "conv:", "conversation:", "sess:", "session:", "sum:", "summary:", "meta:", "thread:", "chat:",
}

// metaKeys are keys of rows about the others of their bucket.
var metaKeys = [][]byte{[]byte("meta"), []byte("_meta"), []byte("metadata"), []byte("info"), []byte("header"), []byte("summary")}

// sidecars are the edits of rows in other buckets that count the messages of a
// conversation.
func (r *run) sidecars(rd store.Reader, b *store.Bucket, id []byte, old, n int) (edits []store.RowEdit, err error) {
	if old == n {
		return nil, nil
	}
	beside, err := r.siblings(b)
	if err == nil && len(b.Path) > 1 { // where the conversations' own buckets lie
		parent := &store.Bucket{Path: b.Path[:len(b.Path)-1], Depth: len(b.Path) - 1}
		parent.Encoded = store.EncodePath(parent.Path)
		var more []*store.Bucket
		more, err = r.siblings(parent)
		beside = slices.Concat(beside, more)
	}
	if err != nil {
		return nil, err
	}
	own := []*store.Bucket{b}
	if len(b.Path) > 1 {
		own = append(own, &store.Bucket{Path: b.Path[:len(b.Path)-1]})
	}
	for i, s := range slices.Concat(own, beside) {
		keys := sidecarKeys(id)
		switch {
		case i == 0:
			keys = append(keys[1:], metaKeys...) // the first is the value itself
		case i < len(own):
			keys = keys[1:]
		}
		for _, key := range keys {
			value, ok := rd.Get(s.Path, key)
			if !ok {
				continue
			}
			now, named, err := r.judge.recount(value, id, i < len(own), old, n)
			if err != nil {
				return nil, err
			}
			if now != nil && (named || i == 0 || bytes.HasSuffix(key, id)) {
				edits = append(edits, store.RowEdit{Bucket: s.Path, Key: key, Old: value, New: now})
			}
		}
	}
	return edits, nil
}

// docSidecars are the sidecars of a value. Of several histories whose length
// changes the first counts.
func (r *run) docSidecars(rd store.Reader, b *store.Bucket, key []byte, hs []history) ([]store.RowEdit, error) {
	for _, h := range hs {
		if h.result.JSON != nil && h.result.Order != nil {
			return r.sidecars(rd, b, key, h.elements, len(h.result.Order))
		}
	}
	return nil, nil
}

// sidecarKeys are the keys that a row about a conversation may have.
func sidecarKeys(id []byte) (keys [][]byte) {
	ids := [][]byte{id}
	if at := bytes.LastIndexAny(id, ":/|"); at >= 0 && at+1 < len(id) {
		ids = append(ids, id[at+1:])
	}
	for _, id := range ids {
		for _, prefix := range sidecarPrefixes {
			keys = append(keys, append([]byte(prefix), id...))
		}
	}
	return keys
}

// recount is a value whose count is another, nil if it has none that was right.
// A mere "messages" counts only if the value names the conversation too, or lies
// with its rows; named says whether it does.
func (j *judge) recount(value, id []byte, own bool, old, n int) (now []byte, named bool, err error) {
	u, d := j.unwrapped(value)
	if d == nil || d.Kind(0) != jsonedit.Object {
		return nil, false, nil
	}
	for _, member := range d.Members(0) {
		text := d.Text(member)
		named = named || text != "" && (text == string(id) || bytes.HasSuffix(id, []byte(":"+text)) || bytes.HasSuffix(id, []byte("/"+text)))
	}
	var edit jsonedit.Edit
	for key, member := range d.Members(0) {
		name := d.Text(key)
		if (isCount(name, "", false) || (own || named) && fold([]byte(name)) == "messages") && says(d, member, old) {
			edit.Replace(member, strconv.AppendInt(nil, int64(n), 10))
		}
	}
	if edit.Empty() {
		return nil, named, nil
	}
	now, err = u.Rewrap(edit.Bytes(d))
	return now, named, err
}
