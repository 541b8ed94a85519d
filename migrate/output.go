package migrate

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"boltmend/store"
)

// outputIsNew makes sure, before anything is done, that the new file is new.
func (r *run) outputIsNew() error {
	if r.opts.Output == "" {
		return nil
	}
	if _, err := os.Lstat(r.opts.Output); !errors.Is(err, fs.ErrNotExist) {
		return usage("%s: there is a file of this name; name a new one", r.opts.Output)
	}
	return nil
}

// repairCopy repairs a compacted copy and leaves the source as it is. The copy
// is private until it is finished, so it needs no journal: the source is the
// backup.
func (r *run) repairCopy(ctx context.Context, path string) error {
	return r.reading(ctx, path, func(db *store.DB) error {
		if err := r.planFor(ctx); err != nil {
			return err
		}
		temp, err := store.Compact(ctx, r.view, r.opts.Output, r.opts.Progress)
		if err != nil {
			return err
		}
		if err := r.repairTemp(ctx, temp); err != nil {
			os.Remove(temp) // a later run would remove it too
			return err
		}
		warning, err := store.Publish(temp, r.opts.Output, db)
		if err != nil {
			os.Remove(temp)
			return err
		}
		if warning != "" {
			r.warn([]string{warning})
		}
		return nil
	})
}

// repairTemp applies the plan to the copy.
func (r *run) repairTemp(ctx context.Context, temp string) error {
	db, err := store.Open(temp, store.Options{Context: ctx, Write: true})
	if err != nil {
		return err
	}
	w, err := db.Begin(ctx, store.BeginOptions{})
	if err != nil {
		return joined(err, db.Close())
	}
	err = r.apply(ctx, w, store.ApplyOptions{
		NoJournal: true, BatchBytes: r.opts.batchBytes(r.need.NewBytes), Progress: r.opts.Progress,
	})
	return joined(err, w.Close())
}
