package page

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// sound fails the test if a file is not sound and fully accounted for.
func sound(t *testing.T, m *image) Result {
	t.Helper()
	res, ps := m.check(t)
	if len(ps) > 0 {
		t.Fatalf("%d problems: %v", len(ps), ps)
	}
	if got := res.Reachable + res.Free; got != res.Pages {
		t.Fatalf("%d pages in use and %d free of %d", res.Reachable, res.Free, res.Pages)
	}
	return res
}

func TestHealthy(t *testing.T) {
	for _, ps := range []int{1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16} {
		for _, ft := range []bolt.FreelistType{bolt.FreelistArrayType, bolt.FreelistMapType} {
			for _, noSync := range []bool{false, true} {
				o := bolt.Options{PageSize: ps, FreelistType: ft, NoFreelistSync: noSync}
				t.Run(fmt.Sprintf("%d/%s/nosync=%v", ps, ft, noSync), func(t *testing.T) {
					m := build(t, o, history(int64(ps), 25)...)
					res := sound(t, m)
					if got := res.Metas.Meta[res.Metas.Live].Freelist == NoFreelist; got != noSync {
						t.Errorf("no freelist is stored: %v", got)
					}
					if res.Metas.PageSize != ps {
						t.Errorf("page size %d", res.Metas.PageSize)
					}
				})
			}
		}
	}
}

// history is a run of transactions that grows and shrinks buckets of all
// sorts.
func history(seed int64, n int) []func(*bolt.Tx) error {
	rng := rand.New(rand.NewSource(seed))
	var steps []func(*bolt.Tx) error
	for i := range n {
		steps = append(steps, func(tx *bolt.Tx) error { return change(tx, rng, i) })
	}
	return steps
}

func change(tx *bolt.Tx, rng *rand.Rand, step int) error {
	// A bucket is deleted alone: bbolt 1.5 loses pages if the transaction
	// has changed it before.
	if step%5 == 4 {
		err := tx.DeleteBucket(fmt.Appendf(nil, "b%d", rng.Intn(6)))
		if errors.Is(err, bolterrors.ErrBucketNotFound) {
			return nil
		}
		return err
	}
	for range 3 {
		b, err := tx.CreateBucketIfNotExists(fmt.Appendf(nil, "b%d", rng.Intn(6)))
		if err != nil {
			return err
		}
		b.FillPercent = []float64{0.1, 0.5, 0.9, 1}[rng.Intn(4)]
		for depth := rng.Intn(4); depth > 0; depth-- {
			if b, err = b.CreateBucketIfNotExists(fmt.Appendf(nil, "sub%d", rng.Intn(2))); err != nil {
				return err
			}
		}
		for range rng.Intn(200) {
			if err := changeKey(b, rng, step); err != nil {
				return err
			}
		}
	}
	return nil
}

// changeKey puts a value, seldom a large one, or, every third step more often
// than not, deletes one.
func changeKey(b *bolt.Bucket, rng *rand.Rand, step int) error {
	key := fmt.Appendf(nil, "key-%0*d", 1+rng.Intn(12), rng.Intn(500))
	if rng.Intn(10) < 2+step%3*3 {
		return b.Delete(key)
	}
	size := rng.Intn(200)
	switch rng.Intn(60) {
	case 0:
		size = rng.Intn(40000)
	case 1:
		key = append(key, make([]byte, rng.Intn(3000))...)
	}
	return b.Put(key, make([]byte, size))
}

func TestHealthyShapes(t *testing.T) {
	put := func(n, key, value int) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			for i := 0; i < n && err == nil; i++ {
				err = b.Put(fmt.Appendf(nil, "%0*d", key, i), make([]byte, value))
			}
			return err
		}
	}
	empty := func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte("b")) }
	for name, steps := range map[string][]func(*bolt.Tx) error{
		"new":                    {},
		"one empty bucket":       {put(0, 1, 1)},
		"emptied":                {put(5000, 10, 30), empty},
		"keys of 32768 bytes":    {put(40, 32768, 1)},
		"values of 1 MiB":        {put(5, 8, 1<<20)},
		"values of nothing":      {put(3000, 8, 0)},
		"three levels and more":  {put(20000, 100, 8)},
		"long freelist":          {put(1, 1, 70<<20), empty, put(1, 1, 1)},
		"nested 400 deep":        {nest(400)},
		"ten thousand buckets":   {many(10000, 0)},
		"buckets with own pages": {many(300, 2000)},
	} {
		t.Run(name, func(t *testing.T) {
			m := build(t, bolt.Options{PageSize: 1024}, steps...)
			res := sound(t, m)
			if name == "long freelist" && res.Free < 0xFFFF {
				t.Errorf("only %d pages are free", res.Free)
			}
		})
	}
}

// nest makes buckets inside one another, each with a key beside it.
func nest(depth int) func(*bolt.Tx) error {
	return func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("nest"))
		for i := 0; i < depth && err == nil; i++ {
			if err = b.Put([]byte("key"), []byte("value")); err == nil {
				b, err = b.CreateBucket([]byte("nest"))
			}
		}
		return err
	}
}

// many makes a bucket for each of n conversations, with one value.
func many(n, value int) func(*bolt.Tx) error {
	return func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("conversations"))
		for i := 0; i < n && err == nil; i++ {
			var c *bolt.Bucket
			if c, err = b.CreateBucket(fmt.Appendf(nil, "%06d", i)); err == nil {
				err = c.Put([]byte("0"), make([]byte, value))
			}
		}
		return err
	}
}

// TestCutByHand cuts the counts of three leaves in half, as somebody did by
// hand to save a file of etcd's (etcd-io/etcd#13406): bbolt reads what is left
// and writes on, so this is odd and no error.
func TestCutByHand(t *testing.T) {
	m := sample(t, bolt.Options{PageSize: 4096})
	p := m.parts()
	cut := []uint64{p.first, p.second, p.last}
	for _, id := range cut {
		m.setCount(id, m.count(id)/2)
	}
	res, ps := m.check(t)
	if res.Errors != 0 || res.Oddities != 3 {
		t.Fatalf("%d errors, %d oddities: %v", res.Errors, res.Oddities, ps)
	}
	for i, problem := range ps {
		if problem.Page != cut[i] || problem.Kind != KindGap || problem.Bucket != "chat" {
			t.Errorf("problem %d is %v, want page %d", i, problem, cut[i])
		}
	}
	if err := walkWithBolt(t, m.b); err != nil {
		t.Errorf("bbolt's walk: %v", err)
	}
}
