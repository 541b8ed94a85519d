package page

import "math/bits"

const (
	wordBits   = 64
	chunkWords = 512
	chunkBits  = chunkWords * wordBits
)

// A bitset holds page ids. It grows in chunks where it is touched: a sparse
// file may claim far more pages than it has.
type bitset struct {
	chunks []*[chunkWords]uint64
	n      uint64
}

func newBitset(n uint64) bitset {
	return bitset{chunks: make([]*[chunkWords]uint64, (n+chunkBits-1)/chunkBits), n: n}
}

// word returns the 64 bits from id on, id being a multiple of 64.
func (b *bitset) word(id uint64) uint64 {
	c := b.chunks[id/chunkBits]
	if c == nil {
		return 0
	}
	return c[id%chunkBits/wordBits]
}

// has reports whether id, below n, is in the set.
func (b *bitset) has(id uint64) bool {
	return b.word(id&^(wordBits-1))>>(id%wordBits)&1 != 0
}

// first returns the first member from id on and below end.
func (b *bitset) first(id, end uint64) (uint64, bool) {
	for id < end {
		w := b.word(id&^(wordBits-1)) >> (id % wordBits)
		if w != 0 {
			id += uint64(bits.TrailingZeros64(w))
			return id, id < end
		}
		id = id&^(wordBits-1) + wordBits
	}
	return 0, false
}

// add puts all ids from id on and below end, which is at most n, into the set.
func (b *bitset) add(id, end uint64) {
	for id < end {
		c := &b.chunks[id/chunkBits]
		if *c == nil {
			*c = new([chunkWords]uint64)
		}
		next := min(id&^(wordBits-1)+wordBits, end)
		mask := ^uint64(0) >> (wordBits - (next - id)) << (id % wordBits)
		(*c)[id%chunkBits/wordBits] |= mask
		id = next
	}
}

// clone returns a copy of the set.
func (b *bitset) clone() bitset {
	c := newBitset(b.n)
	for i, chunk := range b.chunks {
		if chunk != nil {
			words := *chunk
			c.chunks[i] = &words
		}
	}
	return c
}

// unite adds a set of the same size. It reports false if both have a member in
// common.
func (b *bitset) unite(o *bitset) bool {
	for i, chunk := range o.chunks {
		switch {
		case chunk == nil:
			continue
		case b.chunks[i] == nil:
			b.chunks[i] = new([chunkWords]uint64)
		}
		for k, w := range chunk {
			if b.chunks[i][k]&w != 0 {
				return false
			}
			b.chunks[i][k] |= w
		}
	}
	return true
}

// firstMissing returns the first id from id on that is below n and in neither
// set; both are of the same size.
func firstMissing(a, b *bitset, id uint64) (uint64, bool) {
	for id < a.n {
		base := id &^ (wordBits - 1)
		if w := ^(a.word(base) | b.word(base)) >> (id % wordBits); w != 0 {
			id += uint64(bits.TrailingZeros64(w))
			return id, id < a.n
		}
		id = base + wordBits
	}
	return 0, false
}

// firstOf returns the first id from id on that is in one of both sets, else n.
func firstOf(a, b *bitset, id uint64) uint64 {
	for id < a.n {
		if id%chunkBits == 0 && a.chunks[id/chunkBits] == nil && b.chunks[id/chunkBits] == nil {
			id += chunkBits
			continue
		}
		base := id &^ (wordBits - 1)
		if w := (a.word(base) | b.word(base)) >> (id % wordBits); w != 0 {
			return min(id+uint64(bits.TrailingZeros64(w)), a.n)
		}
		id = base + wordBits
	}
	return a.n
}
