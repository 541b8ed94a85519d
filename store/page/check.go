package page

import (
	"context"
	"fmt"
	"io"
)

// maxFileSize is the most that bbolt can map.
const maxFileSize = 1 << 48

// A checker is one run of [Check].
type checker struct {
	ctx    context.Context
	r      io.ReaderAt
	size   int64
	opts   Options
	report func(Problem)
	res    Result

	ps   int64
	hwm  uint64 // page ids lie below it
	have uint64 // whole pages in the file
	used bitset // pages reached, sized by the smaller of both
	free bitset // pages that the freelist holds
	// listed says that free is the whole truth, so that a page in neither
	// set is lost.
	listed bool

	win    window
	node   span // the page being scanned
	inline span // the inline bucket being scanned on it
	stack  []frame
	kids   frame  // of the page being scanned
	held   int    // bytes that the stack holds
	done   uint64 // pages accounted for
	told   uint64 // of those, how many Progress knows of
	split  *split // the walk that this checker does a part of, or nil
}

// unusable reports why no meta counts.
func (c *checker) unusable(err error) {
	said := false
	for i := range c.res.Metas.Meta {
		if e := c.res.Metas.Meta[i].Err; e != nil {
			c.fault(place{page: uint64(i)}, KindMeta, Error, "meta %d does not count: %v", i, e)
			said = true
		}
	}
	if !said {
		c.fault(place{}, KindTruncated, Error, "%v", err)
	}
}

// run checks everything behind a live meta.
func (c *checker) run() error {
	m := &c.res.Metas
	live := &m.Meta[m.Live]
	c.ps = int64(m.PageSize)
	c.hwm, c.have = live.Pages, uint64(c.size/c.ps)
	c.res.Pages = c.hwm
	if c.size > maxFileSize {
		c.fault(place{}, KindFileSize, Error, "%d bytes are more than bbolt can map", c.size)
		return nil
	}
	n := max(min(c.hwm, c.have), 2)
	c.used, c.free = newBitset(n), newBitset(n)
	c.used.add(0, 2)
	c.res.Reachable, c.done = 2, 2
	c.win = window{r: c.r, limit: int64(c.have) * c.ps, buf: make([]byte, max(maxWindow, c.ps))}

	c.file()
	c.metas()
	if err := c.freelist(live.Freelist); err != nil {
		return err
	}
	ok, err := c.walkSplit(live.Root)
	if err == nil && !ok {
		err = c.walk(live.Root)
	}
	if err != nil {
		return err
	}
	c.leaks()
	c.progress(true)
	return nil
}

// file compares the size with the page size and the high water mark. A file
// that ends before its mark is an error even if only free pages are missing:
// bbolt would hand them out, and fault on those behind its mapping.
func (c *checker) file() {
	if c.size%c.ps != 0 {
		c.fault(place{}, KindFileSize, Oddity, "%d bytes are no whole number of pages of %d", c.size, c.ps)
	}
	if c.hwm > c.have {
		c.fault(place{}, KindTruncated, Error, "the file has %d pages, its high water mark is %d", c.have, c.hwm)
	}
}

// metas judges what ReadMetas left open. One torn meta is what a power cut
// leaves, and the reason why there are two.
func (c *checker) metas() {
	for i := range c.res.Metas.Meta {
		m, at := &c.res.Metas.Meta[i], place{page: uint64(i)}
		sev := Oddity
		if i == c.res.Metas.Live || m.forged {
			sev = Error
		}
		switch {
		case m.Err != nil:
			c.fault(at, KindMeta, sev, "meta %d does not count: %v", i, m.Err)
		case m.header.id != uint64(i) || m.header.flags != flagMeta:
			c.fault(at, KindMeta, sev, "meta %d has the header of page %d, flags %#x", i, m.header.id, m.header.flags)
		case m.Pages < 4 && i == c.res.Metas.Live:
			// bbolt makes every file with four pages.
			c.fault(at, KindMeta, sev, "meta %d has a high water mark of %d", i, m.Pages)
		}
	}
}

// leaks reports runs of pages that nothing uses and nothing lists.
func (c *checker) leaks() {
	if !c.listed {
		if c.res.Metas.Meta[c.res.Metas.Live].Freelist == NoFreelist && c.hwm > c.res.Reachable {
			c.res.Free = c.hwm - c.res.Reachable
		}
		return
	}
	for id := uint64(0); ; {
		from, ok := firstMissing(&c.used, &c.free, id)
		if !ok {
			return
		}
		id = firstOf(&c.used, &c.free, from)
		what := "page is"
		if id-from > 1 {
			what = fmt.Sprintf("pages up to %d are", id-1)
		}
		c.fault(place{page: from}, KindUnreachable, Oddity, "%s neither in use nor free", what)
	}
}

// progressStep is how many pages pass between two calls of Progress.
const progressStep = 1 << 10

// progress tells how far the check is; the last call says all of it, lost pages
// included.
func (c *checker) progress(last bool) {
	count := c.done
	if c.split != nil {
		count = c.split.done.Add(c.done)
		c.done = 0 // of what the others do not know
	}
	if c.opts.Progress == nil || !last && count-c.told < progressStep {
		return
	}
	c.told = count
	total := int64(c.used.n) * c.ps
	done := total
	if !last {
		done = min(total, int64(count)*c.ps)
	}
	c.opts.Progress(done, total)
}

// A place is where a problem is: a page, the page that names it, its bucket,
// and the keys that the branch above promises for it.
type place struct {
	page   uint64
	from   uint64
	bucket *path
	lo, hi []byte
}

// fault counts a problem and reports it, unless too many were.
func (c *checker) fault(at place, kind string, sev Severity, format string, args ...any) {
	if sev == Error {
		c.res.Errors++
	} else {
		c.res.Oddities++
	}
	if c.muted() {
		return
	}
	c.report(Problem{
		Page: at.page, Kind: kind, Severity: sev,
		Bucket: at.bucket.String(), KeyFrom: encode(at.lo), KeyTo: encode(at.hi),
		Detail: fmt.Sprintf(format, args...),
	})
}

// muted reports whether the last fault was beyond what is reported.
func (c *checker) muted() bool {
	return c.res.Errors+c.res.Oddities > c.opts.MaxProblems
}
