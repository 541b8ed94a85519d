package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Errors of [ReadMetas], to be asked for with [errors.Is].
var (
	// ErrNotDatabase is returned for a file without a trace of bbolt's magic
	// where a meta would be.
	ErrNotDatabase = errors.New("not a bbolt database")
	// ErrDamaged is returned for a file with the magic and no meta that
	// checks out, or without room for two metas.
	ErrDamaged = errors.New("both metas are unusable")
)

// Severity says what a problem means for whoever wants to write.
type Severity string

const (
	// Error is a problem that makes it unsafe to open the file for writing.
	Error Severity = "error"
	// Oddity is a problem that every bbolt copes with.
	Oddity Severity = "oddity"
)

// Kinds of problems. They are stable: they appear in reports.
const (
	KindFileSize    = "file-size"     // the file is no whole number of pages
	KindTruncated   = "truncated"     // the file ends before a page it should hold
	KindMeta        = "meta"          // a meta does not count, or contradicts itself
	KindPageBound   = "page-bound"    // a page id below 2 or not below the high water mark
	KindUnreadable  = "unreadable"    // the system could not read the page
	KindPageID      = "page-id"       // the page says that it is another one
	KindPageType    = "page-type"     // neither branch nor leaf, or no freelist
	KindPageCount   = "page-count"    // a count that cannot be
	KindReachedTwo  = "reached-twice" // a page with two owners, or a cycle
	KindReachedFree = "reached-free"  // a page in use that the freelist holds
	KindOverflow    = "overflow"      // a run past the high water mark, or of a needless length
	KindElement     = "element"       // an element that points out of its page, or into others
	KindKeySize     = "key-size"      // a key of 0 or more than 32768 bytes
	KindKeyOrder    = "key-order"     // keys on a page that do not increase
	KindKeyRange    = "key-range"     // a key outside of what the branch above says
	KindSeparator   = "separator"     // a first key that is not the branch's
	KindBucket      = "bucket"        // a bucket that cannot be one
	KindFreelist    = "freelist"      // the list of free pages is damaged
	KindGap         = "gap"           // unused bytes between keys and values
	KindSlack       = "slack"         // bytes behind the last value that are not zero
	KindUnreachable = "unreachable"   // pages neither in use nor free
	KindTooDeep     = "too-deep"      // more open pages than memory is meant for
)

// A Problem is one thing wrong with a file.
type Problem struct {
	// Page is where it was found; of a run, the first page.
	Page     uint64   `json:"page"`
	Kind     string   `json:"kind"`
	Severity Severity `json:"severity"`
	// Bucket is the path of the bucket that the page belongs to: its names
	// percent-encoded, joined by "/". It is empty for the top level and
	// where no bucket is concerned.
	Bucket string `json:"bucket"`
	// KeyFrom and KeyTo bound the keys that the page holds, as the branch
	// above says: from KeyFrom on, before KeyTo. Empty is without bound.
	KeyFrom string `json:"key_from"`
	KeyTo   string `json:"key_to"`
	// Detail says in words what was found.
	Detail string `json:"detail"`
}

// String returns the problem as one line in words.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "page %d: %s", p.Page, p.Detail)
	sep := " ("
	add := func(label, s string) {
		if s != "" {
			b.WriteString(sep + label + s)
			sep = ", "
		}
	}
	add("bucket ", p.Bucket)
	add("keys from ", p.KeyFrom)
	add("keys before ", p.KeyTo)
	if sep != " (" {
		b.WriteString(")")
	}
	return b.String()
}

// Options of a check. The zero value is a good one.
type Options struct {
	// Progress, if set, is told now and then how many bytes of the file are
	// accounted for, free pages included. It begins again where the tree is
	// not sound, since it is then read a second time.
	Progress func(done, total int64)
	// MaxProblems is how many problems are reported, 0 meaning 1000. Those
	// beyond are counted only.
	MaxProblems int

	// split is for tests: how many goroutines walk as many parts or more. 0 is
	// as many as pay.
	split int
}

// A Result counts what a check saw.
type Result struct {
	Errors, Oddities int
	Metas            Metas
	// Pages is the high water mark. Reachable counts the pages in use: metas,
	// tree and freelist. Free counts the pages that the freelist holds, or,
	// if none is stored, all that are not in use.
	Pages, Reachable, Free uint64
}

// Check reads every page in use once, by [io.ReaderAt.ReadAt] within size, and
// calls report for each problem in the order found. What is wrong with the data
// is a problem; an error means that the check could not be done or was cut
// short by ctx, or that the file is no database ([ErrNotDatabase]). A nil report
// is for those who want the counts.
func Check(ctx context.Context, r io.ReaderAt, size int64, o Options, report func(Problem)) (Result, error) {
	if report == nil {
		report = func(Problem) {}
	}
	c := &checker{ctx: ctx, r: r, size: size, opts: o, report: report}
	if c.opts.MaxProblems == 0 {
		c.opts.MaxProblems = 1000
	}
	m, err := ReadMetas(r, size)
	c.res.Metas = m
	if errors.Is(err, ErrDamaged) {
		c.unusable(err)
		return c.res, nil
	}
	if err != nil {
		return c.res, err
	}
	err = c.run()
	return c.res, err
}
