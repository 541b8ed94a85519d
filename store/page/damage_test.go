package page

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// A damage is done to a copy of the sample and must be reported as a problem
// of the kind and severity wanted. An empty kind with a severity wants any
// problem of that severity, and no severity wants none at all.
type damage struct {
	name string
	do   func(*image)
	kind string
	sev  Severity
}

// parts are the pages of the sample that damages are done to.
type parts struct {
	root, chat, first, second, last uint64 // the chat bucket's branch and leaves
	big, inner, outer               uint64
	small                           int // index of the inline bucket on the root
	free                            uint64
	edge                            uint64 // a leaf in front of a free page
}

func (m *image) parts() parts {
	p := parts{root: m.root(), chat: m.bucket("chat"), outer: m.bucket("outer"), inner: m.bucket("outer", "inner")}
	p.first, p.second = m.child(p.chat, 0), m.child(p.chat, 1)
	p.last = m.child(p.chat, m.count(p.chat)-1)
	p.big = m.child(m.bucket("big"), 0)
	_, p.small = m.find(p.root, "small")
	p.free = m.free()[0]
	for i := range m.count(p.chat) {
		if id := m.child(p.chat, i); slices.Contains(m.free(), id+1) {
			p.edge = id
		}
	}
	return p
}

func TestDamage(t *testing.T) {
	base := sample(t, bolt.Options{PageSize: 4096})
	if res, ps := base.check(t); res.Errors+res.Oddities != 0 {
		t.Fatalf("the sample is not sound: %v", ps)
	}
	all := allDamages(base)
	seen := map[string]bool{}
	for _, d := range all {
		if seen[d.name] {
			t.Errorf("two damages called %q", d.name)
		}
		seen[d.name] = true
		t.Run(d.name, func(t *testing.T) { d.test(t, base) })
	}
	t.Logf("%d kinds of damage", len(all))
	if len(all) < 60 {
		t.Errorf("only %d kinds of damage", len(all))
	}
}

// allDamages are all kinds of damage to the sample.
func allDamages(base *image) []damage {
	p := base.parts()
	return slices.Concat(
		metaDamages(base, p), pageDamages(p), elementDamages(base, p), treeDamages(base, p),
		bucketDamages(base, p), freelistDamages(base, p), fileDamages(base, p), harmless(p),
	)
}

func (d damage) test(t *testing.T, base *image) {
	m := base.clone()
	d.do(m)
	if d.sev != "" && bytes.Equal(m.b, base.b) {
		t.Fatal("the damage changed nothing")
	}
	res, ps := m.check(t)
	if d.sev != Error && res.Errors > 0 || d.sev == "" && res.Oddities > 0 {
		t.Fatalf("%d errors, %d oddities: %v", res.Errors, res.Oddities, ps)
	}
	wanted := func(p Problem) bool { return p.Severity == d.sev && (d.kind == "" || p.Kind == d.kind) }
	if d.sev != "" && !slices.ContainsFunc(ps, wanted) {
		t.Fatalf("no %s of kind %q: %v", d.sev, d.kind, ps)
	}
	if res.Errors == 0 {
		if err := walkWithBolt(t, m.b); err != nil {
			t.Fatalf("bbolt's walk: %v", err)
		}
	}
}

func TestNotDatabase(t *testing.T) {
	base := sample(t, bolt.Options{PageSize: 4096})
	swapped := base.clone()
	for i := range 2 {
		slices.Reverse(swapped.meta(i)[:4])
	}
	for name, b := range map[string][]byte{
		"empty":            nil,
		"short":            base.b[:79],
		"text":             bytes.Repeat([]byte("{\"role\":\"user\"}\n"), 4000),
		"zeros":            make([]byte, 1<<20),
		"other byte order": swapped.b,
		"both metas lost":  append(make([]byte, 8192), base.b[8192:]...),
	} {
		res, err := Check(context.Background(), bytes.NewReader(b), int64(len(b)), Options{}, func(p Problem) { t.Error(name, p) })
		if !errors.Is(err, ErrNotDatabase) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
}
