package migrate

import (
	"errors"
	"strconv"
)

// appendable makes sure that the app's next row lands on a free key, its next
// entry on a free one of the index, and the next value of a member that orders
// rows behind all others, whatever it counts by: a sequence, the number of rows,
// or the last.
func (p *placer) appendable(seats []seat) error {
	p.ends.come(p.c, 0)
	more := p.ends.more[p.ends.name(p.c)]
	// An order that conversations share is not counted: what counts rows, counts
	// those of one conversation.
	if x := p.l.index; x != nil && x.form.isNumber() && (x.names() || p.c.listed == len(p.rows)) {
		number := func(s spot) uint64 { n, _ := x.form.number(x.place(s.entry)); return n }
		top, _ := x.form.number(x.place(p.c.lastEntry))
		seq := p.ends.sequence(p.rd, p.c.indexPath())
		if (seq == 0 || seq < top) && p.overwrites(seats, number, top, p.c.listed, 0) {
			return p.wouldOverwrite()
		}
	}
	if p.l.form.isNumber() {
		number := func(s spot) uint64 { n, _ := p.l.form.number(p.l.place(s.key)); return n }
		if _, _, counted := p.counter(); !counted && p.overwrites(seats, number, p.c.max, p.c.rows, more) {
			return p.wouldOverwrite()
		}
	}
	if !p.l.byKey() && p.l.index == nil && p.counts() {
		number := func(s spot) uint64 { n, _ := strconv.ParseUint(string(s.mark), 10, 64); return n }
		if p.overwrites(seats, number, lastMark(p.rows), len(p.rows), 0) {
			return p.wouldOverwrite()
		}
	}
	p.ends.come(p.c, len(seats)-len(p.rows))
	return nil
}

func (p *placer) wouldOverwrite() error {
	return errors.New("the app may count its rows to find the next key, and would write over one if a row in the middle went" + p.hint())
}

// overwrites reports whether an app that counts the messages, or all rows, those
// that others were promised too, would write over one. top is the last number
// that there was.
func (p *placer) overwrites(seats []seat, number func(spot) uint64, top uint64, all, more int) bool {
	last := uint64(0)
	taken := make(map[uint64]bool)
	for _, s := range seats {
		n := number(s.spot)
		last = max(last, n)
		taken[n] = true
	}
	end := top
	for i := range p.rows { // rows of others keep the end where it is
		if n := number(p.spotOf(i)); n == top && !taken[n] {
			end = last
		}
	}
	last = max(last, end)
	for _, by := range []struct{ rows, more int }{{len(p.rows), 0}, {all, more}} {
		before := uint64(by.rows)
		count := uint64(by.rows + by.more + len(seats) - len(p.rows))
		if count > 0 && (before == top+1 && count <= last || before == top && count+1 <= last) {
			return true
		}
	}
	return false
}
