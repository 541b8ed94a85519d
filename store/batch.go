package store

import (
	"bytes"
	"encoding/binary"

	bolt "go.etcd.io/bbolt"
)

// A batch is one write transaction, read from by edits and not yet written to.
type batch struct {
	rows
	staged    []staged
	outcomes  []recordOutcome
	touched   map[string]bool // rows that the batch changes
	sequences map[string]uint64
	again     bool // an edit asked for such a row
	bytes     int
	oldBytes  int64
	newBytes  int64
}

// staged is a record whose edits are the next to be written.
type staged struct {
	rec   Record
	edits Edits
}

type recordOutcome struct {
	rec     Record
	outcome Outcome
}

// Get is for edits.
func (b *batch) Get(path [][]byte, key []byte) (value []byte, ok bool) {
	value, state := b.look(path, key)
	return value, state == isValue
}

// look notes if the row is one that the batch changes already: what is stored
// is not what an edit has to see.
func (b *batch) look(path [][]byte, key []byte) (value []byte, state int) {
	if len(b.touched) > 0 && b.touched[rowKey(path, key)] {
		b.again = true
	}
	return b.rows.look(path, key)
}

// Sequence is what the bucket's sequence will be when the batch is written.
func (b *batch) Sequence(path [][]byte) (seq uint64, ok bool) {
	if seq, ok = b.sequences[rowKey(path, nil)]; ok {
		return seq, true
	}
	return b.rows.Sequence(path)
}

// stage compares a record's edits with what is stored and takes those in that
// change something. If the batch has to be committed first, it takes nothing
// and sets again.
func (b *batch) stage(rec Record, e Edits) (Outcome, error) {
	if b.again {
		return 0, nil
	}
	s := staged{rec: rec, edits: Edits{Removed: e.Removed}}
	seen := map[string]bool{}
	var oldBytes, newBytes int64
	for _, r := range e.Rows {
		if r.Old == nil && r.New == nil || r.Old != nil && r.New != nil && bytes.Equal(r.Old, r.New) {
			continue
		}
		id := rowKey(r.Bucket, r.Key)
		if b.touched[id] {
			b.again = true
			return 0, nil
		}
		if seen[id] {
			return 0, usageError(b.path, "record "+rec.Ref+" has two edits of one row")
		}
		seen[id] = true
		if err := b.compare(rec, r); err != nil {
			return 0, err
		}
		s.edits.Rows = append(s.edits.Rows, r)
		oldBytes += int64(len(r.Old))
		newBytes += int64(len(r.New))
	}
	for _, q := range e.Sequences {
		if q.Old == q.New {
			continue
		}
		id := rowKey(q.Bucket, nil)
		if seen[id] {
			return 0, usageError(b.path, "record "+rec.Ref+" has two edits of one sequence")
		}
		seen[id] = true
		if now, ok := b.Sequence(q.Bucket); !ok || now != q.Old {
			return 0, ErrStale
		}
		s.edits.Sequences = append(s.edits.Sequences, q)
	}
	if len(s.edits.Rows)+len(s.edits.Sequences) == 0 {
		return Unchanged, nil
	}
	b.take(s, seen, oldBytes, newBytes)
	return Changed, nil
}

// compare is the swap's half that can say no.
func (b *batch) compare(rec Record, r RowEdit) error {
	if len(r.Key) == 0 || len(r.Key) > bolt.MaxKeySize || int64(len(r.New)) > bolt.MaxValueSize {
		return usageError(b.path, "record "+rec.Ref+" would get a key or value of a size that bbolt does not store")
	}
	now, state := b.rows.look(r.Bucket, r.Key)
	if r.Old == nil && state == isAbsent {
		return nil
	}
	if r.Old == nil || state != isValue || !bytes.Equal(now, r.Old) {
		return ErrStale
	}
	return nil
}

func (b *batch) take(s staged, rows map[string]bool, oldBytes, newBytes int64) {
	if b.touched == nil {
		b.touched, b.sequences = map[string]bool{}, map[string]uint64{}
	}
	for id := range rows {
		b.touched[id] = true
	}
	for _, q := range s.edits.Sequences {
		b.sequences[rowKey(q.Bucket, nil)] = q.New
	}
	b.staged = append(b.staged, s)
	b.oldBytes += oldBytes
	b.newBytes += newBytes
	b.bytes += int(newBytes) + perRecord*len(s.edits.Rows)
	for _, r := range s.edits.Removed {
		b.bytes += len(r.Text)
	}
}

// rowKey names a row in a map, or without a key a bucket: lengths keep the
// names apart.
func rowKey(path [][]byte, key []byte) string {
	b := binary.AppendUvarint(nil, uint64(len(path)))
	for _, name := range path {
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
	}
	return string(append(b, key...))
}

// log writes the batch's journal lines and syncs them. The old values come
// from the transaction, not from the edits, whose buffers may be used again.
func (b *batch) log(w *journalWriter, number int) error {
	return guardAt(b.path, func() error {
		for _, s := range b.staged {
			if err := w.add(typeRecord, recordLine{Ref: s.rec.Ref}, nil); err != nil {
				return err
			}
			for _, r := range s.edits.Rows {
				old, _ := b.rows.look(r.Bucket, r.Key)
				if err := also(b.Err(), w.addRow(r, old)); err != nil {
					return err
				}
			}
			for _, q := range s.edits.Sequences {
				l := sequenceLine{Bucket: EncodePath(q.Bucket), From: q.Old, To: q.New}
				if err := w.add(typeSequence, l, nil); err != nil {
					return err
				}
			}
			for _, r := range s.edits.Removed {
				if err := w.addRemoved(r); err != nil {
					return err
				}
			}
		}
		end := batchLine{Batch: number, TxID: uint64(b.tx.ID()), Records: len(b.staged)}
		if err := w.add(typeBatch, end, nil); err != nil {
			return err
		}
		return w.sync()
	})
}

// put writes the edits into the transaction. From the first put on, nothing
// that was read from it may be used.
func (b *batch) put() error {
	for _, s := range b.staged {
		for _, r := range s.edits.Rows {
			bucket := b.bucket(r.Bucket)
			var err error
			if r.New == nil {
				err = bucket.Delete(r.Key)
			} else {
				err = bucket.Put(r.Key, r.New)
			}
			if err != nil {
				return err
			}
		}
		for _, q := range s.edits.Sequences {
			if err := b.bucket(q.Bucket).SetSequence(q.New); err != nil {
				return err
			}
		}
	}
	return nil
}
