package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"boltmend/store"
)

var errNoKey = errors.New("how the app makes keys is not known, so that none can be made for a new row")

// freeKey finds a free key between two, or behind the last. A number above all
// others would be the app's next one.
func (p *placer) freeKey(left, right []byte, used func([]byte) bool) (spot, error) {
	if right == nil && p.l.form.isNumber() {
		return p.nextKey(left)
	}
	var limit, found []byte
	if right != nil {
		limit = p.l.place(right)
	}
	p.l.form.between(p.l.place(left), limit, "", func(k []byte) bool {
		if n, ok := p.l.form.number(k); ok && n > p.c.max {
			return false
		}
		if key := p.l.keyLike(left, k); !used(key) && p.isFree(key) {
			found = key
		}
		return found == nil
	})
	switch {
	case found == nil && p.l.form == opaque:
		return spot{}, errNoKey
	case found == nil:
		return spot{}, fmt.Errorf("no free key between two rows for one that has to be put in%s", p.hint())
	}
	return spot{key: found}, nil
}

// hint says that other options would help, if they would.
func (p *placer) hint() string {
	counts := p.l.form.isNumber()
	switch {
	case p.l.index != nil:
		counts = p.l.index.form.isNumber()
	case !p.l.byKey():
		counts = p.counts()
	}
	if counts && !p.shift {
		return "; --rows shift renumbers the rows behind it"
	}
	return ""
}

// counts reports whether the member that orders the rows is a whole number.
func (p *placer) counts() bool {
	return p.l.order != "" && !slices.ContainsFunc(p.rows, func(w row) bool {
		_, err := strconv.ParseUint(string(w.order.raw), 10, 64)
		return err != nil
	})
}

// isFree reports whether a key is in nobody's use, nor promised to another
// conversation of this run.
func (p *placer) isFree(key []byte) bool {
	_, taken := p.rd.Get(p.c.bucket.Path, key)
	return !taken && !p.ends.promised(p.c, key)
}

// nextKey is the key that the app would give to its next row, with the
// bucket's sequence raised if that is what it counts by.
func (p *placer) nextKey(left []byte) (spot, error) {
	n := p.ends.last(p.c)
	bucket, seq, counted := p.counter()
	if p.seq != nil {
		seq = p.seq.New
	}
	if counted {
		n = max(n, seq)
	}
	k := p.l.form.key(n+1, p.l.place(left))
	key := p.l.keyLike(left, k)
	if k == nil || n == 1<<64-1 || bytes.Compare(left, key) >= 0 || !p.isFree(key) {
		return spot{}, errors.New("the key behind the last row would not be read behind it")
	}
	p.ends.promise(p.c, key, n+1)
	if counted {
		if p.seq == nil {
			p.seq = &store.SequenceEdit{Bucket: bucket, Old: seq}
		}
		p.seq.New = n + 1
		p.ends.raiseSequence(bucket, n+1)
	}
	return spot{key: key}, nil
}

// counter is the sequence that the app's next key comes from, if it comes from
// one: the bucket's, or that of the bucket around it, if it is as far as the keys
// are.
func (p *placer) counter() (bucket [][]byte, seq uint64, counted bool) {
	bucket = p.c.bucket.Path
	if seq = p.ends.sequence(p.rd, bucket); seq > 0 && seq >= p.c.max {
		return bucket, seq, true
	}
	if len(bucket) > 1 && seq == 0 {
		bucket = bucket[:len(bucket)-1]
		if seq = p.ends.sequence(p.rd, bucket); seq > 0 && seq >= p.c.max {
			return bucket, seq, true
		}
	}
	return nil, 0, false
}

// mintKey makes a key for a row whose place is told by something else.
func (p *placer) mintKey(like []byte, used func([]byte) bool) (key []byte, err error) {
	if p.l.form.isNumber() {
		s, err := p.nextKey(like)
		return s.key, err
	}
	p.l.form.between(p.l.place(like), nil, p.c.ref()+"/"+store.EncodeName(like), func(k []byte) bool {
		k = p.l.keyLike(like, k)
		if used(k) || !p.isFree(k) {
			return true
		}
		key = k
		return false
	})
	if key == nil {
		return nil, errNoKey
	}
	return key, nil
}
