package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"boltmend/store"
)

// Rows may be listed more than once: in the order of time beside that of the
// conversation, or by conversation beside keys that are in order by themselves.
// The lists that do not order the rows follow too, where it is plain how.

// A list is a bucket that lists rows, either by value, as an index does, or by
// key.
type list struct {
	path   [][]byte
	nested bool // in a bucket of each conversation
	byKey  bool
	sep    string // between conversation and row in the key
	conv   bool   // the key names the conversation
	order  *index // of a list by value, nil if its entries are in no order
	flat   index  // of one by value that is one bucket, to be read once
}

// listSample is how many entries of a bucket tell whether it is a list.
const listSample = 8

// maxListed bounds the value of an entry that is listed by its key. What is
// longer says something about the row, and is no list.
const maxListed = 64

// lists are the buckets near one that list its rows and do not order them.
func (r *run) listsOf(c *conversation) ([]*list, error) {
	if known, ok := r.lists[c.bucket.Encoded]; ok {
		return known, nil
	}
	near, err := r.nearIndexes(c.bucket)
	if err != nil {
		return nil, err
	}
	var all []*list
	for _, s := range near {
		if x := c.layout.index; x != nil && (store.EncodePath(x.path) == s.Encoded || store.EncodePath(c.indexPath()) == s.Encoded) {
			continue
		}
		l, n, err := r.listAt(c.bucket, s)
		if err == nil && n == 0 {
			var inside []*store.Bucket
			if inside, err = r.children(s.Path, 1); err == nil && len(inside) > 0 {
				if l, _, err = r.listAt(c.bucket, inside[0]); l != nil {
					l.path, l.nested = s.Path, true
				}
			}
		}
		if err == nil && l != nil && !l.byKey {
			l.order, _, err = r.indexOf(c.bucket, s)
		}
		if err != nil {
			return nil, err
		}
		if l != nil {
			all = append(all, l)
		}
	}
	r.lists[c.bucket.Encoded] = all
	return all, nil
}

// listAt is a bucket as a list of the rows of b, nil if it is none, and how many
// of its entries were looked at.
func (r *run) listAt(b, s *store.Bucket) (*list, int, error) {
	n, long := 0, false
	byValue, byKey, value := true, true, []byte(nil)
	shape := list{path: s.Path, byKey: true}
	_, err := r.search(s, func(it store.Item) error {
		n++
		_, ok := r.source.Get(b.Path, it.Value)
		byValue = byValue && len(it.Value) > 0 && ok
		long = long || len(it.Value) > 4
		if n == 1 {
			value = bytes.Clone(it.Value)
			// The rows of another conversation may have the same keys.
			byKey = !r.judge.isMessage(it.Value) && shape.keyed(r.source, b, it.Key)
		}
		byKey = byKey && len(it.Value) <= maxListed && (bytes.Equal(it.Value, value) || ok) && shape.lists(r.source, b, it.Key)
		if n == listSample || !byValue && !byKey {
			return errFound
		}
		return nil
	})
	switch {
	case err != nil || n == 0:
		return nil, n, err
	case byKey:
		return &shape, n, nil
	case byValue && (long || n > 1):
		return &list{path: s.Path, flat: index{path: s.Path}}, n, nil
	}
	return nil, n, nil
}

// keyed finds out how a key names a row of b; false if it does not.
func (l *list) keyed(rd store.Reader, b *store.Bucket, key []byte) bool {
	if _, ok := rd.Get(b.Path, key); ok {
		return true
	}
	for _, sep := range separators {
		at := bytes.Index(key, []byte(sep.text))
		if sep.text == "" || at <= 0 {
			continue
		}
		if _, ok := rd.Get(b.Path, key[at+len(sep.text):]); ok {
			l.conv, l.sep = true, sep.text
			return true
		}
	}
	return false
}

// lists reports whether a key names a row of b as the first one did.
func (l *list) lists(rd store.Reader, b *store.Bucket, key []byte) bool {
	if l.conv {
		_, after, ok := bytes.Cut(key, []byte(l.sep))
		if !ok {
			return false
		}
		key = after
	}
	_, ok := rd.Get(b.Path, key)
	return ok
}

// relists are the edits of the lists of rows that come or go. It fails with
// errList for a list that cannot follow.
func (r *run) relists(rd store.Reader, c *conversation, old []row, now [][]byte) (edits []store.RowEdit, err error) {
	came, gone := differ(old, now)
	if len(came)+len(gone) == 0 {
		return nil, nil
	}
	all, err := r.listsOf(c)
	for _, l := range all {
		for _, id := range l.idForms(c) {
			var more []store.RowEdit
			if l.byKey {
				more = l.keyEdits(rd, id, old, came, gone)
			} else {
				more, err = l.valueEdits(rd, id, old, now, gone)
			}
			if err != nil {
				return nil, err
			}
			edits = append(edits, more...)
		}
	}
	return edits, err
}

// differ are the keys that come and those that go.
func differ(old []row, now [][]byte) (came, gone [][]byte) {
	was, is := make(map[string]bool), make(map[string]bool)
	for i := range old {
		was[string(old[i].key)] = true
	}
	for _, key := range now {
		is[string(key)] = true
		if !was[string(key)] {
			came = append(came, key)
		}
	}
	for i := range old {
		if !is[string(old[i].key)] {
			gone = append(gone, old[i].key)
		}
	}
	return came, gone
}

// idForms are the names that a conversation may have in the list, any one if it
// does not name it.
func (l *list) idForms(c *conversation) [][]byte {
	if l.nested || l.conv {
		return idForms(c.id)
	}
	return [][]byte{c.id}
}

// bucketOf is the bucket of the list that has the rows of a conversation.
func (l *list) bucketOf(id []byte) [][]byte {
	if l.nested {
		return append(slices.Clone(l.path), id)
	}
	return l.path
}

// keyEdits are the edits of a list by key. A new row is listed if all others
// are.
func (l *list) keyEdits(rd store.Reader, id []byte, old []row, came, gone [][]byte) (edits []store.RowEdit) {
	bucket := l.bucketOf(id)
	entry := func(key []byte) []byte {
		if l.conv {
			return slices.Concat(id, []byte(l.sep), key)
		}
		return key
	}
	whole := true
	var value []byte
	for i := range old {
		v, ok := rd.Get(bucket, entry(old[i].key))
		whole = whole && ok
		value = v
	}
	for _, key := range gone {
		if v, ok := rd.Get(bucket, entry(key)); ok {
			edits = append(edits, store.RowEdit{Bucket: bucket, Key: entry(key), Old: v})
		}
	}
	for _, key := range came {
		if _, taken := rd.Get(bucket, entry(key)); !whole || taken {
			continue
		}
		v := value
		if bytes.Equal(v, old[len(old)-1].key) {
			v = key
		}
		edits = append(edits, store.RowEdit{Bucket: bucket, Key: entry(key), New: append([]byte{}, v...)})
	}
	return edits
}

// valueEdits are the edits of a list by value. A new row stands between its
// neighbours, if there is room.
func (l *list) valueEdits(rd store.Reader, id []byte, old []row, keys, gone [][]byte) (edits []store.RowEdit, err error) {
	bucket := l.bucketOf(id)
	x := &l.flat
	if l.nested {
		x = &index{path: bucket}
	}
	if err := x.read(rd); err != nil {
		if errors.Is(err, store.ErrNoBucket) {
			err = nil
		}
		return nil, err
	}
	entries := make(map[string][]byte) // of the rows of the conversation
	for i := range old {
		entries[string(old[i].key)] = x.entries[string(old[i].key)]
	}
	for _, key := range gone {
		if entry := entries[string(key)]; entry != nil {
			edits = append(edits, store.RowEdit{Bucket: bucket, Key: entry, Old: bytes.Clone(key)})
		}
	}
	listed := slices.ContainsFunc(old, func(w row) bool { return entries[string(w.key)] != nil })
	for i, key := range keys {
		if _, known := entries[string(key)]; known || !listed {
			continue
		}
		entry := l.between(rd, bucket, entries, keys, i)
		if entry == nil {
			return nil, fmt.Errorf("%w (bucket %s) cannot follow", errList, store.EncodePath(l.path))
		}
		entries[string(key)] = entry
		edits = append(edits, store.RowEdit{Bucket: bucket, Key: entry, New: bytes.Clone(key)})
	}
	return edits, nil
}

// between is a free entry for the i-th row, between those of its neighbours; nil
// if there is none.
func (l *list) between(rd store.Reader, bucket [][]byte, entries map[string][]byte, keys [][]byte, i int) (found []byte) {
	if l.order == nil || i == 0 || entries[string(keys[i-1])] == nil {
		return nil
	}
	var right []byte
	for _, key := range keys[i+1:] {
		if right = entries[string(key)]; right != nil {
			right = l.order.place(right)
			break
		}
	}
	if seq, _ := rd.Sequence(bucket); right == nil && seq > 0 {
		return nil
	}
	left := entries[string(keys[i-1])]
	l.order.form.between(l.order.place(left), right, "", func(k []byte) bool {
		k = l.order.entryLike(left, k)
		if _, taken := rd.Get(bucket, k); !taken {
			found = k
		}
		return found == nil
	})
	return found
}
