package store

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// A model is what a database should hold: values by bucket and key, and the
// sequences of the buckets.
type model struct {
	values map[string]map[string]string // encoded bucket path → key → value
	seqs   map[string]uint64
}

func randomBytes(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

// randomValue is mostly small, sometimes empty, seldom larger than a chunk.
func randomValue(r *rand.Rand) string {
	switch r.IntN(20) {
	case 0:
		return ""
	case 1:
		return randomBytes(r, 5000+r.IntN(20000))
	case 2:
		if r.IntN(10) == 0 {
			return randomBytes(r, chunk+r.IntN(2*chunk))
		}
	}
	return randomBytes(r, 1+r.IntN(200))
}

func randomModel(r *rand.Rand) *model {
	m := &model{map[string]map[string]string{}, map[string]uint64{}}
	paths := [][][]byte{nil}
	for range 12 {
		parent := paths[r.IntN(len(paths))]
		// A name with 0xFF in front is no key of ours.
		p := append(slices.Clone(parent), []byte("\xff"+randomBytes(r, r.IntN(12))))
		if _, ok := m.values[EncodePath(p)]; ok {
			continue
		}
		paths = append(paths, p)
		m.values[EncodePath(p)] = map[string]string{}
		m.seqs[EncodePath(p)] = uint64(r.IntN(3)) * r.Uint64()
		for range r.IntN(60) {
			m.values[EncodePath(p)]["k"+randomBytes(r, r.IntN(8))] = randomValue(r)
		}
	}
	return m
}

func (m *model) write(tx *bolt.Tx) error {
	for _, p := range slices.Sorted(maps.Keys(m.values)) {
		path, err := DecodePath(p)
		if err != nil {
			return err
		}
		if err := put(tx, path); err != nil {
			return err
		}
		b := tx.Cursor().Bucket()
		for _, n := range path {
			b = b.Bucket(n)
		}
		if err := b.SetSequence(m.seqs[p]); err != nil {
			return err
		}
		for k, v := range m.values[p] {
			if err := b.Put([]byte(k), []byte(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// wantModel fails unless a view sees what the model holds and nothing else.
func wantModel(t *testing.T, path string, m *model) {
	t.Helper()
	db := open(t, path)
	defer db.Close()
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	got := &model{map[string]map[string]string{}, map[string]uint64{}}
	err = v.Walk(func(it Item) error {
		got.values[it.Bucket.Encoded][string(it.Key)] = string(it.Value)
		return nil
	}, func(b *Bucket) error {
		got.values[b.Encoded], got.seqs[b.Encoded] = map[string]string{}, b.Sequence
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(got.seqs, m.seqs) || !maps.EqualFunc(got.values, m.values, maps.Equal) {
		t.Error("the database does not hold what the model does")
	}
}

// randomEdits changes the model and returns the same change as edits, by
// record.
func (m *model) randomEdits(r *rand.Rand) (order []Record, edits map[string]Edits) {
	edits = map[string]Edits{}
	for _, p := range slices.Sorted(maps.Keys(m.values)) {
		path, _ := DecodePath(p)
		values := m.values[p]
		rest := slices.Sorted(maps.Keys(values))
		for len(rest) > 0 {
			n := min(1+r.IntN(4), len(rest))
			rec := Record{Ref: fmt.Sprint(p, "/@", len(order)), Bucket: path}
			var e Edits
			for _, k := range rest[:n] {
				row := RowEdit{Bucket: path, Key: []byte(k), Old: []byte(values[k])}
				switch r.IntN(4) {
				case 0: // left as it is
					row.New = bytes.Clone(row.Old)
				case 1:
					delete(values, k)
				default:
					values[k] = randomValue(r)
					row.New = []byte(values[k])
				}
				e.Rows = append(e.Rows, row)
			}
			if k := "n" + randomBytes(r, 6); r.IntN(3) == 0 {
				values[k] = randomValue(r)
				e.Rows = append(e.Rows, RowEdit{Bucket: path, Key: []byte(k), New: []byte(values[k])})
			}
			if r.IntN(4) == 0 {
				e.Sequences = append(e.Sequences, SequenceEdit{Bucket: path, Old: m.seqs[p], New: m.seqs[p] + 1})
				m.seqs[p]++
			}
			if r.IntN(4) == 0 {
				e.Removed = append(e.Removed, Removed{Kind: "k", Code: "c", ID: "i", Text: []byte(randomValue(r))})
			}
			edits[rec.Ref] = e
			order = append(order, rec)
			rest = rest[n:]
		}
	}
	return order, edits
}

// Random databases, random edits, in batches of any size: the database is what
// the model is, an undo brings the first state back, and an undo of the undo
// the second.
func TestApplyAndUndoAgainstAModel(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			m := randomModel(r)
			path := newDB(t, &bolt.Options{NoFreelistSync: seed%3 == 0}, m.write)
			first := dump(t, path)
			order, edits := m.randomEdits(r)
			w := begin(t, path)
			res, err := w.Apply(ctx, ApplyOptions{BatchBytes: 1 << (14 + r.IntN(11))}, slices.Values(order),
				func(_ Reader, rec Record) (Edits, error) { return edits[rec.Ref], nil }, nil)
			if err != nil || res.Stale > 0 {
				t.Fatalf("applied %+v, %v", res, err)
			}
			if err := w.Check(ctx); err != nil {
				t.Error(err)
			}
			w.Close()
			wantModel(t, path, m)
			second := dump(t, path)
			if res.Changed == 0 {
				return
			}
			back := undoAll(t, res.Journal, UndoResult{Restored: res.Changed})
			if dump(t, path) != first {
				t.Error("the undo did not bring the first state back")
			}
			undoAll(t, res.Journal, UndoResult{Done: res.Changed})
			undoAll(t, back.Applied.Journal, UndoResult{Restored: back.Restored})
			if dump(t, path) != second {
				t.Error("the undo of the undo did not bring the second state back")
			}
		})
	}
}
