package store

import "bytes"

// A Bucket is one bucket as a walk sees it. All items of the bucket have the
// same pointer; it stays valid when the walk is over.
type Bucket struct {
	// Path is the names from the top level down.
	Path     [][]byte
	Sequence uint64
	// Depth is the number of names in Path.
	Depth int
	// Encoded is EncodePath(Path).
	Encoded string
}

// A chain is a bucket that a walk is in, with what its nested buckets need for
// their own.
type chain struct {
	info *Bucket
	// names is info.Path with the room behind it, which the first nested
	// bucket takes; the next ones get a copy. So a chain of buckets shares
	// its names.
	names  [][]byte
	shared bool
}

// child makes the chain of a nested bucket.
func (c *chain) child(name []byte, sequence uint64) chain {
	if c.shared {
		c.names = c.names[:len(c.names):len(c.names)]
	}
	c.shared = true
	names := append(c.names, bytes.Clone(name))
	depth := len(names)
	info := &Bucket{Path: names[:depth:depth], Sequence: sequence, Depth: depth}
	info.Encoded = EncodeName(name)
	if depth > 1 {
		info.Encoded = c.info.Encoded + "/" + info.Encoded
	}
	return chain{info: info, names: names}
}
