package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"boltmend/store"
)

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
	listed := 0
	for i := range old {
		entry := x.entries[string(old[i].key)]
		if entries[string(old[i].key)] = entry; entry != nil {
			listed++
		}
	}
	if listed*5 < len(old)*4 {
		return nil, nil // it is about some rows, as the pinned ones
	}
	for _, key := range gone {
		if entry := entries[string(key)]; entry != nil {
			edits = append(edits, store.RowEdit{Bucket: bucket, Key: entry, Old: bytes.Clone(key)})
		}
	}
	for i, key := range keys {
		if _, known := entries[string(key)]; known {
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
