package page

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// An image is a database file in memory with tools to damage it. It reads the
// format by its own code, on files that are known to be sound.
type image struct {
	b  []byte
	ps int
}

var le = binary.LittleEndian

// build makes a database with bbolt and returns it as an image.
func build(tb testing.TB, o bolt.Options, steps ...func(*bolt.Tx) error) *image {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "build.db")
	o.NoSync, o.NoGrowSync = true, true
	db, err := bolt.Open(path, 0o600, &o)
	if err != nil {
		tb.Fatal(err)
	}
	for _, step := range steps {
		if err := db.Update(step); err != nil {
			tb.Fatal(err)
		}
	}
	ps := db.Info().PageSize
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	// bbolt grows files in steps; the rest would only make the tests slow.
	m := &image{b, ps}
	m.b = b[:int(m.hwm())*ps]
	return m
}

// clone returns a copy to damage.
func (m *image) clone() *image { return &image{bytes.Clone(m.b), m.ps} }

// check runs Check over the image, by one goroutine and by several, which has
// to come to the same.
func (m *image) check(tb testing.TB) (Result, []Problem) {
	tb.Helper()
	res, ps := m.checkBy(tb, 1)
	want := fmt.Sprintf("%+v %+v", res, ps)
	for _, n := range []int{2, 16} {
		split, others := m.checkBy(tb, n)
		if got := fmt.Sprintf("%+v %+v", split, others); got != want {
			tb.Fatalf("%d goroutines find\n%s\none finds\n%s", n, got, want)
		}
	}
	return res, ps
}

func (m *image) checkBy(tb testing.TB, goroutines int) (Result, []Problem) {
	tb.Helper()
	var ps []Problem
	o := Options{split: goroutines}
	res, err := Check(context.Background(), bytes.NewReader(m.b), int64(len(m.b)), o, func(p Problem) { ps = append(ps, p) })
	if err != nil {
		tb.Fatalf("check: %v", err)
	}
	return res, ps
}

// page returns a page and all behind it, so that overflow can be reached.
func (m *image) page(id uint64) []byte { return m.b[int(id)*m.ps:] }

// meta returns the 64 bytes of a meta.
func (m *image) meta(i int) []byte { return m.page(uint64(i))[16:80] }

// live returns the index of the newest meta.
func (m *image) live() int {
	if le.Uint64(m.meta(1)[48:]) > le.Uint64(m.meta(0)[48:]) {
		return 1
	}
	return 0
}

func (m *image) root() uint64     { return le.Uint64(m.meta(m.live())[16:]) }
func (m *image) freelist() uint64 { return le.Uint64(m.meta(m.live())[32:]) }
func (m *image) hwm() uint64      { return le.Uint64(m.meta(m.live())[40:]) }

// setMeta changes a field of a meta, 8 bytes at off, and makes the checksum fit.
func (m *image) setMeta(i, off int, v uint64) {
	le.PutUint64(m.meta(i)[off:], v)
	m.seal(i)
}

// set32 is setMeta for a field of 4 bytes.
func (m *image) set32(i, off int, v uint32) {
	le.PutUint32(m.meta(i)[off:], v)
	m.seal(i)
}

func (m *image) seal(i int) {
	h := fnv.New64a()
	h.Write(m.meta(i)[:56])
	le.PutUint64(m.meta(i)[56:], h.Sum64())
}

func (m *image) flags(id uint64) uint16        { return le.Uint16(m.page(id)[8:]) }
func (m *image) setFlags(id uint64, v uint16)  { le.PutUint16(m.page(id)[8:], v) }
func (m *image) count(id uint64) int           { return int(le.Uint16(m.page(id)[10:])) }
func (m *image) setCount(id uint64, n int)     { le.PutUint16(m.page(id)[10:], uint16(n)) }
func (m *image) over(id uint64) uint32         { return le.Uint32(m.page(id)[12:]) }
func (m *image) setOver(id uint64, n uint32)   { le.PutUint32(m.page(id)[12:], n) }
func (m *image) setID(id, v uint64)            { le.PutUint64(m.page(id), v) }
func (m *image) elem(id uint64, i int) []byte  { return m.page(id)[16+16*i:] }
func (m *image) child(id uint64, i int) uint64 { return le.Uint64(m.elem(id, i)[8:]) }

// key returns the key of an element of a branch or leaf.
func (m *image) key(id uint64, i int) []byte {
	e, pos := m.elem(id, i), 4
	if m.flags(id) == flagBranch {
		pos = 0
	}
	return e[le.Uint32(e[pos:]):][:le.Uint32(e[pos+4:])]
}

// value returns the value of an element of a leaf.
func (m *image) value(id uint64, i int) []byte {
	e := m.elem(id, i)
	return e[le.Uint32(e[4:])+le.Uint32(e[8:]):][:le.Uint32(e[12:])]
}

// find returns the leaf and the index of a key below a root.
func (m *image) find(root uint64, key string) (id uint64, i int) {
	for id = root; ; {
		i = m.count(id) - 1
		for i > 0 && string(m.key(id, i)) > key {
			i--
		}
		if m.flags(id) == flagLeaf {
			if string(m.key(id, i)) != key {
				panic("no key " + key)
			}
			return id, i
		}
		id = m.child(id, i)
	}
}

// bucket returns the root page of a bucket, 0 if it is inline.
func (m *image) bucket(names ...string) uint64 {
	root := m.root()
	for _, name := range names {
		root = le.Uint64(m.value(m.find(root, name)))
	}
	return root
}

// free returns the ids that the freelist holds.
func (m *image) free() []uint64 {
	var ids []uint64
	for i := range m.count(m.freelist()) {
		ids = append(ids, le.Uint64(m.page(m.freelist())[16+8*i:]))
	}
	return ids
}

// setFree rewrites the freelist in place.
func (m *image) setFree(ids ...uint64) {
	m.setCount(m.freelist(), len(ids))
	for i, id := range ids {
		le.PutUint64(m.page(m.freelist())[16+8*i:], id)
	}
}

// unanswered is something for a repair to do.
const unanswered = `[{"role":"assistant","tool_calls":[{"id":"call_a","type":"function","function":{"name":"f","arguments":"{}"}}]}]`

// sample has all there is: branches, leaves with overflow, nested, inline and
// empty buckets, and free pages.
//
//	chat   branch of leaves
//	big    values with overflow
//	outer  a bucket in a bucket (inner), beside plain keys
//	small  inline
//	empty  inline, without keys
func sample(tb testing.TB, o bolt.Options) *image {
	put := func(b *bolt.Bucket, n, size int) error {
		for i := range n {
			if err := b.Put(fmt.Appendf(nil, "k%04d", i), bytes.Repeat([]byte{'v'}, size)); err != nil {
				return err
			}
		}
		return nil
	}
	create := func(tx *bolt.Tx) error {
		for name, b := range map[string]struct{ n, size int }{
			"chat": {300, 100}, "big": {5, 10000}, "outer": {3, 500}, "small": {4, 10}, "empty": {},
		} {
			bkt, err := tx.CreateBucketIfNotExists([]byte(name))
			if err != nil {
				return err
			}
			if err := put(bkt, b.n, b.size); err != nil {
				return err
			}
		}
		inner, err := tx.Bucket([]byte("outer")).CreateBucketIfNotExists([]byte("inner"))
		if err != nil {
			return err
		}
		return put(inner, 60, 200)
	}
	drop := func(tx *bolt.Tx) error {
		for i := range 60 {
			if err := tx.Bucket([]byte("chat")).Delete(fmt.Appendf(nil, "k%04d", i*2)); err != nil {
				return err
			}
		}
		return tx.Bucket([]byte("chat")).Put([]byte("k0001"), []byte(unanswered))
	}
	return build(tb, o, create, drop, drop)
}
