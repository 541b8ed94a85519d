package store

import (
	"crypto/sha256"
	"slices"
)

// lookup is what a record's state is found out by: a view, or a batch.
type lookup interface {
	look(bucket [][]byte, key []byte) (value []byte, state int)
	Sequence(bucket [][]byte) (seq uint64, ok bool)
	Err() error
}

// undoRecord tells what a record is now, and what would put it back. back, if
// not nil, are rows that are taken for put back already.
func undoRecord(r lookup, rec *JournalRecord, back *putBack) (state string, e Edits, err error) {
	after, before := true, true
	err = Guard(func() error {
		for _, row := range slices.Backward(rec.Rows) {
			value, found := r.look(row.Bucket, row.Key)
			now, ok := back.row(&row)
			if !ok && found == isValue {
				now = digestOf(value)
			}
			if ok {
				found = isValue
				if now == nil {
					found = isAbsent
				}
			}
			after = after && matches(row.After, now, found)
			before = before && matches(row.Before, now, found)
			e.Rows = append(e.Rows, RowEdit{Bucket: row.Bucket, Key: row.Key, Old: value, New: row.Old})
		}
		return r.Err()
	})
	if err != nil {
		return "", Edits{}, err
	}
	for _, q := range slices.Backward(rec.Sequences) {
		now, ok := back.sequence(r, q.Bucket)
		if len(rec.Rows) == 0 { // then the sequences are all there is to go by
			after = after && ok && now == q.New
			before = before && ok && now != q.New && (now < q.New) == (q.Old < q.New)
		}
		if ok && now == q.New {
			e.Sequences = append(e.Sequences, SequenceEdit{Bucket: q.Bucket, Old: q.New, New: q.Old})
		}
	}
	switch {
	case after:
		return Restored, e, r.Err()
	case before:
		return Done, Edits{}, r.Err()
	}
	return Left, Edits{}, r.Err()
}

// matches tells whether what was found under a key is what want is of; no
// digest is of no value.
func matches(want, now *Digest, found int) bool {
	if want == nil {
		return found == isAbsent
	}
	return found == isValue && *want == *now
}

// A putBack holds, while an undo is only looked at, rows and sequences as the
// records behind would leave them: several records of a journal may have
// changed one row.
type putBack struct {
	rows      map[rowID]*Digest // nil: no such row
	sequences map[string]uint64
}

// A rowID is a short name of a row, for there may be many.
type rowID [16]byte

func idOfRow(row *JournalRow) rowID {
	sum := sha256.Sum256([]byte(rowKey(row.Bucket, row.Key)))
	return rowID(sum[:16])
}

func (p *putBack) row(row *JournalRow) (d *Digest, ok bool) {
	if p == nil {
		return nil, false
	}
	d, ok = p.rows[idOfRow(row)]
	return d, ok
}

func (p *putBack) sequence(r lookup, bucket [][]byte) (seq uint64, ok bool) {
	if p != nil {
		if seq, ok = p.sequences[rowKey(bucket, nil)]; ok {
			return seq, true
		}
	}
	return r.Sequence(bucket)
}

// add takes a record for put back by these edits.
func (p *putBack) add(rec *JournalRecord, e Edits) {
	if p.rows == nil {
		p.rows, p.sequences = map[rowID]*Digest{}, map[string]uint64{}
	}
	for i := range rec.Rows {
		p.rows[idOfRow(&rec.Rows[i])] = rec.Rows[i].Before
	}
	for _, q := range e.Sequences {
		p.sequences[rowKey(q.Bucket, nil)] = q.New
	}
}
