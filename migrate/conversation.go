package migrate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"time"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// A conversation is one that is stored in rows. It keeps keys and no values, so
// that it can be read again when it is to be written.
type conversation struct {
	layout *layout
	bucket *store.Bucket
	id     []byte
	keys   [][]byte // of its messages, in no order but that of the walk
	// entries are those of its rows in the index once it was written; before,
	// the index has them.
	entries   map[string][]byte
	lastEntry []byte
	listed    int // how many rows the index lists, of this conversation or of all
	written   written
	// What an append rule of the app goes by: all rows of the conversation,
	// the greatest number among their keys.
	rows  int
	max   uint64
	doubt string // what among its rows was not understood
	// strays are its messages that do not lie where the layout has them, the
	// first of them; straysSpeak: of calls, or in answer to one.
	strays      [][]byte
	stray       int // how many there are
	straysSpeak bool
}

// written is what the rows of a conversation became.
type written struct {
	keys    [][]byte
	entries map[string][]byte
}

// A row is one message as it is stored.
type row struct {
	key, value []byte
	entry      []byte // its key in the index
	order      mark
	text       []byte // the JSON of the value, unwrapped
	msg        span   // the message in text
}

// A mark is the value of the member that orders rows.
type mark struct {
	raw    []byte
	whole  int64
	number float64 // of what is no whole number
	time   time.Time
}

func (m mark) compare(o mark) int {
	return cmp.Or(m.time.Compare(o.time), cmp.Compare(m.whole, o.whole), cmp.Compare(m.number, o.number))
}

func markOf(d *jsonedit.Doc, r jsonedit.Ref) (m mark) {
	m.raw = bytes.Clone(d.Raw(r))
	switch d.Kind(r) {
	case jsonedit.Number:
		var err error
		if m.whole, err = strconv.ParseInt(string(m.raw), 10, 64); err != nil {
			m.number, _ = strconv.ParseFloat(string(m.raw), 64)
			m.whole = int64(m.number)
		}
	case jsonedit.String:
		m.time, _ = time.Parse(time.RFC3339Nano, d.Text(r))
	}
	return m
}

// ref names the conversation.
func (c *conversation) ref() string {
	return c.bucket.Encoded + "/@" + store.EncodeName(c.id)
}

// readRow reads one stored value as a row; ok is false for one that holds no
// message where the layout has it.
func (j *judge) readRow(l *layout, key, value []byte) (w row, ok bool) {
	u, d := j.unwrapped(value)
	if d == nil {
		return row{}, false
	}
	msg := rowMessage(d)
	if msg == jsonedit.None || msg > 0 && d.Text(msg-1) != l.wrap || msg == 0 && l.wrap != "" || l.isOther(d, msg) {
		return row{}, false
	}
	w = row{key: key, value: value, text: u.Text}
	if len(u.String()) > 0 {
		w.text = bytes.Clone(u.Text) // the codec uses its memory again
	}
	w.msg.start, w.msg.end = d.Span(msg)
	if l.order != "" {
		w.order = markOf(d, d.Get(0, l.order))
	}
	return w, true
}

// read reads the rows of a conversation in the order in which the app reads
// them. It fails with ErrStale if one is no row any more.
func (j *judge) read(rd store.Reader, c *conversation) ([]row, error) {
	rows := make([]row, 0, len(c.keys))
	for _, key := range c.keys {
		value, ok := rd.Get(c.bucket.Path, key)
		if !ok {
			return nil, store.ErrStale
		}
		w, ok := j.readRow(c.layout, key, value)
		if !ok {
			return nil, store.ErrStale
		}
		rows = append(rows, w)
	}
	return rows, j.sort(rd, c, rows)
}

// sort puts rows in the order of the app.
func (j *judge) sort(rd store.Reader, c *conversation, rows []row) error {
	if c.layout.index != nil {
		entries, err := c.readEntries(rd)
		if err != nil {
			return err
		}
		for i := range rows {
			entry := entries[string(rows[i].key)]
			if at, ok := rd.Get(c.indexPath(), entry); ok && bytes.Equal(at, rows[i].key) {
				rows[i].entry = entry
			} else if entry != nil {
				return store.ErrStale
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		if c := bytes.Compare(a.entry, b.entry); c != 0 {
			return c
		}
		if c := a.order.compare(b.order); c != 0 {
			return c
		}
		return bytes.Compare(a.key, b.key)
	})
	return nil
}

// assemble makes one array of messages of a conversation.
func assemble(rows []row) []byte {
	text := []byte{'['}
	for i, w := range rows {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, w.text[w.msg.start:w.msg.end]...)
	}
	return append(text, ']')
}

// judgeRows judges the messages of a conversation.
func (j *judge) judgeRows(text []byte, s sieve) (v verdict) {
	d, err := j.parsers[0].Parse(text)
	if err != nil {
		v.unreadable = err.Error()
		return v
	}
	det, ok := j.repair.Detect(d, 0)
	if j.listens && (!ok || !det.Proven) {
		v.mentioned = firstMention(d)
	}
	if det.Dialect == "" {
		v.unrecognised = v.mentioned
	}
	if !ok || det.Messages == 0 && det.Dialect == "" {
		return v
	}
	j.arrays = j.arrays[:0]
	j.history(d, 0, det, &textAround{}, s, &v)
	return v
}

// digestRows is one hash of all rows of a conversation.
func digestRows(rows []row) digest {
	slices.SortFunc(rows, func(a, b row) int { return bytes.Compare(a.key, b.key) })
	h := sha256.New()
	for _, w := range rows {
		for _, b := range [][]byte{w.key, w.value, w.entry} {
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], uint64(len(b)))
			h.Write(n[:])
			h.Write(b)
		}
	}
	return digest(h.Sum(nil))
}
