package migrate

import (
	"bytes"
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
	if c.layout.form.isNumber() && c.layout.sep == (separator{}) {
		return nil, nil // a number in some other bucket may be one of anything
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
