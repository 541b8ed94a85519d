package migrate

import (
	"context"
	"errors"
	"strings"

	"boltmend/store"
)

// readBack audits every changed record as it now is, and the pages.
func (r *run) readBack(ctx context.Context, w *store.Writer) error {
	err := r.viewing(w, func() error {
		for i := range r.entries {
			e := &r.entries[i]
			if !e.changes {
				continue
			}
			if err := r.audit(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = w.Check(ctx)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return r.unsound(err)
	}
	return err
}

// audit makes sure that a record is what it was to become, or, if it was
// stale, is left alone.
func (r *run) audit(e *entry) error {
	return store.Guard(func() error {
		if now, ok := r.digestNow(e); !ok || now != e.new {
			return &store.Error{Code: store.CodeDamaged, Path: r.database,
				Msg: e.ref() + " does not read back as it was written"}
		}
		return nil
	})
}

// digestNow is the hash of a written record as it is read.
func (r *run) digestNow(e *entry) (digest, bool) {
	if e.conv == nil {
		value, ok := r.view.Get(e.bucket.Path, e.key)
		return digestOf(value), ok
	}
	c := *e.conv
	c.keys, c.entries = c.written.keys, c.written.entries
	rows, err := r.judge.read(r.view, &c)
	return digestRows(rows), err == nil
}

// restoreIt is what the store says too.
const restoreIt = "stop using the database and restore the backup"

// unsound is for a database that is not right after the repair.
func (r *run) unsound(err error) error {
	msg := err.Error()
	if r.sum.Backup != "" && !strings.Contains(msg, restoreIt) {
		msg += "; " + restoreIt
	}
	return &store.Error{Code: store.CodeDamaged, Path: r.database, Msg: msg, Err: err}
}
