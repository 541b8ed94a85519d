package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// FuzzPages reads any bytes by pages, with a lock and live: it ends, gives out
// no more than the file holds, and says what it could not read. A patch is put
// over a sound file, so that more than the metas is tried.
func FuzzPages(f *testing.F) {
	path := newDB(f, &bolt.Options{PageSize: 1024}, func(tx *bolt.Tx) error {
		if err := many(40, 100)(tx); err != nil {
			return err
		}
		return plain(tx)
	})
	sound := snap(f, path).bytes
	if res, err := CheckPages(path, Options{}, 0, nil); err == nil {
		sound = sound[:res.Pages*1024]
	}
	f.Add(0, []byte{}, len(sound))
	for at := 2048; at < len(sound); at += 1024 {
		f.Add(at+8, []byte{1, 0, 0xff, 0xff}, len(sound))
		f.Add(at+16, bytes.Repeat([]byte{0xff}, 16), len(sound))
		f.Add(at, sound[2048:2080], at+1024)
	}
	f.Fuzz(func(t *testing.T, at int, patch []byte, size int) {
		b := bytes.Clone(sound[:min(max(size, 1), len(sound))])
		if at >= 0 && at < len(b) {
			copy(b[at:], patch)
		}
		path := filepath.Join(t.TempDir(), "a.db")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		errors := 0
		res, err := CheckPages(path, Options{}, 0, func(p page.Problem) {
			if p.Severity == page.Error {
				errors++
			}
		})
		if err != nil {
			return
		}
		for _, live := range []bool{false, true} {
			p, err := OpenPages(path, Options{Live: live})
			if err != nil {
				if res.Errors == 0 {
					t.Fatalf("live %v: %v", live, err)
				}
				continue
			}
			taken := 0
			err = p.Walk(func(it Item) error {
				taken += len(it.Key) + len(it.Value)
				return nil
			}, nil)
			list, _ := p.Problems()
			p.Close()
			if err != nil || taken > len(b) {
				t.Fatalf("live %v: %d bytes of %d, %v", live, taken, len(b), err)
			}
			if res.Errors == 0 && len(list) > 0 {
				t.Fatalf("live %v: the page check found nothing, the walk %v", live, list)
			}
		}
	})
}
