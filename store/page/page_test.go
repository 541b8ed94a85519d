package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func TestReadMetas(t *testing.T) {
	m := sample(t, bolt.Options{PageSize: 4096})
	got, err := ReadMetas(bytes.NewReader(m.b), int64(len(m.b)))
	if err != nil {
		t.Fatal(err)
	}
	live := got.Meta[got.Live]
	if got.Live != m.live() || got.PageSize != 4096 || live.Root != m.root() || live.Freelist != m.freelist() ||
		live.Pages != m.hwm() || !bytes.Equal(live.Raw[:], m.meta(got.Live)) || live.Err != nil {
		t.Errorf("got %+v", got)
	}
	if other := got.Meta[1-got.Live]; other.TxID+1 != live.TxID {
		t.Errorf("transactions %d and %d", other.TxID, live.TxID)
	}

	for name, do := range map[string]func(*image){
		"newest torn":          func(m *image) { m.meta(m.live())[50]++ },
		"newest without magic": func(m *image) { m.set32(m.live(), 0, 0) },
	} {
		damaged := m.clone()
		do(damaged)
		got, err := ReadMetas(bytes.NewReader(damaged.b), int64(len(damaged.b)))
		if err != nil || got.Live != 1-m.live() || got.Meta[got.Live].Err != nil || got.Meta[m.live()].Err == nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	m.setMeta(0, 48, 9)
	m.setMeta(1, 48, 9)
	if got, err = ReadMetas(bytes.NewReader(m.b), int64(len(m.b))); err != nil || got.Live != 0 {
		t.Errorf("a tie: meta %d, %v", got.Live, err)
	}
}

// TestPageSizeFromMeta1 finds meta 1 wherever it is when meta 0 is gone.
func TestPageSizeFromMeta1(t *testing.T) {
	for ps := 1 << 10; ps <= 1<<20; ps <<= 1 {
		m := build(t, bolt.Options{PageSize: ps})
		clear(m.page(0)[:ps])
		res, problems := m.check(t)
		if res.Metas.PageSize != ps || res.Metas.Live != 1 || res.Errors != 0 || res.Oddities != 1 {
			t.Errorf("page size %d: %+v %v", ps, res, problems)
		}
	}
}

// TestOlderTree checks that the tree of the transaction before the last one is
// whole, which is what a torn newest meta leaves.
func TestOlderTree(t *testing.T) {
	for seed := range int64(10) {
		m := build(t, bolt.Options{PageSize: 1024}, history(seed, 12)...)
		m.meta(m.live())[56]++
		res, ps := m.check(t)
		if res.Errors != 0 || res.Oddities != 1 || ps[0].Kind != KindMeta {
			t.Errorf("seed %d: %v", seed, ps)
		}
	}
}

// TestSiblings checks that all bad pages are found, not only the first, and
// that each says where it is.
func TestSiblings(t *testing.T) {
	m := sample(t, bolt.Options{PageSize: 4096})
	p := m.parts()
	for _, id := range []uint64{p.first, p.last, p.inner} {
		m.setID(id, 9999)
	}
	res, ps := m.check(t)
	if res.Errors != 3 {
		t.Fatalf("%d errors: %v", res.Errors, ps)
	}
	second := string(m.key(p.chat, 1))
	for i, want := range []Problem{
		{Page: p.first, Bucket: "chat", KeyFrom: string(m.key(p.chat, 0)), KeyTo: second},
		{Page: p.last, Bucket: "chat", KeyFrom: string(m.key(p.chat, m.count(p.chat)-1))},
		{Page: p.inner, Bucket: "outer/inner"},
	} {
		got := ps[i]
		if got.Kind != KindPageID || got.Severity != Error {
			t.Errorf("got %v", got)
		}
		want.Kind, want.Severity, want.Detail = got.Kind, got.Severity, got.Detail
		if got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestProblem(t *testing.T) {
	p := Problem{Page: 12, Kind: KindPageID, Severity: Error, Bucket: "a/b", KeyFrom: "k", Detail: "its header says page 9"}
	if got, want := p.String(), "page 12: its header says page 9 (bucket a/b, keys from k)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	b, err := json.Marshal(p)
	want := `{"page":12,"kind":"page-id","severity":"error","bucket":"a/b","key_from":"k","key_to":"","detail":"its header says page 9"}`
	if err != nil || string(b) != want {
		t.Errorf("got %s, %v", b, err)
	}
}

func TestEncode(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"chat_1.a:b-c":          "chat_1.a:b-c",
		"~x~":                   "%7Ex~",
		"a/b c":                 "a%2Fb%20c",
		"\x00\xff":              "%00%FF",
		"ü":                     "%C3%BC",
		strings.Repeat("a", 99): strings.Repeat("a", 99),
	} {
		if got := encode([]byte(in)); got != want {
			t.Errorf("encode(%q): got %q, want %q", in, got, want)
		}
	}
}

func TestPathIsBounded(t *testing.T) {
	var p *path
	for range 1 << 12 {
		p = &path{p, make([]byte, 1<<10)}
	}
	got := p.String()
	if len(got) > maxPath+100 || !strings.HasPrefix(got, "…/%00") {
		t.Errorf("%d bytes, %.20q", len(got), got)
	}
}

func TestMaxProblems(t *testing.T) {
	m := sample(t, bolt.Options{PageSize: 4096})
	p := m.parts()
	for i := range m.count(p.chat) {
		m.setFlags(m.child(p.chat, i), 0)
	}
	n := 0
	res, err := Check(context.Background(), bytes.NewReader(m.b), int64(len(m.b)), Options{MaxProblems: 2}, func(Problem) { n++ })
	if err != nil || n != 2 || res.Errors != m.count(p.chat) {
		t.Errorf("%d reported of %d, %v", n, res.Errors, err)
	}
}

func TestProgressAndCancel(t *testing.T) {
	m := build(t, bolt.Options{PageSize: 1024}, many(3000, 1500))
	for goroutines := 1; goroutines < 4; goroutines++ {
		calls, last := 0, int64(0)
		progress := func(done, total int64) {
			if calls++; done < last || done > total || total != int64(len(m.b)) {
				t.Errorf("progress %d of %d after %d", done, total, last)
			}
			last = done
		}
		none := func(p Problem) { t.Error(p) }
		o := Options{Progress: progress, split: goroutines}
		_, err := Check(context.Background(), bytes.NewReader(m.b), int64(len(m.b)), o, none)
		if err != nil || goroutines == 1 && calls < 3 || last != int64(len(m.b)) {
			t.Errorf("%d calls, last %d, %v", calls, last, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		o.Progress = func(done, total int64) { cancel() }
		if goroutines > 1 {
			cancel() // the goroutine that tells how far it is may come last
		}
		_, err = Check(ctx, bytes.NewReader(m.b), int64(len(m.b)), o, none)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after a cancel: %v", err)
		}
		cancel()
	}
}

// counter counts reads.
type counter struct {
	*bytes.Reader
	n *atomic.Int64
}

func (c counter) ReadAt(b []byte, off int64) (int, error) {
	c.n.Add(1)
	return c.Reader.ReadAt(b, off)
}

// A sound file is read once, also by several goroutines; one that is not is
// read by one goroutine after all.
func TestSplitReadsOnce(t *testing.T) {
	m := build(t, bolt.Options{PageSize: 1024}, many(300, 2000))
	reads := func(goroutines int) int64 {
		n := new(atomic.Int64)
		o := Options{split: goroutines}
		if _, err := Check(context.Background(), counter{bytes.NewReader(m.b), n}, int64(len(m.b)), o, nil); err != nil {
			t.Fatal(err)
		}
		return n.Load()
	}
	one := reads(1)
	for n := 2; n < 9; n++ {
		if several := reads(n); several > one+one/4 {
			t.Errorf("%d reads by one goroutine, %d by %d", one, several, n)
		}
	}
}
