package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// remakeRows makes the rows of a repaired conversation.
func (j *judge) remakeRows(rd store.Reader, c *conversation, es *ends, rows []row, h history) (m made, err error) {
	m = made{done: true}
	if h.result.JSON == nil {
		return m, nil
	}
	if m.failed = j.verifyHistory(h.result); m.failed != "" {
		return m, nil
	}
	seats, err := seatsOf(h.result.JSON, h.result.Order, rows)
	if err != nil {
		return m, err
	}
	s, err := styleOf(c, rows)
	if err != nil {
		return m, err
	}
	es.begin(c)
	raised := es.last(c)
	p := placer{l: c.layout, c: c, rows: rows, rd: rd, ends: es, shift: j.opts.ShiftRows, moves: s.moves}
	if err := p.place(seats); err != nil {
		m.failed, m.left = err.Error(), c.layout.reason == ""
		return m, nil
	}
	if why := links(c.layout, rows, seats); why != "" {
		m.failed, m.left = why, true
		return m, nil
	}
	values := make([][]byte, len(seats))
	for i := range seats {
		if values[i], err = j.stored(s, rows, &seats[i]); err != nil {
			m.failed = err.Error()
			return m, nil
		}
		values[i] = bytes.Clone(values[i])
	}
	if m.failed = j.verifyRows(c.layout, seats, values, h.result.JSON); m.failed != "" {
		return m, nil
	}
	m.edits(c, rows, seats, values)
	es.claims(c, m.rows)
	for _, q := range []*store.SequenceEdit{p.seq, p.indexSeq} {
		if q != nil {
			m.sequences = append(m.sequences, *q)
		}
	}
	after := make([]row, len(seats))
	for i := range seats {
		w, _ := j.readRow(c.layout, seats[i].spot.key, values[i])
		w.entry = seats[i].spot.entry
		after[i] = w
		m.written.keys = append(m.written.keys, bytes.Clone(seats[i].spot.key))
		if e := seats[i].spot.entry; e != nil {
			if m.written.entries == nil {
				m.written.entries = make(map[string][]byte)
			}
			m.written.entries[string(seats[i].spot.key)] = bytes.Clone(e)
		}
	}
	m.resize = resizeOf(c, rows, after, raised)
	m.old, m.new = digestRows(slices.Clone(rows)), digestRows(after)
	return m, nil
}

// seatsOf lists the messages of a repaired history and the rows that they come
// from.
func seatsOf(text []byte, order []int, rows []row) ([]seat, error) {
	d, err := jsonedit.Parse(text)
	if err != nil {
		return nil, err
	}
	var seats []seat
	last := 0
	for e := range d.Elems(0) {
		i := len(seats)
		s := seat{from: i, text: d.Raw(e)}
		if order != nil {
			s.from = order[i]
		}
		if s.from >= 0 {
			last = s.from
		}
		s.like = last
		seats = append(seats, s)
	}
	if order == nil && len(seats) != len(rows) || order != nil && len(order) != len(seats) {
		return nil, errors.New("the repaired conversation does not say which rows its messages are")
	}
	return seats, nil
}

// verifyRows reads the rows to be as the app would, and wants the repaired
// history.
func (j *judge) verifyRows(l *layout, seats []seat, values [][]byte, want []byte) string {
	d, err := jsonedit.Parse(want)
	if err != nil {
		return err.Error()
	}
	i := 0
	var last row
	for e := range d.Elems(0) {
		s := &seats[i]
		w, ok := j.readRow(l, s.spot.key, values[i])
		switch {
		case !ok:
			return "a repaired row would be no message any more"
		case i > 0 && (bytes.Compare(last.entry, s.spot.entry) > 0 || l.order != "" && last.order.compare(w.order) > 0 ||
			l.byKey() && l.order == "" && bytes.Compare(last.key, s.spot.key) >= 0):
			return "the repaired rows would be read in another order"
		case l.wrap != "" && !bytes.Equal(w.text[w.msg.start:w.msg.end], d.Raw(e)):
			return "a repaired row would hold another message"
		}
		w.entry = s.spot.entry
		last = w
		i++
	}
	return ""
}

// edits are the rows that come, go and change.
func (m *made) edits(c *conversation, rows []row, seats []seat, values [][]byte) {
	before := make(map[string]*row)
	for i := range rows {
		before[string(rows[i].key)] = &rows[i]
	}
	put := func(bucket [][]byte, key, old, now []byte) {
		if !bytes.Equal(old, now) || (old == nil) != (now == nil) {
			m.rows = append(m.rows, store.RowEdit{Bucket: bucket, Key: bytes.Clone(key), Old: old, New: now})
			m.size += len(now)
		}
	}
	entries := make(map[string][]byte)
	for i := range seats {
		key := seats[i].spot.key
		var old []byte
		if w := before[string(key)]; w != nil {
			old = w.value
			delete(before, string(key))
		}
		put(c.bucket.Path, key, old, values[i])
		if c.layout.index != nil {
			entries[string(seats[i].spot.entry)] = key
		}
	}
	for i := range rows { // in order, which a map has not
		if w := before[string(rows[i].key)]; w != nil {
			put(c.bucket.Path, w.key, w.value, nil)
		}
	}
	m.indexEdits(c, rows, seats, entries, put)
}

// indexEdits are the entries that come, go and change.
func (m *made) indexEdits(c *conversation, rows []row, seats []seat, entries map[string][]byte, put func(bucket [][]byte, key, old, now []byte)) {
	if c.layout.index == nil {
		return
	}
	old := make(map[string][]byte)
	for i := range rows {
		old[string(rows[i].entry)] = rows[i].key
	}
	for i := range seats {
		e := seats[i].spot.entry
		put(c.indexPath(), e, old[string(e)], entries[string(e)])
	}
	for i := range rows {
		if _, stays := entries[string(rows[i].entry)]; !stays {
			put(c.indexPath(), rows[i].entry, rows[i].key, nil)
		}
	}
}
