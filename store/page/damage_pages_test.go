package page

import "slices"

// Damages to metas and to whole pages.

func metaDamages(base *image, p parts) []damage {
	live := base.live()
	older := 1 - live
	seal := func(off int, v uint64) func(*image) { return func(m *image) { m.setMeta(live, off, v) } }
	both := func(off int, v uint32) func(*image) {
		return func(m *image) { m.set32(0, off, v); m.set32(1, off, v) }
	}
	return []damage{
		{"newest meta torn", func(m *image) { m.meta(live)[20]++ }, KindMeta, Oddity},
		{"older meta torn", func(m *image) { m.meta(older)[41]++ }, KindMeta, Oddity},
		{"newest meta zeroed", func(m *image) { clear(m.page(uint64(live))[:4096]) }, KindMeta, Oddity},
		{"older meta zeroed", func(m *image) { clear(m.page(uint64(older))[:4096]) }, KindMeta, Oddity},
		{"newest meta without magic", func(m *image) { m.set32(live, 0, 1) }, KindMeta, Oddity},
		{"newest meta of version 1", func(m *image) { m.set32(live, 4, 1) }, KindMeta, Oddity},
		{"both metas torn", func(m *image) { m.meta(0)[20]++; m.meta(1)[20]++ }, KindMeta, Error},
		{"both metas of version 3", both(4, 3), KindMeta, Error},
		{"one meta zeroed, one torn", func(m *image) { clear(m.meta(0)); m.meta(1)[20]++ }, KindMeta, Error},
		{"page size 0 in meta 0", func(m *image) { m.set32(0, 8, 0) }, KindMeta, Error},
		{"page size 8192 in meta 0", func(m *image) { m.set32(0, 8, 8192) }, "", Error},
		{"page size 8192 in meta 1", func(m *image) { m.set32(1, 8, 8192) }, KindMeta, Error},
		{"page size 1024 in both metas", both(8, 1024), "", Error},
		{"page size 4097 in both metas", both(8, 4097), KindMeta, Error},
		{"flags in the newest meta", func(m *image) { m.set32(live, 12, 4) }, KindMeta, Error},
		{"newest meta page with another id", func(m *image) { m.setID(uint64(live), 7) }, KindMeta, Error},
		{"newest meta page called a leaf", func(m *image) { m.setFlags(uint64(live), 2) }, KindMeta, Error},
		{"older meta page with another id", func(m *image) { m.setID(uint64(older), 7) }, KindMeta, Oddity},
		{"root 0", seal(16, 0), KindPageBound, Error},
		{"root 1", seal(16, 1), KindPageBound, Error},
		{"root at the high water mark", seal(16, base.hwm()), KindPageBound, Error},
		{"root 2^40", seal(16, 1<<40), KindPageBound, Error},
		{"root all ones", seal(16, ^uint64(0)), KindPageBound, Error},
		{"root is the freelist", seal(16, base.freelist()), KindReachedTwo, Error},
		{"root is a leaf of values", seal(16, p.first), KindBucket, Error},
		{"root is a bucket's branch", seal(16, p.chat), KindBucket, Error},
		{"root is a free page", seal(16, p.free), KindReachedFree, Error},
		{"high water mark 0", seal(40, 0), KindMeta, Error},
		{"high water mark 3", seal(40, 3), "", Error},
		{"high water mark one too low", seal(40, base.hwm()-1), "", Error},
		{"high water mark one too high", func(m *image) {
			m.b = append(m.b, make([]byte, 4096)...)
			m.setMeta(live, 40, m.hwm()+1)
		}, KindUnreachable, Oddity},
		{"high water mark behind the end", seal(40, base.hwm()+1), KindTruncated, Error},
		{"high water mark all ones", seal(40, ^uint64(0)), KindTruncated, Error},
		{"freelist page 0", seal(32, 0), KindPageBound, Error},
		{"freelist page at the high water mark", seal(32, base.hwm()), KindPageBound, Error},
		{"freelist page 2^50", seal(32, 1<<50), KindPageBound, Error},
		{"freelist page is a leaf", seal(32, p.first), KindPageType, Error},
	}
}

func pageDamages(p parts) []damage {
	at := func(id uint64, do func(*image, uint64)) func(*image) { return func(m *image) { do(m, id) } }
	zero := func(m *image, id uint64) { clear(m.page(id)[:4096]) }
	flags := func(v uint16) func(*image, uint64) { return func(m *image, id uint64) { m.setFlags(id, v) } }
	count := func(n int) func(*image, uint64) { return func(m *image, id uint64) { m.setCount(id, n) } }
	half := func(m *image, id uint64) { m.setCount(id, m.count(id)/2) }
	over := func(n uint32) func(*image, uint64) { return func(m *image, id uint64) { m.setOver(id, n) } }
	return []damage{
		{"root zeroed", at(p.root, zero), KindPageID, Error},
		{"branch zeroed", at(p.chat, zero), KindPageID, Error},
		{"leaf zeroed", at(p.second, zero), KindPageID, Error},
		{"leaf with overflow zeroed", at(p.big, zero), KindPageID, Error},
		{"leaf with another id", func(m *image) { m.setID(p.second, p.first) }, KindPageID, Error},
		{"leaf without flags", at(p.first, flags(0)), KindPageType, Error},
		{"leaf and branch", at(p.first, flags(3)), KindPageType, Error},
		{"leaf called a meta", at(p.first, flags(4)), KindPageType, Error},
		{"leaf called a freelist", at(p.first, flags(0x10)), KindPageType, Error},
		{"leaf with a flag more", at(p.first, flags(0x22)), KindPageType, Error},
		{"leaf called a branch", at(p.second, flags(1)), "", Error},
		{"branch called a leaf", at(p.chat, flags(2)), "", Error},
		{"leaf count 0xFFFF", at(p.first, count(0xFFFF)), KindPageCount, Error},
		{"leaf count 0xFFFE", at(p.first, count(0xFFFE)), KindPageCount, Error},
		{"leaf count too high by one", func(m *image) { m.setCount(p.first, m.count(p.first)+1) }, KindElement, Error},
		{"leaf count halved", at(p.first, half), KindGap, Oddity},
		{"leaf count 0", at(p.first, count(0)), KindPageCount, Error},
		{"root count halved", at(p.root, half), KindGap, Oddity},
		{"branch count 0", at(p.chat, count(0)), KindPageCount, Error},
		{"branch count 1", at(p.chat, count(1)), KindPageCount, Error},
		{"branch count 0xFFFF", at(p.chat, count(0xFFFF)), KindPageCount, Error},
		{"branch count too high by one", func(m *image) { m.setCount(p.chat, m.count(p.chat)+1) }, KindElement, Error},
		{"branch count halved", at(p.chat, half), KindUnreachable, Oddity},
		{"overflow 1000000", at(p.first, over(1e6)), KindOverflow, Error},
		{"overflow all ones", at(p.first, over(1<<32-1)), KindOverflow, Error},
		{"branch overflow 1000000", at(p.chat, over(1e6)), KindOverflow, Error},
		{"overflow over a page in use", func(m *image) { m.setOver(p.chat, uint32(m.hwm()-1-p.chat)) }, "", Error},
		{"overflow over a free page", func(m *image) { m.setOver(p.edge, 1) }, KindReachedFree, Error},
		{"overflow over a page that nothing uses", func(m *image) {
			m.setOver(p.edge, 1)
			m.setFree(slices.DeleteFunc(m.free(), func(id uint64) bool { return id == p.edge+1 })...)
		}, KindOverflow, Oddity},
		{"overflow lost", at(p.big, over(0)), KindElement, Error},
		{"overflow one too short", func(m *image) { m.setOver(p.big, m.over(p.big)-1) }, KindElement, Error},
		{"bytes behind the last value", func(m *image) { m.page(p.first)[4095] = 1 }, KindSlack, Oddity},
	}
}
