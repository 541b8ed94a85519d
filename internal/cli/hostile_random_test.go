package cli

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/internal/hostile"
)

// make makes the database.
func (m *model) make() {
	o := &bbolt.Options{
		Timeout: time.Second, NoSync: true,
		PageSize:       []int{1024, 4096, 4096, 65536}[m.r.IntN(4)],
		NoFreelistSync: m.r.IntN(4) == 0,
	}
	db, err := bbolt.Open(m.path, 0o600, o)
	if err != nil {
		m.Fatal(err)
	}
	for range 1 + m.r.IntN(4) { // deletes leave free pages behind
		err = db.Update(func(tx *bbolt.Tx) error {
			for range 1 + m.r.IntN(3) {
				b, err := tx.CreateBucketIfNotExists(m.name())
				if err != nil {
					return err
				}
				if err := m.fill(b, 0); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			m.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		m.Fatal(err)
	}
	m.before, m.seqs = m.values(m.path)
}

// fill puts values and buckets into a bucket, and takes some out.
func (m *model) fill(b *bbolt.Bucket, depth int) error {
	if err := b.SetSequence(m.r.Uint64N(100)); err != nil {
		return err
	}
	for range m.r.IntN(7) {
		key := m.name()
		if k, v := b.Cursor().Seek(key); k != nil && v == nil && bytes.Equal(k, key) {
			continue // a bucket
		}
		if err := b.Put(key, m.value(m.r.Uint64())); err != nil {
			return err
		}
		if m.r.IntN(6) == 0 {
			if err := b.Delete(key); err != nil {
				return err
			}
		}
	}
	for range m.r.IntN(3) {
		if depth > 2 {
			break
		}
		name := append([]byte("b"), m.name()...)
		if b.Get(name) != nil {
			continue
		}
		nested, err := b.CreateBucketIfNotExists(name)
		if err != nil {
			return err
		}
		if err := m.fill(nested, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// name is a key or a bucket's name, of any bytes.
func (m *model) name() []byte {
	switch m.r.IntN(5) {
	case 0:
		return []byte{byte(m.r.IntN(256)), byte(m.r.IntN(256)), '/'}
	case 1:
		return []byte(strings.Repeat("k", 1+m.r.IntN(300)))
	}
	return []byte("name" + strconv.Itoa(m.r.IntN(30)))
}

// value is a history, several, or none.
func (m *model) value(seed uint64) []byte {
	names := strings.Split(*modelOf, ",")
	g := hostile.New(seed, names[m.r.IntN(len(names))])
	one := func() string {
		if m.r.IntN(3) == 0 {
			return string(g.Healthy())
		}
		return string(g.Hostile())
	}
	switch m.r.IntN(12) {
	case 0:
		return fmt.Appendf(nil, `{"id":%d, "messages" : %s,"log":[{"role":"user","text":"x"}],"n":12345678901234567890}`, seed, one())
	case 1:
		return fmt.Appendf(nil, `{"a":%s,"b/~":{"c":%s},"d":[%s, %s]}`, one(), one(), one(), one())
	case 2:
		return []byte("  " + one() + "\n\n")
	case 3:
		h := one()
		return []byte(h[:m.r.IntN(len(h)+1)])
	case 4:
		b := make([]byte, m.r.IntN(5000))
		for i := range b {
			b[i] = byte(m.r.IntN(256))
		}
		return b
	case 5:
		return []byte(strings.Repeat("plain text ", m.r.IntN(2000)))
	case 6:
		return []byte(`{"users":[{"role":"user","name":"al"},{"role":"admin","name":"bo"}],"tool_calls":3}`)
	}
	return []byte(one())
}
