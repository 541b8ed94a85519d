package migrate

import (
	"context"
	"strings"

	"boltmend/store"
)

// Undo puts back what a journal recorded. db is the database's path, "" for
// the one that the journal names.
func Undo(ctx context.Context, journal, db string, opts Options, emit func(Event)) Summary {
	r, err := newRun(db, opts, emit)
	if err == nil {
		err = r.undo(ctx, journal, db)
	}
	return r.close(ctx, err)
}

func (r *run) undo(ctx context.Context, journal, db string) error {
	if db == "" { // until the journal names it
		r.database, r.sum.Database = journal, journal
	}
	j, err := store.ReadJournal(journal)
	if err != nil {
		return err
	}
	if db == "" {
		r.database, r.sum.Database = j.Header.Database, j.Header.Database
	}
	if err := j.Close(); err != nil {
		return err
	}
	// The journal holds whole records: to undo one for the sake of a history
	// inside it would put back more than was named.
	only := make([]string, len(r.opts.Only))
	for i, ref := range r.opts.Only {
		record, inside, _ := strings.Cut(ref, "#")
		if inside != "" {
			return usage("%s: a record goes back as a whole; name it: --only %s", ref, record)
		}
		only[i] = record
	}
	res, err := store.Undo(ctx, journal, db, store.UndoOptions{
		Only: only, DryRun: r.opts.DryRun, LockWait: r.opts.LockWait, Progress: r.opts.Progress,
	}, func(ref, state string) {
		r.emit(&Undone{Type: "undo", Database: r.database, Ref: ref, State: state})
	})
	r.warn(res.Warnings)
	r.sum.Journal = res.Applied.Journal
	if err != nil {
		return err
	}
	switch {
	case res.Applied.Cut:
		return context.Canceled
	case res.Damaged:
		r.warn([]string{"a part of the journal does not check out: what it recorded there was not put back"})
		r.sum.Verdict, r.sum.Exit = VerdictPartly, exitLeft
	case res.Left > 0:
		r.sum.Verdict, r.sum.Exit = VerdictPartly, exitLeft
	case res.Restored > 0:
		r.sum.Verdict = VerdictRepaired
	default:
		r.sum.Verdict = VerdictSound
	}
	return nil
}

// warn passes warnings on.
func (r *run) warn(lines []string) {
	for _, l := range lines {
		r.emit(&Note{Type: "note", Database: r.database, Kind: "warning", Reason: l})
	}
}
