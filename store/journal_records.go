package store

import (
	"encoding/json"
	"iter"
)

// A JournalRecord is one record as a journal has it.
type JournalRecord struct {
	Ref       string
	Batch     int
	TxID      uint64
	Rows      []JournalRow
	Sequences []SequenceEdit
	Removed   []Removed
}

// A JournalRow is one row before and after. Without Before it did not exist,
// without After it was deleted.
type JournalRow struct {
	Bucket        [][]byte
	Key           []byte
	Old           []byte
	Before, After *Digest
}

// Records yields the records from the last one to the first, one in memory at
// a time. An error ends it: the file cannot be read, or is not what it was.
func (j *Journal) Records() iter.Seq2[*JournalRecord, error] {
	return func(yield func(*JournalRecord, error) bool) {
		for i := len(j.Batches) - 1; i >= 0; i-- {
			b := &j.Batches[i]
			starts, err := j.starts(b)
			if err != nil {
				yield(nil, err)
				return
			}
			for k := len(starts) - 1; k >= 0; k-- {
				end := b.end
				if k+1 < len(starts) {
					end = starts[k+1].off
				}
				rec, err := j.record(b, starts[k], end)
				if !yield(rec, err) || err != nil {
					return
				}
			}
		}
	}
}

// a spot is where a line is, and its number.
type spot struct{ off, n int64 }

// starts finds where the records of a batch begin.
func (j *Journal) starts(b *JournalBatch) ([]spot, error) {
	var out []spot
	r := newLineReader(j.src, b.start, b.end, b.n)
	for {
		at := spot{r.off, r.n}
		l, err := r.next()
		if err != nil {
			return nil, ioError(j.Path, "read the journal", err)
		}
		if l == nil {
			if r.off != b.end {
				return nil, j.changed()
			}
			return out, nil
		}
		if l.kind == typeRecord {
			out = append(out, at)
		}
	}
}

func (j *Journal) changed() error {
	return &Error{Code: CodeUsage, Path: j.Path, Msg: "the journal does not hold what its lines promise; nothing more was undone", Err: errJournal}
}

// record reads the lines of one record.
func (j *Journal) record(b *JournalBatch, at spot, end int64) (*JournalRecord, error) {
	p := recordParser{rec: &JournalRecord{Batch: b.Number, TxID: b.TxID}}
	r := newLineReader(j.src, at.off, end, at.n)
	for r.off < end {
		l, err := r.next()
		if err != nil {
			return nil, ioError(j.Path, "read the journal", err)
		}
		if l == nil || p.take(l) != nil {
			return nil, j.changed()
		}
	}
	if p.left > 0 || !p.whole() {
		return nil, j.changed()
	}
	return p.rec, nil
}

// A recordParser puts a record together from its lines.
type recordParser struct {
	rec  *JournalRecord
	long *[]byte // the value that "more" lines go on with
	left int64   // how many bytes of it are due
}

func (p *recordParser) take(l *line) error {
	if (l.kind == typeMore) != (p.left > 0) {
		return errJournal
	}
	switch l.kind {
	case typeRecord:
		var x recordLine
		err := json.Unmarshal(l.body, &x)
		p.rec.Ref = x.Ref
		return err
	case typeRow:
		return p.takeRow(l)
	case typeSequence:
		var x sequenceLine
		if err := json.Unmarshal(l.body, &x); err != nil {
			return err
		}
		bucket, err := DecodePath(x.Bucket)
		p.rec.Sequences = append(p.rec.Sequences, SequenceEdit{Bucket: bucket, Old: x.From, New: x.To})
		return err
	case typeRemoved:
		return p.takeRemoved(l)
	case typeMore:
		var x struct {
			Data []byte `json:"data"`
		}
		if err := json.Unmarshal(l.body, &x); err != nil {
			return err
		}
		if len(x.Data) == 0 {
			return errJournal
		}
		return p.grow(x.Data)
	}
	return nil // a later version may add lines that this one need not know
}

func (p *recordParser) takeRow(l *line) error {
	var x struct {
		rowLine
		Data []byte `json:"data"`
	}
	if err := json.Unmarshal(l.body, &x); err != nil {
		return err
	}
	bucket, err := DecodePath(x.Bucket)
	if err != nil {
		return err
	}
	key, err := DecodeName(x.Key)
	if err != nil {
		return err
	}
	p.rec.Rows = append(p.rec.Rows, JournalRow{Bucket: bucket, Key: key, Before: x.Old, After: x.New})
	p.long = &p.rec.Rows[len(p.rec.Rows)-1].Old
	if x.Old != nil {
		p.left = x.Old.Size
		*p.long = []byte{}
	}
	return p.grow(x.Data)
}

func (p *recordParser) takeRemoved(l *line) error {
	var x struct {
		removedLine
		Data []byte `json:"data"`
	}
	if err := json.Unmarshal(l.body, &x); err != nil {
		return err
	}
	r := Removed{Kind: x.Kind, Code: x.Code, ID: x.ID, Message: x.Message, Text: []byte(x.Text)}
	if x.Size > 0 {
		r.Text = nil
	}
	p.rec.Removed = append(p.rec.Removed, r)
	p.long, p.left = &p.rec.Removed[len(p.rec.Removed)-1].Text, x.Size
	return p.grow(x.Data)
}

// grow adds data to the value that is being read. Nothing is reserved by what
// a line promises.
func (p *recordParser) grow(data []byte) error {
	if int64(len(data)) > p.left {
		return errJournal
	}
	if len(data) > 0 {
		*p.long = append(*p.long, data...)
		p.left -= int64(len(data))
	}
	return nil
}

// whole tells that the old values are those that their digests are of.
func (p *recordParser) whole() bool {
	for i := range p.rec.Rows {
		if row := &p.rec.Rows[i]; row.Before != nil && !row.Before.is(row.Old) {
			return false
		}
	}
	return true
}
