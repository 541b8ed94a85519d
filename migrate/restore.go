package migrate

import (
	"context"

	"boltmend/store"
)

// Restore makes a database what a backup of it is, as a whole, with what other
// programs wrote since: see [store.Restore]. Options.Journal is a journal that
// lies elsewhere and may name the backup.
func Restore(ctx context.Context, backup, db string, opts Options, emit func(Event)) Summary {
	r, err := newRun(db, opts, emit)
	if err == nil {
		err = r.restore(ctx, backup, db)
	}
	if err != nil {
		r.fail(ctx, err)
		r.sum.Verdict = VerdictError // the damage may be the backup's
		err = nil
	}
	return r.close(ctx, err)
}

func (r *run) restore(ctx context.Context, backup, db string) error {
	res, err := store.Restore(ctx, backup, db, store.RestoreOptions{
		Journal: r.opts.Journal, BackupDir: r.opts.BackupDir, Force: r.opts.Force,
		DryRun: r.opts.DryRun, LockWait: r.opts.LockWait, Progress: r.opts.Progress,
	})
	r.warn(res.Warnings)
	r.sum.Backup, r.sum.Journal = res.Backup, res.Journal
	if err != nil {
		return err
	}
	switch {
	case !res.Restored:
		r.sum.Verdict = VerdictSound
		return nil
	case res.Resumed:
		r.warn([]string{"a restore that was cut off is gone on with: what the file was before it is in the backup made then"})
	}
	r.sum.Verdict = VerdictRepaired
	return nil
}
