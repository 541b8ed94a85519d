package migrate

import (
	"bytes"
	"errors"
	"slices"

	"boltmend/store"
)

// A spot is where a row stands in its conversation: its key, its entry in the
// index, or the value of the member that orders rows.
type spot struct {
	key   []byte
	entry []byte
	mark  []byte // raw text
}

// A seat is a message of the conversation to be.
type seat struct {
	from int // the row that it comes from, -1 for a new one
	text []byte
	spot spot
	like int // the row that a new one is made like
}

// A placer gives each message of a repaired conversation its spot.
type placer struct {
	l             *layout
	c             *conversation
	rows          []row
	rd            store.Reader
	ends          *ends
	shift         bool
	moves         bool // marks go with their spots
	seq, indexSeq *store.SequenceEdit
	taken         map[string]bool // keys of seats
}

// place finds a spot for each seat. It fails if there is none for a new row, or
// if the app's next row could then land on one that is there.
func (p *placer) place(seats []seat) error {
	if p.l.reason != "" {
		return errors.New(p.l.reason)
	}
	p.keep(seats)
	err := p.fill(seats)
	if err == nil {
		err = p.appendable(seats)
	}
	if err == nil || !p.shift {
		return err
	}
	return p.renumber(seats)
}

func (p *placer) spotOf(i int) spot {
	w := &p.rows[i]
	return spot{key: w.key, entry: w.entry, mark: w.order.raw}
}

// keep seats the rows that stay. Where rows trade places, the first of them
// gets the first of their spots, and so on; the others keep theirs.
func (p *placer) keep(seats []seat) {
	var stay []int // seats of old rows
	for i := range seats {
		if seats[i].from >= 0 {
			stay = append(stay, i)
		}
	}
	old := make([]int, len(stay))
	for k, i := range stay {
		old[k] = seats[i].from
	}
	slices.Sort(old)
	for k, i := range stay {
		seats[i].spot = p.take(seats[i].from, old[k])
	}
}

// take is the spot that row i gets in place of row k. Where the key says no
// more than who a row is, it keeps its own.
func (p *placer) take(i, k int) spot {
	s := p.spotOf(k)
	if !p.l.byKey() {
		s.key = p.rows[i].key
	}
	if !p.moves {
		s.mark = p.rows[i].order.raw
	}
	return s
}

// fill finds spots for the new rows between those of their neighbours.
func (p *placer) fill(seats []seat) error {
	var freed []spot // of rows that go
	gone := make([]bool, len(p.rows))
	for i := range gone {
		gone[i] = true
	}
	for _, s := range seats {
		if s.from >= 0 {
			gone[s.from] = false
		}
	}
	for i := range p.rows {
		if gone[i] {
			freed = append(freed, p.spotOf(i))
		}
	}
	p.taken = make(map[string]bool, len(seats))
	rights := make([]*spot, len(seats)) // the next row that stays
	var right *spot
	for i := len(seats) - 1; i >= 0; i-- {
		if rights[i] = right; seats[i].from >= 0 {
			right = &seats[i].spot
			p.taken[string(right.key)] = true
		}
	}
	for i := range seats {
		if seats[i].from >= 0 {
			continue
		}
		var left *spot
		if i > 0 {
			left = &seats[i-1].spot
		}
		right := rights[i]
		s, err := p.free(left, right, freed, seats, i)
		if err != nil {
			return err
		}
		if p.l.byKey() && len(left.mark) > 0 && s.mark == nil {
			s.mark = left.mark // a time, and no more than that if there is no room
			if m := nextMark(left.mark, limitOf(right)); m != nil {
				s.mark = m
			}
		}
		seats[i].spot = s
		p.taken[string(s.key)] = true
	}
	return nil
}

func limitOf(right *spot) []byte {
	if right == nil {
		return nil
	}
	return right.mark
}

// free finds a free spot between two.
func (p *placer) free(left, right *spot, freed []spot, seats []seat, at int) (spot, error) {
	if left == nil {
		return spot{}, errors.New("there is no row before the new one")
	}
	used := func(key []byte) bool { return p.taken[string(key)] }
	switch {
	case p.l.byKey():
		for _, f := range freed {
			if bytes.Compare(left.key, f.key) < 0 && (right == nil || bytes.Compare(f.key, right.key) < 0) && !used(f.key) {
				return f, nil
			}
		}
		s, err := p.freeKey(left.key, rightKey(right), used)
		if err != nil && p.l.order != "" && right != nil {
			// Its time alone puts it there, behind which key it may be.
			if mark, e := p.freeMark(left, right); e == nil {
				s, err = p.freeKey(p.lastKey(seats), nil, used)
				s.mark = mark
			}
		}
		return s, err
	case p.l.index != nil:
		return p.freeEntry(left, right, seats[:at])
	}
	mark, err := p.freeMark(left, right)
	if err != nil {
		return spot{}, err
	}
	key, err := p.mintKey(left.key, used)
	return spot{key: key, mark: mark}, err
}

// lastKey is the greatest key of the conversation.
func (p *placer) lastKey(seats []seat) (last []byte) {
	for i := range p.rows {
		last = greater(last, p.rows[i].key)
	}
	for i := range seats {
		last = greater(last, seats[i].spot.key)
	}
	return last
}

func greater(a, b []byte) []byte {
	if bytes.Compare(a, b) < 0 {
		return b
	}
	return a
}

func rightKey(s *spot) []byte {
	if s == nil {
		return nil
	}
	return s.key
}
