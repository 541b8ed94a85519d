package migrate

import (
	"context"
	"fmt"

	"boltmend/store"
	"boltmend/store/page"
)

// A source is what a scan reads from: the view of a sound database, or the
// pages that can be read of a damaged one or of one that is written to.
type source interface {
	store.Reader
	Walk(fn func(store.Item) error, enter func(*store.Bucket) error) error
	Total() int64
	Err() error
}

var (
	_ source = (*store.View)(nil)
	_ source = (*store.Pages)(nil)
)

// scanRest judges what can be read of a damaged database and names what cannot.
// It returns no error but that of an interruption: that the file is damaged is
// known.
func (r *run) scanRest(ctx context.Context, path string) error {
	p, err := store.OpenPages(path, r.pagesOptions(ctx))
	if err != nil {
		return nil // neither meta counts: there is nothing to begin from
	}
	err = r.scanPages(ctx, p)
	r.pages(p)
	if err = joined(err, p.Close()); ctx.Err() != nil {
		return err
	}
	return nil
}

// scanLive judges a database while its app writes to it.
func (r *run) scanLive(ctx context.Context, path string) error {
	p, err := store.OpenPages(path, r.pagesOptions(ctx))
	if err != nil {
		return err
	}
	r.warn(p.Warnings())
	err = r.scanPages(ctx, p)
	damage, more := r.pages(p)
	if err = joined(err, p.Close()); err != nil {
		return err
	}
	if damage != nil {
		msg := "database is damaged: " + damage.String()
		if more > 0 {
			msg += fmt.Sprintf(" (and %d more)", more)
		}
		return &store.Error{Code: store.CodeDamaged, Path: path, Msg: msg + "; nothing was written; put a backup in its place"}
	}
	if n := p.Passed() + r.restless; n > 0 {
		r.emit(&Error{
			Type: "error", Database: r.database, Code: CodeLocked,
			Message: fmt.Sprintf("%d parts were written to without pause and passed over; wait longer for a quiet moment, or stop the app", n),
		})
		r.sum.Exit = exitLocked
		if r.sum.Verdict != VerdictPoisoned {
			r.sum.Verdict = VerdictPartly
		}
	}
	return nil
}

func (r *run) pagesOptions(ctx context.Context) store.Options {
	return store.Options{Context: ctx, Live: r.opts.Live, LockWait: r.opts.LockWait}
}

func (r *run) scanPages(ctx context.Context, p *store.Pages) error {
	r.source = p
	r.begin("scan", p.Total())
	return r.scanAll(ctx, p)
}

// pages reports what could not be read, and returns the first damage and how
// many more there are.
func (r *run) pages(p *store.Pages) (first *page.Problem, more int) {
	list, unsaid := p.Problems()
	for i := range list {
		r.emit(r.pageOf(list[i]))
		switch {
		case list[i].Severity != page.Error:
			continue
		case first == nil:
			first = &list[i]
		default:
			more++
		}
		r.sum.Unreadable++
	}
	if unsaid > 0 {
		r.sum.Unreadable += unsaid
		r.warn([]string{fmt.Sprintf("%d more pages could not be read", unsaid)})
	}
	return first, more + unsaid
}
