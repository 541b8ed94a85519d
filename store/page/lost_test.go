package page

import (
	"bytes"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestLostAndTornWrites takes a file before and after a transaction, and for
// each page that the transaction wrote gives it back its old content, whole or
// from some sector on, as a disk does that lies about what it has synced.
func TestLostAndTornWrites(t *testing.T) {
	const sector = 512
	for seed := range int64(3) {
		ps := 1024 << seed
		old := build(t, bolt.Options{PageSize: ps}, history(seed, 9)...)
		now := &image{oneMore(t, old.b, seed), ps}
		old.b = append(old.b, make([]byte, max(0, len(now.b)-len(old.b)))...)
		sound(t, now)
		found, missed, written := 0, 0, 0
		for at := 2 * ps; at < len(now.b); at += ps {
			if bytes.Equal(old.b[at:at+ps], now.b[at:at+ps]) {
				continue
			}
			written++
			for off := 0; off < ps; off += sector {
				m := now.clone()
				copy(m.b[at+off:at+ps], old.b[at+off:])
				if bytes.Equal(m.b, now.b) {
					continue
				}
				if res := survive(t, written, m); res.Errors+res.Oddities > 0 {
					found++
				} else {
					missed++
				}
			}
		}
		t.Logf("page size %d: %d pages written; losses found: %d, in values or not seen: %d", ps, written, found, missed)
		if found < 9*missed {
			t.Errorf("page size %d: %d losses found, %d missed", ps, found, missed)
		}
	}
}

// oneMore runs a transaction on a file that changes keys of two buckets.
func oneMore(t *testing.T, b []byte, seed int64) []byte {
	t.Helper()
	after, err := changeWithBolt(t, b, history(seed+100, 1)...)
	if err != nil {
		t.Fatal(err)
	}
	return after[:len(after)/1024*1024]
}
