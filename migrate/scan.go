package migrate

import (
	"context"
	"errors"

	"boltmend/store"
)

// Scan judges every history of a database and writes nothing. Events go to
// emit in key order, from one goroutine; the summary, which is also returned,
// is the last.
func Scan(ctx context.Context, path string, opts Options, emit func(Event)) Summary {
	r, err := newRun(path, opts, emit)
	if err == nil {
		err = r.scan(ctx, path)
	}
	return r.close(ctx, err)
}

func (r *run) scan(ctx context.Context, path string) error {
	if r.opts.Live {
		return r.scanLive(ctx, path)
	}
	begun := false
	err := r.reading(ctx, path, func(*store.DB) error {
		begun = true
		return r.scanAll(ctx, r.view)
	})
	if !begun && errors.Is(err, store.ErrDamaged) {
		return joined(r.scanRest(ctx, path), err)
	}
	return err
}

// scanAll judges every history of a source.
func (r *run) scanAll(ctx context.Context, src source) error {
	r.onRows = func(h *rowHistory) error {
		for _, hist := range h.verdict.histories {
			r.report([]Event{r.rowEvent(h.conv, hist, false)})
		}
		return nil
	}
	err := r.walk(ctx, src, func(it store.Item, v verdict) error {
		hs, err := r.settle(it, v)
		for _, h := range hs {
			r.report([]Event{r.event(it.Bucket, it.Key, h, false)})
		}
		return err
	})
	if err == nil {
		err = r.leaveAll()
	}
	if err != nil {
		return err
	}
	r.advise()
	r.judgeScan()
	return r.unknownTarget()
}

// reading opens a database, begins a view, and closes both behind fn.
func (r *run) reading(ctx context.Context, path string, fn func(*store.DB) error) error {
	db, err := store.Open(path, store.Options{Context: ctx, LockWait: r.opts.LockWait, Progress: r.opts.Progress})
	if err != nil {
		return err
	}
	r.warn(db.Warnings())
	err = r.viewing(db, func() error { return fn(db) })
	return joined(err, db.Close())
}

// viewing begins a view on a database for the planning.
func (r *run) viewing(db interface{ View() (*store.View, error) }, fn func() error) error {
	v, err := db.View()
	if err != nil {
		return err
	}
	r.view, r.source = v, v
	r.begin("scan", v.Total())
	err = fn()
	if err == nil {
		err = v.Err()
	}
	return joined(err, v.Close())
}

// joined is the first of two errors.
func joined(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// judgeScan gives the summary of a scan its verdict.
func (r *run) judgeScan() {
	s := &r.sum
	switch {
	case r.refused > 0:
		s.Verdict, s.Exit = VerdictPoisoned, exitLeft
	case s.Histories == 0:
		s.Verdict = VerdictNoConversations
	default:
		s.Verdict = VerdictSound
	}
	if r.opts.Strict && s.Lint > 0 {
		s.Exit = exitLeft
	}
}
