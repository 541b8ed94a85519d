package migrate

import (
	"context"
	"iter"

	"boltmend/store"
)

// Repair judges every history of a database and writes the fixes back. A dry
// run is the same run without writing: same findings, same order, same hashes.
func Repair(ctx context.Context, path string, opts Options, emit func(Event)) Summary {
	r, err := newRun(path, opts, emit)
	if err == nil {
		err = r.outputIsNew()
	}
	if err == nil {
		err = r.planIsNew()
	}
	if err == nil {
		err = r.readPlan()
		defer r.closePlan()
	}
	switch {
	case err != nil:
	case opts.DryRun:
		err = r.dryRun(ctx, path)
	case opts.Output != "":
		err = r.repairCopy(ctx, path)
	default:
		err = r.repairInPlace(ctx, path)
	}
	return r.close(ctx, err)
}

func (r *run) dryRun(ctx context.Context, path string) error {
	return r.reading(ctx, path, func(db *store.DB) error {
		if err := r.planFor(ctx); err != nil {
			return err
		}
		if err := r.reportPlan(ctx); err != nil {
			return err
		}
		if err := r.savePlan(ctx, db.Identity()); err != nil {
			return err
		}
		r.judgeRepair()
		return nil
	})
}

// reportPlan reports all entries as they would be, or need not be, written.
func (r *run) reportPlan(ctx context.Context) error {
	for i := range r.entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		var events []Event
		err := store.Guard(func() error {
			hs, m, err := r.again(r.view, &r.entries[i])
			events = r.followed(&r.entries[i], r.events(&r.entries[i], hs, r.allowed(&r.entries[i], m)))
			return err
		})
		if err != nil {
			return err
		}
		r.report(events)
	}
	return nil
}

func (r *run) repairInPlace(ctx context.Context, path string) error {
	db, err := store.Open(path, store.Options{
		Context: ctx, LockWait: r.opts.LockWait, Write: true, Progress: r.opts.Progress,
	})
	if err != nil {
		return err
	}
	r.warnMore(db.Warnings())
	err = r.viewing(db, func() error {
		if err := r.planFor(ctx); err != nil || r.need.Records > 0 {
			return err
		}
		return r.reportPlan(ctx) // nothing to write
	})
	if err == nil && r.need.Records == 0 {
		r.judgeRepair()
	}
	if err != nil || r.need.Records == 0 {
		return joined(err, db.Close())
	}
	return joined(r.write(ctx, db), db.Close())
}

// write takes the exclusive lock, backs up, applies and verifies.
func (r *run) write(ctx context.Context, db *store.DB) error {
	if err := db.CheckSpace(r.spaceNeeded()); err != nil {
		return err
	}
	w, err := db.Begin(ctx, store.BeginOptions{LockWait: r.opts.LockWait, Progress: r.opts.Progress})
	if err != nil {
		return err
	}
	err = r.writing(ctx, w)
	r.warnMore(w.Warnings())
	return joined(err, w.Close())
}

// warnMore passes on what is new in the warnings of a database.
func (r *run) warnMore(all []string) {
	r.warn(all[min(r.warned, len(all)):])
	r.warned = len(all)
}

func (r *run) spaceNeeded() store.Need {
	n := r.need
	n.Backup, n.BackupDir, n.Journal = !r.opts.NoBackup, r.opts.BackupDir, r.opts.Journal
	return n
}

func (r *run) writing(ctx context.Context, w *store.Writer) error {
	if w.Moved() {
		if err := r.planAgain(ctx, w); err != nil || r.need.Records == 0 {
			return err
		}
	}
	if !r.opts.NoBackup {
		path, err := w.Backup(r.opts.BackupDir)
		if err != nil {
			return err
		}
		r.sum.Backup = path
	}
	return r.apply(ctx, w, store.ApplyOptions{
		Journal: r.opts.Journal, Backup: r.sum.Backup, Header: r.opts.header(),
		BatchBytes: r.opts.batchBytes(r.need.NewBytes), Progress: r.opts.Progress,
	})
}

// planAgain plans on what another process wrote between our looking and our
// lock. What was said of values the first time is not said twice.
func (r *run) planAgain(ctx context.Context, w *store.Writer) error {
	emit := r.emit
	r.emit = func(Event) {}
	defer func() { r.emit = emit }()
	r.sum = Summary{Type: "summary", Database: r.database, Findings: map[string]int{}}
	r.refused = 0
	clear(r.known)
	clear(r.prefixes)
	clear(r.beside)
	clear(r.sides)
	clear(r.libraries)
	return r.viewing(w, func() error {
		r.states = nil
		err := r.planFor(ctx)
		r.emit = emit
		if err == nil && r.need.Records == 0 {
			err = r.reportPlan(ctx)
			r.judgeRepair()
		}
		return err
	})
}

// apply writes the entries that change, reports all in order, and reads back
// what was written.
func (r *run) apply(ctx context.Context, w *store.Writer, o store.ApplyOptions) error {
	at := make(map[string]*entry)     // of the open batch
	ready := make(map[string][]Event) // of the open batch
	edit := func(rd store.Reader, rec store.Record) (store.Edits, error) {
		e := at[rec.Ref]
		hs, m, err := r.again(rd, e)
		if err != nil {
			return store.Edits{}, err
		}
		m = r.allowed(e, m)
		ready[rec.Ref] = r.followed(e, r.events(e, hs, m))
		if len(m.rows) == 0 {
			return store.Edits{}, nil
		}
		if e.conv != nil {
			e.conv.written = m.written
		}
		return store.Edits{Rows: m.rows, Sequences: m.sequences, Removed: removedItems(hs)}, nil
	}
	done := func(rec store.Record, outcome store.Outcome) {
		if outcome == store.Stale {
			r.stale(at[rec.Ref])
		} else {
			r.report(ready[rec.Ref])
		}
		delete(at, rec.Ref)
		delete(ready, rec.Ref)
	}
	res, err := w.Apply(ctx, o, r.records(at), edit, done)
	r.sum.Journal = res.Journal
	if err != nil {
		return err
	}
	if res.Cut {
		return context.Cause(ctx)
	}
	if err := r.readBack(ctx, w); err != nil {
		return err
	}
	r.judgeRepair()
	return nil
}

// records gives the entries to the store, and notes them in at.
func (r *run) records(at map[string]*entry) iter.Seq[store.Record] {
	return func(yield func(store.Record) bool) {
		for i := range r.entries {
			e := &r.entries[i]
			rec := store.Record{Ref: e.ref(), Bucket: e.bucket.Path, Key: e.key}
			at[rec.Ref] = e
			if !yield(rec) {
				return
			}
		}
	}
}

// judgeRepair gives the summary of a repair, or of a dry run, its verdict.
func (r *run) judgeRepair() {
	r.reportUnmet()
	s := &r.sum
	switch {
	case s.Remaining > 0 || r.left > 0:
		s.Verdict, s.Exit = VerdictPartly, exitLeft
	case s.Fixed > 0:
		s.Verdict = VerdictRepaired
	case s.Histories == 0:
		s.Verdict = VerdictNoConversations
	default:
		s.Verdict = VerdictSound
	}
	if s.DryRun && r.refused > 0 || r.opts.Strict && s.Lint > 0 {
		s.Exit = exitLeft
	}
}
