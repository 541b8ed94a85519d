package store

import (
	"context"
	"iter"
	"slices"
	"time"
)

// States of a record after an undo.
const (
	// Restored: it was as the repair had left it, and is as before again.
	Restored = "restored"
	// Done: it already was as before.
	Done = "done"
	// Left: somebody has written it since, so it was left alone.
	Left = "left"
)

// UndoOptions of [Undo].
type UndoOptions struct {
	// Only are the refs of the records to undo; none are all.
	Only []string
	// DryRun tells what would be done, and writes nothing.
	DryRun   bool
	LockWait time.Duration
	Progress Progress
}

// An UndoResult counts records by state.
type UndoResult struct {
	Restored, Done, Left int
	// Applied is what was written, its Journal what the undo can be undone by.
	Applied Applied
	// Damaged tells that a part of the journal does not check out; what it
	// recorded was not put back.
	Damaged bool
	// Warnings are those of the database.
	Warnings []string
}

// Undo puts back what a journal recorded, from the last record to the first,
// in batches with a journal of its own. A record that is as the repair left it
// gets its old rows; one that is as before is done, which is also the case for
// a batch that was never committed; any other has been written since and is
// left. A bucket's sequence is put back only if it still is what was written.
//
// db is the database's path, "" being the one that the journal names. If
// neither path nor inode is the journal's, the file may be a copy that was
// moved, or another database: it is refused unless each record of the journal
// is in it, as the repair left it or as before. done, if not nil, is told the
// state of each record. When ctx ends, what was restored so far is committed,
// and Applied.Cut tells.
func Undo(ctx context.Context, journal, db string, o UndoOptions, done func(ref, state string)) (res UndoResult, err error) {
	j, err := ReadJournal(journal)
	if err != nil {
		return res, err
	}
	defer func() { res.Damaged, err = j.Damaged, also(err, j.Close()) }()
	if j.Header.Options[restoredMeta] != "" {
		return res, usageError(journal, "the journal is of a restore, which another takes back: boltmend restore "+j.Header.Backup+" "+j.Header.Database)
	}
	if db == "" {
		db = j.Header.Database
	}
	d, err := Open(db, Options{LockWait: o.LockWait, Write: !o.DryRun, Progress: o.Progress, Context: ctx})
	if err != nil {
		return res, err
	}
	if done == nil {
		done = func(string, string) {}
	}
	u := &undoing{journal: j, only: o.Only}
	err = u.look(ctx, d)
	if err == nil && (o.DryRun || u.plan.Restored == 0) {
		res, err = u.tell(ctx, d, done)
	}
	if err != nil || o.DryRun || u.plan.Restored == 0 {
		res.Warnings = d.Warnings()
		return res, also(err, d.Close())
	}
	if err := d.CheckSpace(Need{Records: u.plan.Restored, OldBytes: u.now, NewBytes: u.before}); err != nil {
		return res, also(err, d.Close())
	}
	w, err := d.Begin(ctx, BeginOptions{LockWait: o.LockWait, Progress: o.Progress})
	if err != nil {
		return res, err
	}
	res, err = u.apply(ctx, w, o, done)
	if err == nil {
		err = w.Check(context.WithoutCancel(ctx))
	}
	res.Warnings = w.Warnings()
	return res, also(err, w.Close())
}

// An undoing goes through a journal more than once: to know what there is to
// do before anything is locked, and to do it.
type undoing struct {
	journal     *Journal
	only        []string
	plan        UndoResult
	before, now int64 // bytes of values to be put back, and of those there now
}

// look decides whether the journal belongs to the database, and what an undo
// would do. It writes nothing.
func (u *undoing) look(ctx context.Context, d *DB) error {
	id, h := d.Identity(), u.journal.Header
	own := id.Path == h.Database || id.Dev == h.Dev && id.Ino == h.Inode && id.Ino != 0
	missing := map[string]bool{}
	for _, ref := range u.only {
		missing[ref] = true
	}
	err := u.walk(ctx, d, func(rec *JournalRecord, state string, e Edits) error {
		delete(missing, rec.Ref)
		if state == Left && !own {
			return usageError(u.journal.Path, "the journal is of another database ("+h.Database+"): record "+rec.Ref+" is not in "+id.Path)
		}
		if u.wants(rec) {
			u.plan.count(state)
			for i, r := range e.Rows {
				u.now += int64(len(r.Old))
				if d := rec.Rows[len(rec.Rows)-1-i].Before; d != nil {
					u.before += d.Size
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, ref := range u.only {
		if missing[ref] {
			return usageError(u.journal.Path, "the journal has no record "+ref)
		}
	}
	if !own && len(u.journal.Batches) == 0 {
		return usageError(u.journal.Path, "the journal is of another database ("+h.Database+") and holds no record")
	}
	return nil
}

// tell reports the states as they are, where nothing is to be written.
func (u *undoing) tell(ctx context.Context, d *DB, done func(ref, state string)) (res UndoResult, err error) {
	err = u.walk(ctx, d, func(rec *JournalRecord, state string, _ Edits) error {
		if u.wants(rec) {
			res.count(state)
			done(rec.Ref, state)
		}
		return nil
	})
	return res, err
}

// walk goes through the journal backwards and tells what each record would be
// found to be, were those behind it put back.
func (u *undoing) walk(ctx context.Context, d *DB, fn func(rec *JournalRecord, state string, e Edits) error) error {
	v, err := d.View()
	if err != nil {
		return err
	}
	defer v.Close()
	back := &putBack{}
	for rec, err := range u.journal.records(false) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		state, edits, err := undoRecord(v, rec, back)
		if err != nil {
			return err
		}
		if state == Restored && u.wants(rec) {
			back.add(rec, edits)
		}
		if err := fn(rec, state, edits); err != nil {
			return err
		}
	}
	return nil
}

func (u *undoing) wants(rec *JournalRecord) bool {
	return len(u.only) == 0 || slices.Contains(u.only, rec.Ref)
}

func (r *UndoResult) count(state string) {
	switch state {
	case Restored:
		r.Restored++
	case Done:
		r.Done++
	default:
		r.Left++
	}
}

// apply puts the records back. What a record is, is asked for again inside
// the transaction that changes it.
func (u *undoing) apply(ctx context.Context, w *Writer, o UndoOptions, done func(ref, state string)) (res UndoResult, err error) {
	var rec *JournalRecord
	var broken error
	records := iter.Seq[Record](func(yield func(Record) bool) {
		for rec, broken = range u.journal.Records() {
			if broken != nil {
				yield(Record{}) // so that edit can say so
				return
			}
			if u.wants(rec) && !yield(Record{Ref: rec.Ref}) {
				return
			}
		}
	})
	edit := func(r Reader, _ Record) (Edits, error) {
		if broken != nil {
			return Edits{}, broken
		}
		state, edits, err := undoRecord(r.(lookup), rec, nil)
		if err == nil && state == Left {
			err = ErrStale
		}
		return edits, err
	}
	states := map[Outcome]string{Changed: Restored, Unchanged: Done, Stale: Left}
	res.Applied, err = w.Apply(ctx, ApplyOptions{
		Header:   map[string]string{"undo": u.journal.Path},
		Progress: o.Progress,
	}, records, edit, func(r Record, out Outcome) {
		res.count(states[out])
		done(r.Ref, states[out])
	})
	return res, err
}
