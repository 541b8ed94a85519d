package page

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// shapes are the files that the benchmark builds: bytes of values, and whether
// the keys come in order or scattered, which leaves neighbouring leaves far
// apart in the file.
var shapes = []struct {
	name      string
	total     int
	value     int
	scattered bool
}{
	{"values10KiB", 256 << 20, 10 << 10, false},
	{"values500B", 64 << 20, 500, false},
	{"rows60B", 32 << 20, 60, true},
}

// BenchmarkCheck checks healthy files and, in the same run and in turns, lets
// bbolt check them; it reports how many times bbolt's time is needed.
func BenchmarkCheck(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "bench.db")
			fill(b, path, s.total, s.value, s.scattered)
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			st, err := f.Stat()
			if err != nil {
				b.Fatal(err)
			}
			var ours, theirs time.Duration
			b.SetBytes(st.Size())
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				res, err := Check(context.Background(), f, st.Size(), Options{}, func(p Problem) { b.Error(p) })
				ours += time.Since(start)
				if err != nil || res.Errors+res.Oddities > 0 {
					b.Fatal(res, err)
				}
				b.StopTimer()
				start = time.Now()
				boltCheck(b, path)
				theirs += time.Since(start)
				b.StartTimer()
			}
			b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-of-bbolt")
			b.ReportMetric(theirs.Seconds()/float64(b.N), "s/bbolt")
		})
	}
}

// boltCheck opens a file and runs bbolt's own check, which has to be drained.
func boltCheck(tb testing.TB, path string) {
	tb.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		var first error
		for err := range tx.Check() {
			if first == nil {
				first = err
			}
		}
		return first
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// fill builds a database with one bucket of values of one size.
func fill(tb testing.TB, path string, total, value int, scattered bool) {
	tb.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true, NoGrowSync: true, FreelistType: bolt.FreelistMapType})
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	rng := rand.New(rand.NewSource(1))
	n := total / value
	keys := make([]int, n)
	for i := range keys {
		keys[i] = i
	}
	if scattered {
		rng.Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	v := make([]byte, value)
	rng.Read(v)
	for batch := max(1, (8<<20)/value); len(keys) > 0; keys = keys[min(batch, len(keys)):] {
		err := db.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("chathist"))
			if err != nil {
				return err
			}
			for _, k := range keys[:min(batch, len(keys))] {
				if err := b.Put(fmt.Appendf(nil, "%019d", 1761100000000000000+int64(k)), v); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}
