package page

import (
	"bytes"
	"slices"
)

// Damages inside pages and between them.

func elementDamages(base *image, p parts) []damage {
	leaf := func(i, off int, v uint32) func(*image) {
		return func(m *image) { le.PutUint32(m.elem(p.second, i)[off:], v) }
	}
	branch := func(i, off int, v uint32) func(*image) {
		return func(m *image) { le.PutUint32(m.elem(p.chat, i)[off:], v) }
	}
	child := func(v uint64) func(*image) {
		return func(m *image) { le.PutUint64(m.elem(p.chat, 1)[8:], v) }
	}
	return []damage{
		{"key inside the table", leaf(2, 4, 0), KindElement, Error},
		{"key outside of the page", leaf(2, 4, 5000), KindElement, Error},
		{"key position all ones", leaf(2, 4, 1<<32-1), KindElement, Error},
		{"key of no bytes", leaf(2, 8, 0), KindKeySize, Error},
		{"key of 40000 bytes", leaf(2, 8, 40000), KindKeySize, Error},
		{"key of 2^31 bytes", leaf(2, 8, 1<<31), KindKeySize, Error},
		{"value of 64 MiB", leaf(2, 12, 64<<20), KindElement, Error},
		{"value size all ones", leaf(2, 12, 1<<32-1), KindElement, Error},
		{"value into the next key", leaf(2, 12, 101), KindElement, Error},
		{"value shorter", leaf(2, 12, 99), KindGap, Oddity},
		{"elements on one place", func(m *image) {
			le.PutUint32(m.elem(p.second, 2)[4:], le.Uint32(m.elem(p.second, 1)[4:])-16)
		}, KindElement, Error},
		{"elements backwards", func(m *image) {
			a, b := m.elem(p.second, 1), m.elem(p.second, 2)
			x, y := le.Uint32(a[4:]), le.Uint32(b[4:])
			le.PutUint32(a[4:], y+16)
			le.PutUint32(b[4:], x-16)
		}, KindElement, Error},
		{"unknown element flag", leaf(2, 0, 2), KindElement, Error},
		{"element flags all ones", leaf(2, 0, 1<<32-1), KindElement, Error},
		{"value called a bucket", leaf(2, 0, 1), "", Error},
		{"branch key inside the table", branch(1, 0, 0), KindElement, Error},
		{"branch key outside of the page", branch(1, 0, 1<<30), KindElement, Error},
		{"branch key of no bytes", branch(1, 4, 0), KindKeySize, Error},
		{"branch key shorter", branch(1, 4, 4), "", Error},
		{"child 0", child(0), KindPageBound, Error},
		{"child 1", child(1), KindPageBound, Error},
		{"child at the high water mark", child(base.hwm()), KindPageBound, Error},
		{"child 2^30", child(1 << 30), KindPageBound, Error},
		{"child 2^40", child(1 << 40), KindPageBound, Error},
		{"child all ones", child(^uint64(0)), KindPageBound, Error},
		{"child is its own page", child(p.chat), KindReachedTwo, Error},
		{"child is the root", child(p.root), KindReachedTwo, Error},
		{"child is its sibling", child(p.first), KindReachedTwo, Error},
		{"child is another bucket's leaf", child(p.inner), "", Error},
		{"child is the freelist", child(base.freelist()), KindReachedTwo, Error},
		{"child is a free page", child(p.free), KindReachedFree, Error},
		{"child is an overflow page", child(p.big + 1), "", Error},
	}
}

func treeDamages(base *image, p parts) []damage {
	swap := func(a, b []byte) {
		for i := range a {
			a[i], b[i] = b[i], a[i]
		}
	}
	return []damage{
		{"two keys swapped", func(m *image) { swap(m.key(p.second, 1), m.key(p.second, 2)) }, KindKeyOrder, Error},
		{"two keys equal", func(m *image) { copy(m.key(p.second, 2), m.key(p.second, 1)) }, KindKeyOrder, Error},
		{"first key too small", func(m *image) { m.key(p.second, 0)[0] = 'a' }, KindKeyRange, Error},
		{"last key too great", func(m *image) {
			m.key(p.second, m.count(p.second)-1)[0] = 'z'
		}, KindKeyRange, Error},
		{"first key too great", func(m *image) {
			k := m.key(p.second, 0)
			copy(k, m.key(p.second, 1))
			k[len(k)-1]--
		}, KindSeparator, Error},
		{"two branch keys swapped", func(m *image) { swap(m.key(p.chat, 1), m.key(p.chat, 2)) }, KindKeyOrder, Error},
		{"branch key too great", func(m *image) {
			copy(m.key(p.chat, 1), m.key(p.second, 2))
		}, KindKeyRange, Error},
		{"two children swapped", func(m *image) { swap(m.elem(p.chat, 0)[8:16], m.elem(p.chat, 1)[8:16]) }, KindKeyRange, Error},
		{"two leaves swapped", func(m *image) { swap(m.page(p.first)[:4096], m.page(p.second)[:4096]) }, KindPageID, Error},
		{"two leaves swapped but for their ids", func(m *image) {
			swap(m.page(p.first)[8:4096], m.page(p.second)[8:4096])
		}, KindKeyRange, Error},
		{"leaf over another", func(m *image) { copy(m.page(p.second)[:4096], m.page(p.first)) }, KindPageID, Error},
		{"leaf over another but for the id", func(m *image) {
			copy(m.page(p.second)[8:4096], m.page(p.first)[8:])
		}, KindKeyRange, Error},
		{"leaf over the branch above it but for the id", func(m *image) {
			copy(m.page(p.chat)[8:4096], m.page(p.first)[8:])
		}, KindUnreachable, Oddity},
		{"branch over its leaf but for the id", func(m *image) {
			copy(m.page(p.first)[8:4096], m.page(p.chat)[8:])
		}, KindReachedTwo, Error},
		{"root over a leaf but for the id", func(m *image) {
			copy(m.page(p.second)[8:4096], m.page(p.root)[8:])
		}, "", Error},
		{"torn write: first sector of another leaf", func(m *image) {
			copy(m.page(p.second)[8:512], m.page(p.last)[8:])
		}, "", Error},
		{"torn write: last sectors zero", func(m *image) {
			clear(m.page(p.root)[32:4096])
		}, "", Error},
		{"torn write: table of the page before", func(m *image) {
			copy(m.page(p.chat)[16:64], m.page(p.inner)[16:])
		}, "", Error},
		{"garbage in a leaf's table", func(m *image) {
			for i := range 512 {
				m.page(p.second)[16+i] = byte(i * 7)
			}
		}, "", Error},
		{"older root under the newest meta", func(m *image) {
			m.setMeta(m.live(), 16, le.Uint64(m.meta(1 - m.live())[16:]))
		}, "", Error},
		{"older freelist under the newest meta", func(m *image) {
			m.setMeta(m.live(), 32, le.Uint64(m.meta(1 - m.live())[32:]))
		}, "", Error},
	}
}

func bucketDamages(base *image, p parts) []damage {
	leaf, i := base.find(p.outer, "inner")
	root := func(v uint64) func(*image) {
		return func(m *image) { le.PutUint64(m.value(leaf, i), v) }
	}
	size := func(v uint32) func(*image) {
		return func(m *image) { le.PutUint32(m.elem(leaf, i)[12:], v) }
	}
	inline := func(off int, b ...byte) func(*image) {
		return func(m *image) { copy(m.value(p.root, p.small)[off:], b) }
	}
	return []damage{
		{"bucket is its own page", root(leaf), KindReachedTwo, Error},
		{"bucket is its parent's root", root(p.outer), KindReachedTwo, Error},
		{"bucket is the root", root(p.root), KindReachedTwo, Error},
		{"bucket is another bucket's root", root(p.chat), "", Error},
		{"bucket root 1", root(1), KindPageBound, Error},
		{"bucket root at the high water mark", root(base.hwm()), KindPageBound, Error},
		{"bucket root 2^63", root(1 << 63), KindPageBound, Error},
		{"bucket root 0", root(0), KindBucket, Error},
		{"bucket of 15 bytes", size(15), KindBucket, Error},
		{"bucket of no bytes", size(0), KindBucket, Error},
		{"bucket called a value", func(m *image) { le.PutUint32(m.elem(leaf, i), 0) }, KindUnreachable, Oddity},
		{"bucket of the top level called a value", func(m *image) { le.PutUint32(m.elem(p.root, 0), 0) }, KindBucket, Error},
		{"inline bucket with a root", inline(0, 9), "", Error},
		{"inline bucket with a page id", inline(16, 5), KindBucket, Error},
		{"inline bucket called a branch", inline(24, 1), KindBucket, Error},
		{"inline bucket without flags", inline(24, 0), KindBucket, Error},
		{"inline count 0xFFFF", inline(26, 0xFF, 0xFF), KindPageCount, Error},
		{"inline count too high by one", inline(26, 5), KindElement, Error},
		{"inline count halved", inline(26, 2), KindGap, Oddity},
		{"inline count 0", inline(26, 0), KindGap, Oddity},
		{"inline bucket with overflow", inline(28, 1), KindBucket, Error},
		{"bucket in an inline bucket", inline(32, 1), KindBucket, Error},
		{"inline key outside of the bucket", inline(32+4, 0, 1), KindElement, Error},
		{"inline key of no bytes", inline(32+8, 0), KindKeySize, Error},
		{"inline value of 16 MiB", inline(32+12, 0, 0, 0, 1), KindElement, Error},
		{"inline keys out of order", func(m *image) { m.value(p.root, p.small)[96] = 'z' }, KindKeyOrder, Error},
		{"inline bucket of 31 bytes", func(m *image) { le.PutUint32(m.elem(p.root, p.small)[12:], 31) }, KindBucket, Error},
	}
}

func freelistDamages(base *image, p parts) []damage {
	free, list := base.free(), base.freelist()
	set := func(ids ...uint64) func(*image) { return func(m *image) { m.setFree(ids...) } }
	with := func(id uint64) []uint64 {
		ids := append(slices.Clone(free), id)
		slices.Sort(ids)
		return ids
	}
	n := len(free)
	return []damage{
		{"freelist zeroed", func(m *image) { clear(m.page(list)[:4096]) }, KindPageID, Error},
		{"freelist with another id", func(m *image) { m.setID(list, 3) }, KindPageID, Error},
		{"freelist called a leaf", func(m *image) { m.setFlags(list, 2) }, KindPageType, Error},
		{"freelist and leaf", func(m *image) { m.setFlags(list, 0x12) }, KindPageType, Error},
		{"freelist overflow 1000000", func(m *image) { m.setOver(list, 1e6) }, KindOverflow, Error},
		{"freelist count too high", func(m *image) { m.setCount(list, 511) }, KindFreelist, Error},
		{"freelist count too high by one", func(m *image) { m.setCount(list, n+1) }, KindFreelist, Error},
		{"long freelist of 2^40 pages", func(m *image) {
			m.setCount(list, 0xFFFF)
			le.PutUint64(m.page(list)[16:], 1<<40)
		}, KindFreelist, Error},
		{"long freelist of all ones", func(m *image) {
			m.setCount(list, 0xFFFF)
			le.PutUint64(m.page(list)[16:], ^uint64(0))
		}, KindFreelist, Error},
		{"short freelist called long", func(m *image) { m.setCount(list, 0xFFFF) }, KindFreelist, Error},
		{"freelist too short", set(free[:n-1]...), KindUnreachable, Oddity},
		{"freelist empty", set(), KindUnreachable, Oddity},
		{"freelist holds a leaf in use", set(with(p.second)...), KindReachedFree, Error},
		{"freelist holds the root", set(with(p.root)...), KindReachedFree, Error},
		{"freelist holds an overflow page", set(with(p.big + 1)...), KindReachedFree, Error},
		{"freelist holds itself", set(with(list)...), KindFreelist, Error},
		{"freelist holds a meta", set(with(1)...), KindFreelist, Error},
		{"freelist holds the high water mark", set(with(base.hwm())...), KindFreelist, Error},
		{"freelist holds a page twice", set(with(free[1])...), KindFreelist, Error},
		{"freelist out of order", set(append(slices.Clone(free[1:]), free[0])...), KindFreelist, Error},
		{"freelist lost from the meta", func(m *image) { m.setMeta(m.live(), 32, NoFreelist) }, "", ""},
	}
}

func fileDamages(base *image, p parts) []damage {
	cut := func(n int) func(*image) { return func(m *image) { m.b = m.b[:n] } }
	return []damage{
		{"file of one page", cut(4096), "", Error},
		{"file of a page and a half", cut(6000), "", Error},
		{"file of two pages", cut(8192), KindTruncated, Error},
		{"file cut in half", cut(len(base.b) / 2 / 4096 * 4096), KindTruncated, Error},
		{"file cut inside a leaf's overflow", cut(int(p.big+2) * 4096), KindTruncated, Error},
		{"file cut inside a page", cut(len(base.b) - 100), KindTruncated, Error},
		{"file cut behind its last page in use", func(m *image) {
			m.setMeta(m.live(), 40, m.hwm()+1)
			ids := append(m.free(), m.hwm()-1)
			m.setFree(ids...)
		}, KindTruncated, Error},
		{"file with a piece of a page more", func(m *image) { m.b = append(m.b, 1, 2, 3) }, KindFileSize, Oddity},
		{"beginning of the file lost", func(m *image) { m.b = m.b[4096:] }, "", Error},
		{"file shifted by 512 bytes but for the metas", func(m *image) { copy(m.b[8192+512:], bytes.Clone(m.b[8192:])) }, "", Error},
	}
}

// harmless damage lies where nothing but values is, or nothing at all.
func harmless(p parts) []damage {
	return []damage{
		{"nothing", func(*image) {}, "", ""},
		{"free page zeroed", func(m *image) { clear(m.page(p.free)[:4096]) }, "", ""},
		{"free page of garbage", func(m *image) { copy(m.page(p.free)[:4096], bytes.Repeat([]byte{0xA5}, 4096)) }, "", ""},
		{"value changed", func(m *image) { m.value(p.second, 3)[5] = 0 }, "", ""},
		{"overflow page zeroed", func(m *image) { clear(m.page(p.big + 1)[:4096]) }, "", ""},
		{"file longer by pages", func(m *image) { m.b = append(m.b, make([]byte, 3*4096)...) }, "", ""},
	}
}
