package migrate

import (
	"bytes"
	"crypto/md5"
	"slices"

	"boltmend/store"
)

// An app may keep a digest of a value as its key, or in a bucket beside, under
// whatever name. Only what would be written is looked at.

// held marks histories of a value whose digest somebody keeps as reported only.
func (r *run) held(rd getter, it store.Item, hs []history) error {
	if !slices.ContainsFunc(hs, writes) {
		return nil
	}
	s := sums{texts: func() [][]byte {
		all := [][]byte{it.Value}
		if u, d := r.judge.unwrapped(it.Value); d != nil && u.String() != "" {
			all = append(all, bytes.Clone(u.Text)) // the codec uses its memory again
		}
		for _, h := range hs {
			if text := r.judge.textOf(it.Value, h); writes(h) && h.end <= len(text) {
				all = append(all, bytes.Clone(text[h.start:h.end]))
			}
		}
		return all
	}}
	near, err := r.nearby(it.Bucket)
	if err == nil && len(it.Bucket.Path) > 1 {
		var beside []*store.Bucket
		beside, err = r.siblings(it.Bucket)
		near = append(near, beside...)
	}
	why := holder(rd, near, it.Key, &s)
	for i := range hs {
		if why != "" && writes(hs[i]) {
			hs[i] = unmade(hs[i], why)
			hs[i].result.JSON = nil
		}
	}
	return err
}

// writes reports whether a repair of a history has something to write.
func writes(h history) bool { return h.result.JSON != nil }

// holder says who keeps one of the digests, "" if nobody does: the key, or a
// value under it in a bucket near.
func holder(rd getter, near []*store.Bucket, key []byte, s *sums) string {
	if len(key) >= md5.Size && s.in(key) {
		return "its key is a digest of it"
	}
	for _, b := range near {
		if value, ok := rd.Get(b.Path, key); ok && s.in(value) {
			return "a digest of it is held in " + recordRef(b, key)
		}
	}
	return ""
}

// rowsHeld says who keeps a digest of some row, "" if nobody does. Where there is
// one for each, the first tell; and where there is one of the last alone, that.
func (r *run) rowsHeld(rd getter, c *conversation, of []row) (string, error) {
	near, err := r.nearby(c.bucket)
	if err == nil && c.layout.kind != rows && len(c.bucket.Path) > 1 {
		var beside []*store.Bucket
		beside, err = r.siblings(c.bucket)
		near = append(near, beside...)
	}
	if err != nil {
		return "", err
	}
	if len(near) > maxCounterBuckets { // each is of a conversation
		near = nil
	}
	var all [][]byte
	for i := range of {
		if i >= digestSample && i < len(of)-1 {
			continue
		}
		w := &of[i]
		texts := [][]byte{w.value, w.text, w.text[w.msg.start:w.msg.end]}
		s := sums{texts: func() [][]byte { return texts }}
		if why := holder(rd, near, w.key, &s); why != "" {
			return why, nil
		}
		all = append(all, texts...)
	}
	s := sums{texts: func() [][]byte { return all }}
	return holder(rd, near, c.id, &s), nil
}
