package page

// entry checks a leaf element that is a bucket, or ought to be one, and appends
// its root to the children if it has one. Its name is the key just read.
func (x *scan) entry(e element) {
	size := e.end - e.kend
	own := *x
	own.at = place{page: x.at.page, bucket: &path{x.at.bucket, x.prev}}
	switch {
	case e.flags&^flagIsBucket != 0:
		x.fault(KindElement, Error, "key %s has the flags %#x", encode(x.prev), e.flags)
		return
	case e.flags == 0:
		x.fault(KindBucket, Error, "key %s of the top level is no bucket", encode(x.prev))
		return
	case x.node.inline:
		x.fault(KindBucket, Error, "bucket %s lies in an inline bucket", encode(x.prev))
		return
	case size < bucketSize:
		own.fault(KindBucket, Error, "a bucket of %d bytes", size)
		return
	}
	b, err := x.s.at(e.kend, bucketSize)
	if err != nil {
		own.unreadable(err)
		return
	}
	root := native.Uint64(b)
	if root == 0 {
		own.inlined(e)
		return
	}
	if size != bucketSize {
		own.fault(KindBucket, Oddity, "%d bytes behind the bucket's root", size-bucketSize)
	}
	x.kids.add(root, x.prev)
}

// inlined checks the page that lies in a bucket's value; x.at is the bucket's.
// bbolt never looks at its bounds, and would free the page whose id stands in
// its header.
func (x *scan) inlined(e element) {
	base := e.kend + bucketSize
	in := &x.c.inline
	in.reset(x.s.r, x.s.off+base, e.end-base, nil)
	if have := int64(len(x.s.head)); base < have {
		in.head = x.s.head[base:min(e.end, have)]
	}
	if in.size < headerSize {
		x.fault(KindBucket, Error, "an inline bucket of %d bytes", in.size)
		return
	}
	b, err := in.at(0, headerSize)
	if err != nil {
		x.unreadable(err)
		return
	}
	h := parseHeader(b)
	n := node{inline: true, count: int(h.count)}
	switch {
	case h.flags != flagLeaf:
		x.fault(KindBucket, Error, "an inline bucket with flags %#x", h.flags)
		return
	case h.id != 0 || h.overflow != 0:
		x.fault(KindBucket, Error, "an inline bucket with page id %d and %d overflow pages", h.id, h.overflow)
		return
	case !n.fits(in.size):
		x.fault(KindPageCount, Error, "%d elements do not fit into an inline bucket", n.count)
		return
	}
	inner := scan{c: x.c, s: in, node: n, at: x.at}
	end, ok := inner.run()
	if ok && end != in.size {
		x.fault(KindGap, Oddity, "%d bytes behind the last element of an inline bucket", in.size-end)
	}
	if ok && in.size > x.c.ps/4 {
		x.fault(KindBucket, Oddity, "an inline bucket of %d bytes", in.size)
	}
}
