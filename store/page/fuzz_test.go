package page

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// FuzzCheck gives Check files that are mostly a database. Each must be done
// with soon and without a panic; where there is no error bbolt must be able to
// read the file. The metas are sealed first: a fuzzer never guesses a checksum.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(nil), true)
	f.Add(build(f, bolt.Options{PageSize: 1024, NoFreelistSync: true}, tiny).b, true)
	m := build(f, bolt.Options{PageSize: 1024}, tiny, retouch)
	f.Add(m.b, false)
	p := m.parts()
	for _, some := range [][]damage{metaDamages(m, p), pageDamages(p), bucketDamages(m, p), freelistDamages(m, p)} {
		for _, d := range some {
			damaged := m.clone()
			if guarded(func() error { d.do(damaged); return nil }) == nil {
				f.Add(damaged.b, d.kind != KindMeta)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		m := &image{b, 1024}
		if seal && len(b) >= 2*m.ps {
			m = m.clone()
			m.seal(0)
			m.seal(1)
		}
		start := time.Now()
		errors := 0
		_, err := Check(t.Context(), bytes.NewReader(m.b), int64(len(m.b)), Options{}, func(p Problem) {
			if p.Severity == Error {
				errors++
			}
			_ = p.String()
		})
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("took %v", d)
		}
		if err != nil || errors > 0 || len(m.b) < 4096 {
			return
		}
		if err := walkWithBolt(t, m.b); err != nil {
			t.Errorf("bbolt's walk: %v", err)
		}
	})
}

// tiny is the sample in as few pages as can be, so that a fuzzer finds its way.
func tiny(tx *bolt.Tx) error {
	for name, b := range map[string]struct{ n, size int }{
		"chat": {24, 60}, "big": {3, 1500}, "outer": {2, 200}, "small": {2, 10}, "empty": {},
	} {
		bkt, err := tx.CreateBucket([]byte(name))
		if err != nil {
			return err
		}
		for i := range b.n {
			if err := bkt.Put(fmt.Appendf(nil, "k%d", i), make([]byte, b.size)); err != nil {
				return err
			}
		}
	}
	inner, err := tx.Bucket([]byte("outer")).CreateBucket([]byte("inner"))
	if err != nil {
		return err
	}
	return inner.Put([]byte("k"), make([]byte, 300))
}

// retouch changes what tiny made, so that pages are free.
func retouch(tx *bolt.Tx) error {
	return tx.Bucket([]byte("chat")).Put([]byte("k1"), make([]byte, 61))
}
