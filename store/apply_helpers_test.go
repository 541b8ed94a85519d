package store

import (
	"bytes"
	"iter"
	"slices"
	"testing"
)

// records names single values of a bucket.
func records(bucket string, keys ...string) iter.Seq[Record] {
	var all []Record
	for _, k := range keys {
		all = append(all, Record{Ref: EncodeName([]byte(bucket)) + "/" + EncodeName([]byte(k)), Bucket: names(bucket), Key: []byte(k)})
	}
	return slices.Values(all)
}

// upper is an edit that turns a value into upper case.
func upper(r Reader, rec Record) (Edits, error) {
	v, ok := r.Get(rec.Bucket, rec.Key)
	if !ok {
		return Edits{}, ErrStale
	}
	return Edits{
		Rows:    []RowEdit{{Bucket: rec.Bucket, Key: rec.Key, Old: v, New: bytes.ToUpper(v)}},
		Removed: []Removed{{Kind: "text", Code: "upper", ID: "x", Message: 3, Text: bytes.Clone(v)}},
	}, nil
}

// set applies one change.
func set(t testing.TB, w *Writer, o ApplyOptions, bucket, key, value string) Applied {
	t.Helper()
	res, err := w.Apply(ctx, o, records(bucket, key), func(r Reader, rec Record) (Edits, error) {
		v, _ := r.Get(rec.Bucket, rec.Key)
		return Edits{Rows: []RowEdit{{Bucket: rec.Bucket, Key: rec.Key, Old: v, New: []byte(value)}}}, nil
	}, nil)
	if err != nil || res.Changed != 1 {
		t.Fatalf("applied %+v, %v", res, err)
	}
	return res
}
