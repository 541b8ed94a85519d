package migrate

import (
	"errors"
	"strings"

	"boltmend/store"
)

// A ref names a record, and behind "#" a history in it, as one shell word:
// names and pointer tokens are percent-encoded.

// encodePointer percent-encodes the tokens of a pointer.
func encodePointer(p string) string {
	if p == "" {
		return ""
	}
	tokens := strings.Split(p[1:], "/")
	for i, t := range tokens {
		tokens[i] = ""
		if t != "" {
			tokens[i] = store.EncodeName([]byte(t))
		}
	}
	return "/" + strings.Join(tokens, "/")
}

// recordRef names a value.
func recordRef(bucket *store.Bucket, key []byte) string {
	return bucket.Encoded + "/" + store.EncodeName(key)
}

// A target is what --only names.
type target struct {
	bucket string   // encoded path
	path   [][]byte // the same, decoded
	key    []byte
	within string // "#" and the encoded pointer, or ""
	isConv bool   // key is that of a conversation in rows
	seen   bool
}

// parseRef reads a ref.
func parseRef(ref string) (target, error) {
	record, within, isHistory := strings.Cut(ref, "#")
	at := strings.LastIndexByte(record, '/')
	if at < 0 {
		return target{}, errors.New("a ref is a bucket path, a slash and a key, or @ and a conversation")
	}
	t := target{bucket: record[:at]}
	var err error
	name := record[at+1:]
	name, t.isConv = strings.CutPrefix(name, "@")
	if t.path, err = store.DecodePath(t.bucket); err == nil {
		t.key, err = store.DecodeName(name)
	}
	if isHistory {
		t.within = "#" + within
	}
	return t, err
}
