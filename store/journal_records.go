package store

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"iter"
	"slices"
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
func (j *Journal) Records() iter.Seq2[*JournalRecord, error] { return j.records(true) }

// records leaves out old values and removed texts unless they are wanted.
func (j *Journal) records(values bool) iter.Seq2[*JournalRecord, error] {
	return func(yield func(*JournalRecord, error) bool) {
		r := newLineReader(j.src)
		for _, b := range slices.Backward(j.Batches) {
			end := b.end
			for _, at := range slices.Backward(b.records) {
				r.seek(at.off, end, at.n)
				rec, err := j.record(r, end, values)
				if err == nil {
					rec.Batch, rec.TxID = b.Number, b.TxID
				}
				if !yield(rec, err) || err != nil {
					return
				}
				end = at.off
			}
		}
	}
}

func (j *Journal) changed() error {
	return &Error{Code: CodeUsage, Path: j.Path, Msg: "the journal does not hold what its lines promise; nothing more was undone", Err: errJournal}
}

// record reads the lines of one record.
func (j *Journal) record(r *lineReader, end int64, values bool) (*JournalRecord, error) {
	p := recordParser{rec: &JournalRecord{}, values: values}
	for r.off < end {
		l, err := r.next()
		if err != nil {
			return nil, ioError(j.Path, "read the journal", err)
		}
		if l == nil || p.take(l) != nil {
			return nil, j.changed()
		}
	}
	if p.left > 0 || values && !p.whole() {
		return nil, j.changed()
	}
	return p.rec, nil
}

// A recordParser puts a record together from its lines.
type recordParser struct {
	rec    *JournalRecord
	values bool
	long   *[]byte // the value that "more" lines go on with
	left   int64   // how many bytes of it are due
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
		if len(l.data) == 0 {
			return errJournal
		}
		return p.grow(l.data)
	}
	return nil // a later version may add lines that this one need not know
}

func (p *recordParser) takeRow(l *line) error {
	var x rowLine
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
		if p.values {
			*p.long = []byte{}
		}
	}
	return p.grow(l.data)
}

func (p *recordParser) takeRemoved(l *line) error {
	var x removedLine
	if err := json.Unmarshal(l.body, &x); err != nil {
		return err
	}
	r := Removed{Kind: x.Kind, Code: x.Code, ID: x.ID, Message: x.Message, Text: []byte(x.Text)}
	if x.Size > 0 {
		r.Text = nil
	}
	p.rec.Removed = append(p.rec.Removed, r)
	p.long, p.left = &p.rec.Removed[len(p.rec.Removed)-1].Text, x.Size
	return p.grow(l.data)
}

// grow adds data to the value that is being read. Nothing is reserved by what
// a line promises, but by what it holds.
func (p *recordParser) grow(data []byte) error {
	n := base64.StdEncoding.DecodedLen(len(data))
	n -= len(data) - len(bytes.TrimRight(data, "="))
	if int64(n) > p.left {
		return errJournal
	}
	p.left -= int64(n)
	if !p.values || n == 0 {
		return nil
	}
	more, err := base64.StdEncoding.AppendDecode(*p.long, data)
	*p.long = more
	return err
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
