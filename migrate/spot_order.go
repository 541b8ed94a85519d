package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boltmend/store"
)

// freeMark is a value of the ordering member between two, written like them.
func (p *placer) freeMark(left, right *spot) ([]byte, error) {
	var limit []byte
	if right != nil {
		limit = right.mark
	}
	m := nextMark(left.mark, limit)
	if m == nil {
		return nil, fmt.Errorf("no value of %s lies between two rows%s", p.l.order, p.hint())
	}
	return m, nil
}

// nextMark is the next value behind one and before another, nil if there is
// none: the next whole number, or a time later by a nanosecond.
func nextMark(left, limit []byte) []byte {
	if n, err := strconv.ParseInt(string(left), 10, 64); err == nil {
		m, err := strconv.ParseInt(string(limit), 10, 64)
		if limit != nil && (err != nil || n+1 >= m) {
			return nil
		}
		return strconv.AppendInt(nil, n+1, 10)
	}
	from, err := time.Parse(time.RFC3339Nano, strings.Trim(string(left), `"`))
	if err != nil {
		return nil
	}
	next := from.Add(time.Nanosecond)
	if limit != nil {
		to, err := time.Parse(time.RFC3339Nano, strings.Trim(string(limit), `"`))
		if err != nil || !next.Before(to) {
			return nil
		}
	}
	return []byte(`"` + next.Format(time.RFC3339Nano) + `"`)
}

// freeEntry finds a free entry of the index between two, or behind the last,
// and a key for the row.
func (p *placer) freeEntry(left, right *spot, before []seat) (spot, error) {
	used := func(entry []byte) bool {
		for _, s := range before {
			if bytes.Equal(s.spot.entry, entry) {
				return true
			}
		}
		_, taken := p.rd.Get(p.c.indexPath(), entry)
		return taken || p.ends.promised(p.c, p.c.entryName(entry))
	}
	x := p.l.index
	var limit, found []byte
	if right != nil {
		limit = x.place(right.entry)
	} else if seq := p.ends.sequence(p.rd, p.c.indexPath()); seq > 0 {
		if n, ok := x.form.number(x.place(p.c.lastEntry)); ok && seq >= n {
			return p.countedEntry(left, before, seq)
		}
	}
	x.form.between(x.place(left.entry), limit, p.c.ref(), func(k []byte) bool {
		k = x.entryLike(left.entry, k)
		if bytes.Compare(k, p.c.lastEntry) > 0 && right != nil {
			return false
		}
		if !used(k) {
			found = k
		}
		return found == nil
	})
	if found == nil {
		return spot{}, errors.New("no free entry between two of the index" + p.hint())
	}
	p.ends.promise(p.c, p.c.entryName(found), 0)
	key, err := p.mintKey(left.key, func(k []byte) bool { return seated(before, k) })
	return spot{key: key, entry: found}, err
}

// countedEntry is the next entry of an index that the app counts by its bucket's
// sequence, which is raised.
func (p *placer) countedEntry(left *spot, before []seat, seq uint64) (spot, error) {
	if p.indexSeq == nil {
		p.indexSeq = &store.SequenceEdit{Bucket: p.c.indexPath(), Old: seq, New: seq}
	}
	x := p.l.index
	place := x.form.key(p.indexSeq.New+1, x.place(left.entry))
	entry := x.entryLike(left.entry, place)
	if place == nil || bytes.Compare(left.entry, entry) >= 0 {
		return spot{}, errors.New("the entry behind the last of the index would not be read behind it")
	}
	p.indexSeq.New++
	p.ends.raiseSequence(p.c.indexPath(), p.indexSeq.New)
	key, err := p.mintKey(left.key, func(k []byte) bool { return seated(before, k) })
	return spot{key: key, entry: entry}, err
}

// renumber gives the seats the spots of the rows in order, and new ones behind
// them.
func (p *placer) renumber(seats []seat) error {
	if p.l.byKey() && !p.l.form.isNumber() {
		return errors.New("keys of this form cannot be renumbered")
	}
	p.seq, p.indexSeq = nil, nil
	p.ends.forget(p.c)
	for i := range seats {
		s := &seats[i]
		if i < len(p.rows) {
			next := p.spotOf(i)
			if s.from >= 0 {
				next = p.take(s.from, i)
			} else if !p.l.byKey() {
				key, err := p.mintKey(seats[i-1].spot.key, func(k []byte) bool { return seated(seats[:i], k) })
				if err != nil {
					return err
				}
				next.key = key
			}
			s.spot = next
			continue
		}
		if i == 0 {
			return errors.New("there is no row before the new one")
		}
		next, err := p.behind(seats[:i])
		if err != nil {
			return err
		}
		if s.from >= 0 && !p.l.byKey() {
			next.key = p.rows[s.from].key
		}
		if s.from >= 0 && !p.moves {
			next.mark = p.rows[s.from].order.raw
		}
		s.spot = next
	}
	return p.appendable(seats)
}

// behind is a spot behind the last seat.
func (p *placer) behind(seats []seat) (spot, error) {
	last := &seats[len(seats)-1].spot
	switch {
	case p.l.byKey():
		s, err := p.nextKey(last.key)
		if s.mark = nextMark(last.mark, nil); s.mark == nil {
			s.mark = last.mark
		}
		return s, err
	case p.l.index != nil:
		return p.freeEntry(last, nil, seats)
	}
	mark, err := p.freeMark(last, nil)
	if err != nil {
		return spot{}, err
	}
	key, err := p.mintKey(last.key, func(k []byte) bool { return seated(seats, k) })
	return spot{key: key, mark: mark}, err
}

func seated(seats []seat, key []byte) bool {
	for _, s := range seats {
		if bytes.Equal(s.spot.key, key) {
			return true
		}
	}
	return false
}
