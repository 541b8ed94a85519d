package migrate

import "boltmend/store"

// ends are what the conversations of a run were promised before it is written:
// keys, and with them the ends of buckets. A conversation may be asked about
// twice in a row, and gets the same promises again.
type ends struct {
	keys map[string]string // by bucket and key: of which conversation
	max  map[string]uint64 // by bucket, or conversation of one
	more map[string]int    // how many rows come, by the same
	ref  string            // who was promised the newest end
	old  map[string]uint64 // and what it was before
	came int               // how many rows come for it
}

func newEnds() *ends {
	return &ends{keys: make(map[string]string), max: make(map[string]uint64), more: make(map[string]int)}
}

// begin begins with a conversation.
func (e *ends) begin(c *conversation) {
	if e.ref != c.ref() {
		e.ref, e.old, e.came = c.ref(), make(map[string]uint64), 0
	}
	e.forget(c)
}

// forget takes back what the conversation was promised.
func (e *ends) forget(c *conversation) {
	for k, n := range e.old {
		e.max[k] = n
	}
	e.come(c, 0)
}

// withdraw takes it back if it was for a repair that is not made.
func (e *ends) withdraw(c *conversation) {
	if e.ref == c.ref() {
		e.forget(c)
	}
}

// come notes how many rows more a conversation is to have.
func (e *ends) come(c *conversation, n int) {
	e.more[e.name(c)] += n - e.came
	e.came = n
}

func (e *ends) name(c *conversation) string {
	if c.layout.kind == rowsComposite {
		return c.ref()
	}
	return c.bucket.Encoded
}

func (e *ends) last(c *conversation) uint64 { return max(c.max, e.max[e.name(c)]) }

func (e *ends) promise(c *conversation, key []byte, n uint64) {
	e.keys[c.bucket.Encoded+"/"+string(key)] = c.ref()
	e.raise(e.name(c), n)
}

// raise raises an end, and keeps what it was for forget.
func (e *ends) raise(name string, n uint64) {
	if _, known := e.old[name]; !known {
		e.old[name] = e.max[name]
	}
	e.max[name] = max(e.max[name], n)
}

// raiseSequence promises numbers of a bucket's sequence, up to n.
func (e *ends) raiseSequence(bucket [][]byte, n uint64) { e.raise(sequenceName(bucket), n) }

// sequence is what a bucket's sequence will be when all who were promised
// numbers of it are written.
func (e *ends) sequence(rd store.Reader, bucket [][]byte) uint64 {
	seq, _ := rd.Sequence(bucket)
	return max(seq, e.max[sequenceName(bucket)])
}

// sequenceName is no name of a bucket or of a conversation.
func sequenceName(bucket [][]byte) string { return "sequence " + store.EncodePath(bucket) }

func (e *ends) promised(c *conversation, key []byte) bool {
	ref, ok := e.keys[c.bucket.Encoded+"/"+string(key)]
	return ok && ref != c.ref()
}

// claims keeps the keys that a conversation takes, and those that it gives up,
// from the others: whether they are free depends on what was committed.
func (e *ends) claims(c *conversation, edits []store.RowEdit) {
	for _, edit := range edits {
		if edit.New == nil || edit.Old == nil {
			e.keys[c.bucket.Encoded+"/"+string(edit.Key)] = c.ref()
		}
	}
}
