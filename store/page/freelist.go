package page

import "fmt"

// freelist reads the list of free pages, before the tree, so that the walk
// meets those that are in use all the same.
func (c *checker) freelist(id uint64) (err error) {
	if id == NoFreelist {
		return nil
	}
	at := place{page: id, from: uint64(c.res.Metas.Live)}
	h, ok := c.open(at, flagFreelist)
	if !ok {
		return nil
	}
	first, count := int64(headerSize), uint64(h.count)
	if count == 0xFFFF {
		b, err := c.node.at(headerSize, 8)
		if err != nil {
			c.fault(at, KindUnreadable, Error, "%v", err)
			return nil
		}
		first, count = first+8, native.Uint64(b)
		if count < 0xFFFF {
			c.fault(at, KindFreelist, Error, "a long list of only %d pages", count)
			return nil
		}
	}
	if count > uint64(c.node.size-first)/8 {
		c.fault(at, KindFreelist, Error, "%d pages do not fit into the list", count)
		return nil
	}
	c.listed, err = c.list(at, first, int64(count))
	return err
}

// list reads count ids that lie from first on inside c.node. It reports the
// first of each fault, and stops at an id that cannot be, since a hole in the
// file would be full of them; then the list is not whole.
func (c *checker) list(at place, first, count int64) (whole bool, err error) {
	const piece = 512 // ids at a time: 4 KiB
	prev, twice, unsorted, inUse := uint64(0), false, false, false
	for i := int64(0); i < count; i += piece {
		if err := c.ctx.Err(); err != nil {
			return false, err
		}
		b, err := c.node.at(first+8*i, 8*min(piece, count-i))
		if err != nil {
			c.fault(at, KindUnreadable, Error, "%v", err)
			return false, nil
		}
		for ; len(b) > 0; b = b[8:] {
			id := native.Uint64(b)
			what := ""
			switch {
			case id < 2 || id >= c.hwm:
				c.fault(at, KindFreelist, Error, "page %d cannot be free", id)
				return false, nil
			case id >= c.free.n:
				// Behind the end of a cut file, which is reported.
				c.res.Free++
				continue
			case c.free.has(id) && !twice:
				twice, what = true, "is listed twice"
			case c.used.has(id) && !inUse:
				inUse, what = true, "holds the list itself"
			case id <= prev && !unsorted:
				unsorted, what = true, fmt.Sprintf("is listed behind page %d", prev)
			}
			if what != "" {
				c.fault(at, KindFreelist, Error, "page %d %s", id, what)
			}
			if prev = id; !c.free.has(id) {
				c.free.add(id, id+1)
				c.res.Free++
				c.done++
			}
		}
	}
	return true, nil
}
