package page

// open reads the page at, checks its header and its run, marks the run as used
// and leaves it in c.node. want is a set of flags, of which the page must have
// exactly one. It reports what is wrong; not ok means that there is nothing to
// scan.
func (c *checker) open(at place, want uint16) (h header, ok bool) {
	id := at.page
	switch {
	case id < 2:
		c.fault(at, KindPageBound, Error, "page %d names a meta as its child", at.from)
		return h, false
	case id >= c.hwm:
		c.fault(at, KindPageBound, Error, "page %d names it, but the high water mark is %d", at.from, c.hwm)
		return h, false
	case id >= c.have:
		c.fault(at, KindTruncated, Error, "page %d names it, but the file ends before it", at.from)
		return h, false
	case c.used.has(id):
		c.twice(at, id)
		return h, false
	}
	head, err := c.win.read(int64(id)*c.ps, c.ps)
	if err != nil {
		c.mark(at, 1)
		c.fault(at, KindUnreadable, Error, "%v", err)
		return h, false
	}
	h = parseHeader(head)
	switch run := uint64(h.overflow) + 1; {
	case h.id != id:
		c.mark(at, 1)
		c.fault(at, KindPageID, Error, "its header says page %d; page %d names it", h.id, at.from)
	case h.flags&want == 0 || h.flags&(h.flags-1) != 0:
		c.mark(at, 1)
		c.fault(at, KindPageType, Error, "flags %#x where page %d wants %s", h.flags, at.from, typeName(want))
	case id+run > c.hwm:
		c.mark(at, 1)
		c.fault(at, KindOverflow, Error, "%d overflow pages pass the high water mark %d", h.overflow, c.hwm)
	case id+run > c.have:
		c.mark(at, 1)
		c.fault(at, KindTruncated, Error, "the file ends inside its %d overflow pages", h.overflow)
	default:
		ok = c.mark(at, run)
		c.node.reset(c.r, int64(id)*c.ps, int64(run)*c.ps, head)
	}
	return h, ok
}

// mark puts a run into the set of used pages. It reports pages that are used
// already, in which case the content is not to be scanned, since the work would
// no longer be bounded by the file, and pages that the freelist holds.
func (c *checker) mark(at place, run uint64) bool {
	end := at.page + run
	if id, ok := c.free.first(at.page, end); ok {
		c.fault(at, KindReachedFree, Error, "page %d of it is in the freelist", id)
	}
	id, two := c.used.first(at.page, end)
	if two {
		c.twice(at, id)
		end = id
	}
	c.used.add(at.page, end)
	c.res.Reachable += end - at.page
	c.done += end - at.page
	return !two
}

// twice reports a page that something else uses.
func (c *checker) twice(at place, id uint64) {
	switch {
	case id != at.page:
		c.fault(at, KindReachedTwo, Error, "page %d of its run is in use elsewhere; page %d names it", id, at.from)
	case !c.muted() && c.onPath(id):
		c.fault(at, KindReachedTwo, Error, "page %d names it, and lies below it", at.from)
	default:
		c.fault(at, KindReachedTwo, Error, "page %d names it, but it is in use elsewhere", at.from)
	}
}

// typeName names a set of flags.
func typeName(flags uint16) string {
	if flags == flagFreelist {
		return "a freelist"
	}
	return "a branch or leaf"
}
