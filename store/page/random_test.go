package page

import (
	"bytes"
	"flag"
	"math/rand"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// A vandal does one random damage to an image.
type vandal struct {
	name string
	do   func(*image, *rand.Rand)
}

var vandals = []vandal{
	{"bit flipped", func(m *image, rng *rand.Rand) {
		m.b[rng.Intn(len(m.b))] ^= 1 << rng.Intn(8)
	}},
	{"bit flipped in the head of a page", func(m *image, rng *rand.Rand) {
		m.some(rng)[rng.Intn(256)] ^= 1 << rng.Intn(8)
	}},
	{"header field changed", func(m *image, rng *rand.Rand) {
		p := m.some(rng)
		switch rng.Intn(3) {
		case 0:
			le.PutUint16(p[8:], uint16(rng.Intn(32)))
		case 1:
			le.PutUint16(p[10:], uint16(int(le.Uint16(p[10:]))+rng.Intn(7)-3))
		default:
			le.PutUint32(p[12:], uint32(rng.Intn(4)))
		}
	}},
	{"number in the table changed", func(m *image, rng *rand.Rand) {
		p := m.some(rng)[16+4*rng.Intn(60):]
		le.PutUint32(p, []uint32{0, 1, le.Uint32(p) + 1, le.Uint32(p) - 1, rng.Uint32(), 1<<32 - 1, uint32(m.hwm())}[rng.Intn(7)])
	}},
	{"page zeroed", func(m *image, rng *rand.Rand) { clear(m.some(rng)) }},
	{"page over another", func(m *image, rng *rand.Rand) { copy(m.some(rng), m.some(rng)) }},
	{"page over another but for the id", func(m *image, rng *rand.Rand) {
		copy(m.some(rng)[8:], m.some(rng)[8:])
	}},
	{"pages swapped but for their ids", func(m *image, rng *rand.Rand) {
		a, b := m.some(rng), m.some(rng)
		for i := 8; i < m.ps; i++ {
			a[i], b[i] = b[i], a[i]
		}
	}},
	{"sector of garbage", func(m *image, rng *rand.Rand) {
		rng.Read(m.b[rng.Intn(len(m.b)/512)*512:][:512])
	}},
	{"sector of another page", func(m *image, rng *rand.Rand) {
		off := rng.Intn(m.ps/512) * 512
		copy(m.some(rng)[off:], m.some(rng)[off:off+512])
	}},
	{"meta changed", func(m *image, rng *rand.Rand) {
		off := []int{16, 32, 40}[rng.Intn(3)]
		m.setMeta(m.live(), off, uint64(rng.Intn(int(m.hwm())+3)))
	}},
	{"file cut", func(m *image, rng *rand.Rand) {
		m.b = m.b[:rng.Intn(len(m.b))]
	}},
}

// some returns a random page, its own bytes only.
func (m *image) some(rng *rand.Rand) []byte {
	return m.page(uint64(rng.Intn(len(m.b) / m.ps)))[:m.ps]
}

var trials = flag.Int("trials", 100, "how many times each kind of random damage is done to each file")

// TestRandomDamage damages files at random. Check must end soon and never
// panic, and where it finds no error, bbolt must be able to read the file and
// to write to it, and Check must find no error after that.
func TestRandomDamage(t *testing.T) {
	bases := []*image{
		sample(t, bolt.Options{PageSize: 1024}),
		sample(t, bolt.Options{PageSize: 4096, FreelistType: bolt.FreelistMapType}),
		sample(t, bolt.Options{PageSize: 1024, NoFreelistSync: true}),
	}
	for _, v := range vandals {
		t.Run(v.name, func(t *testing.T) {
			found, odd, sound := 0, 0, 0
			for i := range *trials * len(bases) {
				rng := rand.New(rand.NewSource(int64(i)))
				m := bases[i%len(bases)].clone()
				v.do(m, rng)
				switch res := survive(t, i, m); {
				case res.Errors > 0:
					found++
				case res.Oddities > 0:
					odd++
				default:
					sound++
				}
			}
			t.Logf("%d errors, %d oddities, %d sound", found, odd, sound)
		})
	}
}

// survive checks one damaged file and what bbolt makes of it. Writes cost most,
// so only some trials go as far.
func survive(t *testing.T, trial int, m *image) Result {
	t.Helper()
	start := time.Now()
	res, err := Check(t.Context(), bytes.NewReader(m.b), int64(len(m.b)), Options{}, func(Problem) {})
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("trial %d: took %v", trial, d)
	}
	if err != nil {
		res.Errors++ // a file cut to nothing
	}
	if res.Errors > 0 {
		return res
	}
	if err := walkWithBolt(t, m.b); err != nil {
		t.Errorf("trial %d: bbolt's walk: %v", trial, err)
		return res
	}
	if trial%8 >= 3 {
		return res
	}
	after, err := writeWithBolt(t, m.b)
	if err != nil {
		t.Errorf("trial %d: bbolt's writes: %v", trial, err)
		return res
	}
	if got, ps := (&image{after, m.ps}).check(t); got.Errors > 0 {
		t.Errorf("trial %d: after bbolt's writes: %v", trial, ps)
	}
	return res
}
