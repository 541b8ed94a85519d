package migrate

import (
	"bytes"
	"slices"

	"boltmend/store"
)

// Libraries that keep structs in bbolt list them by the values of their fields,
// in buckets whose form is their own. What a repair adds, moves or takes away
// would not be in those.

// Buckets of storm lie in that of the rows, those of bolthold beside it, under the
// rows' name.
const (
	stormPrefix   = "__storm"
	stormMetadata = "__storm_metadata" // always there
	boltholdIndex = "_index:"
)

// libraryIndexes says that a library keeps indexes of the rows of a bucket, "" if
// none does.
func (r *run) libraryIndexes(b *store.Bucket) (string, error) {
	why, known := r.libraries[b.Encoded]
	if known {
		return why, nil
	}
	library := ""
	meta := &store.Bucket{Path: append(slices.Clone(b.Path), []byte(stormMetadata))}
	storm, err := r.search(meta, func(store.Item) error { return errFound })
	if err != nil {
		return "", err
	}
	beside, err := r.siblings(b)
	if err != nil {
		return "", err
	}
	bolthold := slices.Concat([]byte(boltholdIndex), b.Path[len(b.Path)-1], []byte(":"))
	if slices.ContainsFunc(beside, func(o *store.Bucket) bool { return bytes.HasPrefix(o.Path[len(o.Path)-1], bolthold) }) {
		library = "bolthold"
	}
	if !storm && len(beside) < maxSiblings { // else each is of a conversation, and the walk would be long
		inside, err := r.children(b.Path, 0)
		if err != nil {
			return "", err
		}
		storm = slices.ContainsFunc(inside, func(o *store.Bucket) bool { return bytes.HasPrefix(o.Path[len(o.Path)-1], []byte(stormPrefix)) })
	}
	if storm {
		library = "storm"
	}
	if library != "" {
		why = library + " keeps indexes of these rows, which a repair cannot keep"
	}
	r.libraries[b.Encoded] = why
	return why, nil
}
