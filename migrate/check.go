package migrate

import (
	"context"
	"fmt"

	"boltmend/store"
	"boltmend/store/page"
)

// maxPages bounds the pages that a check names one by one; more are counted.
const maxPages = 100_000

// Check runs the page check over a database, under its shared lock, and
// writes nothing: an event for each error and each oddity, one about the file,
// and the summary. Damage is what was found, not a failure: the exit code is 1.
// bbolt never sees the file.
func Check(ctx context.Context, path string, opts Options, emit func(Event)) Summary {
	r, err := newRun(path, opts, emit)
	if err == nil {
		err = r.check(ctx, path)
	}
	return r.close(ctx, err)
}

func (r *run) check(ctx context.Context, path string) error {
	o := store.Options{Context: ctx, LockWait: r.opts.LockWait, Progress: r.opts.Progress}
	res, err := store.CheckPages(path, o, maxPages, func(p page.Problem) {
		r.sum.Findings[p.Kind]++
		r.emit(r.pageOf(p))
	})
	if err != nil {
		return err
	}
	if res.Metas.Live >= 0 {
		r.emit(r.fileOf(res))
	}
	r.sum.Remaining, r.sum.Lint = res.Errors, res.Oddities
	r.sum.Verdict = VerdictSound
	if res.Errors > 0 {
		r.sum.Verdict, r.sum.Exit = VerdictDamaged, exitLeft
	}
	return nil
}

func (r *run) pageOf(p page.Problem) *Page {
	return &Page{
		Type: "page", Database: r.database, Page: p.Page, Kind: p.Kind, Severity: string(p.Severity),
		Bucket: p.Bucket, KeyFrom: p.KeyFrom, KeyTo: p.KeyTo, Detail: p.Detail,
	}
}

func (r *run) fileOf(res page.Result) *File {
	m := &res.Metas
	f := &File{
		Type: "file", Database: r.database, PageSize: m.PageSize,
		Pages: res.Pages, Used: res.Reachable, Free: res.Free,
		Meta: m.Live, Transaction: m.Meta[m.Live].TxID,
	}
	switch other := &m.Meta[1-m.Live]; {
	case other.Err != nil:
		f.Reason = fmt.Sprintf("the other does not count: %v", other.Err)
	case other.TxID < f.Transaction:
		f.Reason = fmt.Sprintf("the newer of two, the other is of transaction %d", other.TxID)
	default:
		f.Reason = "both are of one transaction: the first"
	}
	return f
}
