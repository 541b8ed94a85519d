package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// faulty fails to read where a disk has a bad sector.
type faulty struct {
	*bytes.Reader
	from, to int64
}

var errDisk = errors.New("input/output error")

func (f faulty) ReadAt(b []byte, off int64) (int, error) {
	if off < f.to && off+int64(len(b)) > f.from {
		n, _ := f.Reader.ReadAt(b[:max(0, f.from-off)], off)
		return n, errDisk
	}
	return f.Reader.ReadAt(b, off)
}

func TestBadSectors(t *testing.T) {
	m := sample(t, bolt.Options{PageSize: 4096})
	res, _ := m.check(t)
	for id := range uint64(len(m.b)) / 4096 {
		for _, off := range []int64{0, 2048} {
			from := int64(id)*4096 + off
			f := faulty{bytes.NewReader(m.b), from, from + 512}
			var ps []Problem
			got, err := Check(context.Background(), f, int64(len(m.b)), Options{}, func(p Problem) { ps = append(ps, p) })
			if id < 2 && off == 0 {
				if !errors.Is(err, errDisk) {
					t.Errorf("bad meta %d: %v", id, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("bad page %d: %v", id, err)
			}
			for _, p := range ps {
				if p.Kind != KindUnreadable && p.Kind != KindUnreachable {
					t.Errorf("bad page %d: %v", id, p)
				}
			}
			if got.Errors > 1 || got.Errors == 0 && got.Reachable != res.Reachable {
				t.Errorf("bad page %d: %+v %v", id, got, ps)
			}
		}
	}
}

// TestTooDeep bounds the open path by little memory and finds that out without
// going on.
func TestTooDeep(t *testing.T) {
	m := build(t, bolt.Options{PageSize: 1024}, nest(400))
	var ps []Problem
	c := &checker{
		ctx: context.Background(), r: bytes.NewReader(m.b), size: int64(len(m.b)),
		opts: Options{MaxProblems: 10}, report: func(p Problem) { ps = append(ps, p) },
	}
	c.res.Metas, _ = ReadMetas(c.r, c.size)
	c.held = maxHeld - 200*frameSize
	if err := c.run(); err != nil || len(ps) == 0 || ps[0].Kind != KindTooDeep || c.res.Errors != 1 {
		t.Errorf("%v %v", ps, err)
	}
}

func TestBitset(t *testing.T) {
	const n = 3*chunkBits + 777
	rng := rand.New(rand.NewSource(1))
	a, b := newBitset(n), newBitset(n)
	in := make([][2]bool, n)
	for range 60 {
		from := uint64(rng.Intn(n))
		to := min(n, from+uint64(rng.Intn(1<<rng.Intn(16))))
		which := rng.Intn(2)
		[]*bitset{&a, &b}[which].add(from, to)
		for i := from; i < to; i++ {
			in[i][which] = true
		}
	}
	// first by hand, from i on.
	next := func(i uint64, ok func([2]bool) bool) uint64 {
		for ; i < n && !ok(in[i]); i++ {
		}
		return i
	}
	for id := uint64(0); id < n; id += uint64(1 + rng.Intn(50)) {
		if a.has(id) != in[id][0] {
			t.Fatalf("has(%d)", id)
		}
		end := min(n, id+uint64(rng.Intn(3*wordBits)))
		want := next(id, func(x [2]bool) bool { return x[0] })
		if got, ok := a.first(id, end); ok != (want < end) || ok && got != want {
			t.Fatalf("first(%d, %d): got %d %v, want %d", id, end, got, ok, want)
		}
		want = next(id, func(x [2]bool) bool { return !x[0] && !x[1] })
		if got, ok := firstMissing(&a, &b, id); ok != (want < n) || ok && got != want {
			t.Fatalf("firstMissing(%d): got %d %v, want %d", id, got, ok, want)
		}
		want = next(id, func(x [2]bool) bool { return x[0] || x[1] })
		if got := firstOf(&a, &b, id); got != want {
			t.Fatalf("firstOf(%d): got %d, want %d", id, got, want)
		}
	}
}

// sparse is a file that claims to be huge and is zeros behind its beginning.
type sparse struct{ *bytes.Reader }

func (s sparse) ReadAt(b []byte, off int64) (int, error) {
	clear(b)
	if off < s.Size() {
		s.Reader.ReadAt(b, off)
	}
	return len(b), nil
}

// TestSparse gives files that claim a great many pages: work and memory must
// not follow the claim.
func TestSparse(t *testing.T) {
	base := sample(t, bolt.Options{PageSize: 4096})
	for _, size := range []int64{1 << 40, 1 << 47, 1 << 62} {
		for _, hwm := range []uint64{base.hwm(), 1 << 28, 1 << 62} {
			for _, long := range []bool{false, true} {
				m := base.clone()
				m.setMeta(m.live(), 40, hwm)
				list := base.freelist()
				if long {
					m.setOver(list, uint32(min(hwm, 1<<28)-list-1))
					m.setCount(list, 0xFFFF)
					le.PutUint64(m.page(list)[16:], 1<<30)
				}
				name := fmt.Sprintf("size %d, mark %d, long %v", size, hwm, long)
				res, err := Check(context.Background(), sparse{bytes.NewReader(m.b)}, size, Options{}, func(Problem) {})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if res.Errors+res.Oddities == 0 && hwm != base.hwm() {
					t.Errorf("%s: nothing found", name)
				}
			}
		}
	}
}
