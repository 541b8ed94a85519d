package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/store"
)

// maxSiblings bounds the buckets that are looked at beside one.
const maxSiblings = 256

// siblings are the other buckets in the bucket that holds b, but not too many.
func (r *run) siblings(b *store.Bucket) ([]*store.Bucket, error) {
	parent := b.Path[:len(b.Path)-1]
	name := store.EncodePath(parent)
	all, known := r.beside[name]
	if !known {
		var err error
		if all, err = r.children(parent, maxSiblings); err != nil {
			return nil, err
		}
		r.beside[name] = all
	}
	return slices.DeleteFunc(slices.Clone(all), func(o *store.Bucket) bool { return o.Encoded == b.Encoded }), nil
}

// children are the buckets in a bucket, the first of them if there is a limit.
func (r *run) children(path [][]byte, limit int) (all []*store.Bucket, err error) {
	err = r.source.Walk(func(store.Item) error { return nil }, func(o *store.Bucket) error {
		switch {
		case o.Depth <= len(path) && slices.EqualFunc(o.Path, path[:o.Depth], bytes.Equal):
			return nil
		case o.Depth == len(path)+1 && limit > 0 && len(all) == limit:
			return errFound
		case o.Depth == len(path)+1:
			all = append(all, o)
		}
		return store.SkipBucket
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return all, err
}
