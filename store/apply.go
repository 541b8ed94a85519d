package store

import (
	"context"
	"errors"
	"iter"
)

// A Record is one stored value, or the rows of one conversation: what changes
// as a whole or not at all, in one transaction. Ref is its name, which the
// store passes on and never reads; Bucket and Key are for the edit.
type Record struct {
	Ref    string
	Bucket [][]byte
	Key    []byte
}

// A Reader is what an edit reads by: the state inside the transaction that its
// batch is written in, before any of the batch's changes, but for sequences,
// which are as earlier records of the batch leave them. Slices are valid until
// the edit returns.
type Reader interface {
	Get(bucket [][]byte, key []byte) (value []byte, ok bool)
	WalkBucket(bucket [][]byte, fn func(Item) error) error
	Sequence(bucket [][]byte) (seq uint64, ok bool)
}

// Edits are what becomes of one record. No rows and no sequences are no
// change.
type Edits struct {
	Rows      []RowEdit
	Sequences []SequenceEdit
	Removed   []Removed
}

// A RowEdit changes one value: Old nil means that the key must not exist, New
// nil that it is deleted. If what is stored is not Old, the record is stale.
// New has to stay as it is until done is called for the record.
type RowEdit struct {
	Bucket [][]byte
	Key    []byte
	Old    []byte
	New    []byte
}

// A SequenceEdit changes a bucket's sequence.
type SequenceEdit struct {
	Bucket   [][]byte
	Old, New uint64
}

// A Removed is something that a repair took out, for the journal.
type Removed struct {
	Kind, Code, ID string
	Message        int
	Text           []byte
}

// An Outcome says what became of a record.
type Outcome int

const (
	// Unchanged: the edit had nothing to change.
	Unchanged Outcome = iota
	// Changed: its edits are committed.
	Changed
	// Stale: it is not what was planned any more, and was left alone.
	Stale
)

// ApplyOptions of [Writer.Apply].
type ApplyOptions struct {
	// Journal is the journal's path; "" is <db>.boltmend-<txid>.journal.
	Journal string
	// NoJournal writes none, and does not sync: for a private copy, which can
	// be thrown away, and is synced when it is published.
	NoJournal bool
	// Backup is the backup's path for the journal's header, "" without one.
	Backup string
	// Header is options of the run, for the journal's header.
	Header map[string]string
	// BatchBytes is how many bytes of new values end a batch: 0 is 16 MiB. A
	// batch is larger by its last record at most.
	BatchBytes int
	// Progress, if set, is told of bytes written; the total is not known.
	Progress Progress
}

// Applied says how far a run came. All of it is committed and synced.
type Applied struct {
	Batches int
	// Changed, Unchanged and Stale count records, Rows values.
	Changed, Unchanged, Stale int
	Rows                      int
	OldBytes, NewBytes        int64
	// FirstTx and LastTx are the transactions of the first and last batch.
	FirstTx, LastTx uint64
	// Journal is the journal's path, "" if nothing was changed.
	Journal string
	// Cut tells that the context ended the run before all records were done.
	Cut bool
}

const defaultBatch = 16 << 20

// perRecord is counted for each record and row of a batch besides new bytes,
// for what is kept of it until the batch is done.
const perRecord = 256

// Apply goes through records in order, asks edit what becomes of each, and
// commits the edits in batches of one transaction each. Before a transaction
// commits, its journal entries are on disk, with the id that the commit will
// have. done, if not nil, is called in order, after the record's batch has
// committed.
//
// An edit that returns ErrStale leaves its record out; any other error ends the
// run, and nothing of the open batch is written. It may be called twice for a
// record: if it gets, or answers with, a row that the open batch changes, then
// that batch is committed first and the answer dropped. When ctx ends, the
// records that were edited are still committed as the last batch: Applied.Cut
// tells, there is no error.
//
// After an error, Applied counts what is safe. A failed sync is final, nothing
// is tried again: the error matches ErrUnsynced, and says if the last batch may
// or may not be in the database. If no record changes anything, no journal is
// left and the file keeps every byte and its times.
func (w *Writer) Apply(ctx context.Context, o ApplyOptions, records iter.Seq[Record],
	edit func(Reader, Record) (Edits, error), done func(Record, Outcome)) (Applied, error) {
	switch {
	case w.bolt == nil || w.broken:
		return Applied{}, usageError(w.id.Path, "the database is closed")
	case w.views > 0:
		return Applied{}, usageError(w.id.Path, "a view of the database is still open")
	case w.applied:
		return Applied{}, usageError(w.id.Path, "changes were applied already; open the database again")
	}
	w.applied = true
	w.bolt.NoSync = o.NoJournal
	if o.BatchBytes <= 0 {
		o.BatchBytes = defaultBatch
	}
	if done == nil {
		done = func(Record, Outcome) {}
	}
	a := &applier{w: w, opts: o, edit: edit, done: done}
	defer a.rollback() // an edit may panic
	err := a.run(ctx, records)
	return a.res, a.finish(err)
}

// An applier is one run of Apply.
type applier struct {
	w       *Writer
	opts    ApplyOptions
	edit    func(Reader, Record) (Edits, error)
	done    func(Record, Outcome)
	res     Applied
	journal *journalWriter
	batch   *batch
}

func (a *applier) run(ctx context.Context, records iter.Seq[Record]) error {
	for rec := range records {
		if ctx.Err() != nil {
			a.res.Cut = true
			break
		}
		if err := a.add(rec); err != nil {
			return err
		}
		if a.batch != nil && a.batch.bytes >= a.opts.BatchBytes {
			if err := a.commit(); err != nil {
				return err
			}
		}
	}
	return a.commit()
}

// add asks for one record's edits and puts them into the open batch.
func (a *applier) add(rec Record) error {
	for {
		if err := a.begin(); err != nil {
			return err
		}
		var outcome Outcome
		err := guardAt(a.w.id.Path, func() error {
			edits, err := a.edit(a.batch, rec)
			if err == nil {
				outcome, err = a.batch.stage(rec, edits)
			}
			return err
		})
		if lookup := a.batch.Err(); lookup != nil {
			return lookup
		}
		switch {
		case a.batch.again:
			if err := a.commit(); err != nil {
				return err
			}
			continue
		case errors.Is(err, ErrStale):
			outcome = Stale
		case err != nil:
			return err
		}
		a.batch.outcomes = append(a.batch.outcomes, recordOutcome{rec, outcome})
		a.batch.bytes += perRecord + len(rec.Ref)
		if len(a.batch.staged) == 0 {
			a.report(a.batch) // nothing to wait for
			a.batch.bytes = 0
		}
		return nil
	}
}

// report tells the outcomes of a batch and forgets them.
func (a *applier) report(b *batch) {
	for _, o := range b.outcomes {
		switch o.outcome {
		case Changed:
			a.res.Changed++
		case Unchanged:
			a.res.Unchanged++
		case Stale:
			a.res.Stale++
		}
		a.done(o.rec, o.outcome)
	}
	b.outcomes = b.outcomes[:0]
}

// finish closes the journal.
func (a *applier) finish(err error) error {
	j := a.journal
	if j == nil {
		return err
	}
	if err == nil {
		end := endLine{Batches: a.res.Batches, Records: a.res.Changed, Cut: a.res.Cut}
		if e := also(j.add(typeEnd, end, nil), j.sync()); e != nil {
			// All batches are in it and synced: an undo reads it as it is.
			a.w.db.warn = append(a.w.db.warn, "journal could not be closed in order: "+bareCause(e))
		}
	}
	return also(err, j.file.Close())
}
