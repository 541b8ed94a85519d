package page

import (
	"testing"

	bolt "go.etcd.io/bbolt"
)

// Two faults are errors though bbolt reads such a file without complaint, and
// its own check passes them. These tests show what it does on a write, and will
// fail if it learns better.

// TestWhySeparator changes a value on a page whose first key is not the one
// that the branch has for it: the branch gets a second entry for the page, and
// keeps the one that leads to the page just freed.
func TestWhySeparator(t *testing.T) {
	m := sample(t, bolt.Options{PageSize: 4096})
	p := m.parts()
	k := m.key(p.second, 0)
	copy(k, m.key(p.second, 1))
	k[len(k)-1]--
	if err := walkWithBolt(t, m.b); err != nil {
		t.Fatal(err)
	}
	after, err := changeWithBolt(t, m.b, func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("chat")).Put(m.key(p.second, 3), []byte("changed"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if res, ps := (&image{after, m.ps}).check(t); res.Errors == 0 {
		t.Errorf("bbolt wrote it well: %v", ps)
	}
}

// TestWhyOnlyChild deletes from the only leaf of a branch.
func TestWhyOnlyChild(t *testing.T) {
	m := sample(t, bolt.Options{PageSize: 4096})
	p := m.parts()
	m.setCount(p.chat, 1)
	if err := walkWithBolt(t, m.b); err != nil {
		t.Fatal(err)
	}
	_, err := changeWithBolt(t, m.b, func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("chat"))
		for i := range m.count(p.first) - 1 {
			if err := b.Delete(m.key(p.first, i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		t.Error("bbolt wrote it without a panic")
	}
}
