package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/store"
)

// An index is a bucket whose entries list the keys of rows in order: those of a
// whole bucket, or of a conversation each in a bucket of its own or behind a part
// of the entry that names it.
type index struct {
	path   [][]byte
	nested bool
	parted bool
	sep    separator // of entries that are parted
	form   keyForm   // of an entry, or of its place behind the separator

	// entries are those of each row, once they were read, and last is the
	// greatest; convs are the conversations of rows, if the index names them.
	entries map[string][]byte
	last    []byte
	convs   map[string][]byte
}

// names reports whether the index says which conversation a row is of.
func (x *index) names() bool { return x != nil && (x.nested || x.parted) }

// place is the part of an entry that orders the rows.
func (x *index) place(entry []byte) []byte {
	if x.parted {
		if _, place, ok := x.sep.split(entry); ok {
			return place
		}
	}
	return entry
}

// entryLike is an entry of another place in the same conversation.
func (x *index) entryLike(entry, place []byte) []byte {
	old := x.place(entry)
	return append(bytes.Clone(entry[:len(entry)-len(old)]), place...)
}

// indexPath is the bucket that lists the rows of a conversation.
func (c *conversation) indexPath() [][]byte {
	if x := c.layout.index; x.nested {
		return append(slices.Clone(x.path), c.id)
	}
	return c.layout.index.path
}

// entryName is an entry's name among those of all conversations.
func (c *conversation) entryName(entry []byte) []byte {
	if c.layout.index.nested {
		return slices.Concat(c.id, []byte{0}, entry)
	}
	return entry
}

// readEntries reads the entries of the rows of a conversation.
func (c *conversation) readEntries(rd store.Reader) (entries map[string][]byte, err error) {
	x := c.layout.index
	c.lastEntry = nil
	if x.nested {
		entries = make(map[string][]byte)
		err = rd.WalkBucket(c.indexPath(), func(it store.Item) error {
			entry := bytes.Clone(it.Key)
			entries[string(it.Value)] = entry
			c.lastEntry = greater(c.lastEntry, entry)
			return nil
		})
		if errors.Is(err, store.ErrNoBucket) {
			err = store.ErrStale
		}
	} else if err = x.read(rd); err == nil {
		entries, c.lastEntry = x.entries, x.last
		if x.parted {
			c.lastEntry = nil
			for _, key := range c.keys {
				c.lastEntry = greater(c.lastEntry, entries[string(key)])
			}
		}
	}
	c.listed = len(entries)
	if x.parted {
		c.listed = len(c.keys)
	}
	if c.entries != nil {
		entries = c.entries
	}
	return entries, err
}

// read reads an index that is one bucket once, for all conversations. Their
// entries change only by a repair of their own.
func (x *index) read(rd store.Reader) error {
	if x.entries != nil {
		return nil
	}
	x.entries = make(map[string][]byte)
	return rd.WalkBucket(x.path, func(it store.Item) error {
		entry := bytes.Clone(it.Key) // it outlives the view
		x.entries[string(it.Value)] = entry
		x.last = greater(x.last, entry)
		return nil
	})
}

// nameRows finds out which conversation each row is of.
func (r *run) nameRows(x *index) error {
	if !x.names() || x.convs != nil {
		return nil
	}
	x.convs = make(map[string][]byte)
	if x.parted {
		_, err := r.search(&store.Bucket{Path: x.path}, func(it store.Item) error {
			if conv, _, ok := x.sep.split(it.Key); ok {
				x.convs[string(it.Value)] = bytes.Clone(conv)
			}
			return nil
		})
		return err
	}
	children, err := r.children(x.path, 0)
	if err != nil {
		return err
	}
	for _, child := range children {
		conv := bytes.Clone(child.Path[len(child.Path)-1])
		if _, err := r.search(child, func(it store.Item) error {
			x.convs[string(it.Value)] = conv
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// readChoice completes an index that a layout file names.
func (r *run) readChoice(choice *BucketLayout, x *index) error {
	err := r.source.WalkBucket(x.path, func(store.Item) error { return errFound })
	if errors.Is(err, store.ErrNoBucket) {
		return usage("the layout file says of bucket %s that index %s orders it: no such bucket", choice.Bucket, choice.Index)
	}
	buckets := []*store.Bucket{{Path: x.path}}
	if x.nested {
		var err error
		if buckets, err = r.children(x.path, 0); err != nil {
			return err
		}
	}
	// The text of a separator does not say how it parts.
	seps := []separator{x.sep}
	for _, sep := range separators {
		if x.parted && sep.text == x.sep.text {
			seps = append(seps, sep)
		}
	}
	stats := make([]keyStats, len(seps))
	for _, b := range buckets {
		if _, err := r.search(b, func(it store.Item) error {
			for i, sep := range seps {
				stats[i].add((&index{parted: x.parted, sep: sep}).place(it.Key))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	x.form = stats[0].form()
	for i, sep := range seps {
		if form := stats[i].form(); !x.form.ordered() && form.ordered() && (sep.fixed == 0 || form == be64) {
			x.form, x.sep = form, sep
		}
	}
	return r.nameRows(x)
}

// choice is the index as a layout file names it.
func (x *index) choice() string {
	switch {
	case x == nil:
		return ""
	case x.nested:
		return store.EncodePath(x.path) + "/*"
	}
	return store.EncodePath(x.path)
}

// findIndex finds the bucket near b that lists its keys in order, if they do not
// order themselves, or if nothing else says which conversation a row is of.
func (r *run) findIndex(b *store.Bucket, p *profile) (*index, error) {
	l := p.layout(nil)
	ordered := l.form.ordered()
	// UUIDs are in order if all are of version 7. An app that lists them all the
	// same reads them by the list.
	alone := ordered && l.form != uuid7
	if alone && (l.kind != rows || len(b.Path) > 1) {
		return nil, nil
	}
	near, err := r.nearIndexes(b)
	if err != nil {
		return nil, err
	}
	var found *index
	for _, s := range near {
		x, n, err := r.indexOf(b, s)
		switch {
		case err != nil:
			return nil, err
		case x == nil || alone && !x.names() || n < p.rows && (ordered || l.order != "" || n*2 <= p.rows):
			continue // it lists some rows, and orders none
		case found == nil || x.names() && !found.names() && l.conv == "":
			found = x
		}
	}
	return found, nil
}

// nearIndexes are the buckets that may list the keys of b.
func (r *run) nearIndexes(b *store.Bucket) ([]*store.Bucket, error) {
	near, err := r.siblings(b)
	if err != nil || len(b.Path) < 2 {
		return near, err
	}
	uncles, err := r.siblings(parentOf(b))
	for _, u := range uncles {
		path := append(slices.Clone(u.Path), b.Path[len(b.Path)-1])
		near = append(near, &store.Bucket{Path: path, Depth: len(path), Encoded: store.EncodePath(path)})
	}
	return near, err
}

// indexOf is a bucket as an index of the rows of b, nil if it is none, and how
// many rows it lists.
func (r *run) indexOf(b, s *store.Bucket) (*index, int, error) {
	stats, split, other, err := r.listing(b, s)
	switch {
	case err != nil || other:
		return nil, 0, err
	case stats.n == 0:
		return r.nestedIndexOf(b, s)
	case stats.form().ordered():
		return &index{path: s.Path, form: stats.form()}, stats.n, nil
	}
	for i, sep := range separators {
		if form := split[i].form(); split[i].n == stats.n && form.ordered() && (sep.fixed == 0 || form == be64) {
			return &index{path: s.Path, parted: true, sep: sep, form: form}, stats.n, nil
		}
	}
	return nil, 0, nil
}

// nestedIndexOf is indexOf for a bucket that holds nothing but buckets.
func (r *run) nestedIndexOf(b, s *store.Bucket) (*index, int, error) {
	children, err := r.children(s.Path, 0)
	if err != nil {
		return nil, 0, err
	}
	var all keyStats
	for _, child := range children {
		stats, _, other, err := r.listing(b, child)
		all.merge(&stats)
		if err != nil || other || all.n > 0 && !all.form().ordered() {
			return nil, 0, err
		}
	}
	if all.n == 0 {
		return nil, 0, nil
	}
	return &index{path: s.Path, nested: true, form: all.form()}, all.n, nil
}

// listing looks at the entries of a bucket, as they are and parted; other says
// that some value in it is no key of b.
func (r *run) listing(b, s *store.Bucket) (stats keyStats, split []keyStats, other bool, err error) {
	split = make([]keyStats, len(separators))
	other, err = r.search(s, func(it store.Item) error {
		if _, ok := r.source.Get(b.Path, it.Value); len(it.Value) == 0 || !ok {
			return errFound
		}
		stats.add(it.Key)
		for i, sep := range separators {
			if _, place, ok := sep.split(it.Key); ok {
				split[i].add(place)
			}
		}
		return nil
	})
	return stats, split, other, err
}
