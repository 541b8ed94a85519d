package migrate

import (
	"bytes"

	"boltmend/internal/codec"
	"boltmend/store"
)

// A few bytes in front of a value may be a version, which stays, or a checksum
// of the rest, which nobody can make anew. What stands in front of other values
// of the bucket just so is no checksum.

// sealEvidence is how many other values have to begin as one does.
const sealEvidence = 2

// unseal reports histories as they are if their value could not be written.
func (r *run) unseal(b *store.Bucket, v verdict, hs []history) error {
	ok, err := r.samePrefix(b, v.prefix)
	if ok || err != nil {
		return err
	}
	for i := range hs {
		if hs[i].result.JSON != nil {
			hs[i] = unmade(hs[i], v.sealed)
			hs[i].result.JSON = nil
		}
	}
	return nil
}

// samePrefix reports whether other values of a bucket begin with the prefix.
func (r *run) samePrefix(b *store.Bucket, prefix []byte) (bool, error) {
	key := prefixKey{b.Encoded, string(prefix)}
	if known, ok := r.prefixes[key]; ok {
		return known, nil
	}
	var c codec.Codec
	different := make(map[string]bool)
	_, err := r.search(b, func(it store.Item) error {
		if !bytes.HasPrefix(it.Value, prefix) || len(different) > sealEvidence {
			return nil
		}
		u, err := c.Unwrap(it.Value, codec.Options{MaxValue: r.judge.maxValue()})
		if err == nil && u.Kind == codec.JSON && bytes.Equal(u.Prefix(), prefix) {
			sum := digestOf(u.Text)
			different[string(sum[:])] = true
		}
		if len(different) > sealEvidence {
			return errFound
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	r.prefixes[key] = len(different) > sealEvidence
	return r.prefixes[key], nil
}

type prefixKey struct{ bucket, prefix string }

// remake makes the new text of a value whose prefix may be known to stay.
func (r *run) remake(it store.Item, v verdict, hs []history) made {
	if v.sealed != "" {
		ok, err := r.samePrefix(it.Bucket, v.prefix)
		if err == nil && ok && counted(v.prefix, hs) {
			return made{done: true, failed: "the bytes in front of it may count its messages"}
		}
		if err == nil && ok {
			r.judge.keepPrefix = true
			defer func() { r.judge.keepPrefix = false }()
		}
	}
	return r.judge.remake(it.Value, hs)
}

// counted reports whether a prefix says how many messages some history has.
func counted(prefix []byte, hs []history) bool {
	for _, h := range hs {
		if h.result.JSON == nil || h.result.Order == nil || len(prefix) > 8 {
			continue
		}
		var big, little uint64
		for i, c := range prefix {
			big = big<<8 | uint64(c)
			little |= uint64(c) << (8 * i)
		}
		if n := uint64(h.elements); big == n || little == n {
			return true
		}
	}
	return false
}
