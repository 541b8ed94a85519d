package jsonedit

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
)

// model renders an edited document the slow way, from the rules alone: every node, one by one, top down. It
// shares nothing with the writer but the index, which checkTokens holds against encoding/json.
type model struct {
	d        *Doc
	replaced map[Ref][]byte
	elems    map[Ref][]Item
	removed  map[Ref]bool // keys, each in the object that the call named
	added    map[Ref][]member
	inside   []Ref // nodes with a list of elements that is being written
	budget   int
}

func (m *model) apply(e *Edit, r *rand.Rand, all []Ref) {
	at := all[r.IntN(len(all))]
	raw := bytes.TrimSpace(random(r, nil, 1))
	switch k := m.d.Kind(at); {
	case r.IntN(6) == 0 || k != Array && k != Object && r.IntN(8) > 0:
		if m.isKey(at) {
			raw = randomString(r, nil)
		}
		e.Replace(at, raw)
		m.forget(at)
		m.replaced[at] = raw
	case k != Object && !m.isKey(at):
		list := m.list(r, at, all)
		e.SetElems(at, list)
		m.forget(at)
		m.elems[at] = list
	case k == Object && r.IntN(2) == 0:
		name := []string{"id", "a b", "\n", "role", ""}[r.IntN(5)]
		e.AddMember(at, name, raw)
		delete(m.replaced, at)
		m.added[at] = append(m.added[at], member{name, raw})
	case k == Object:
		for key := range m.d.Members(at) {
			if r.IntN(3) == 0 {
				e.RemoveMember(at, key)
				delete(m.replaced, at)
				m.removed[key] = true
			}
		}
	}
}

// forget drops what was asked for at a node before.
func (m *model) forget(at Ref) {
	delete(m.replaced, at)
	delete(m.elems, at)
	delete(m.added, at)
	for key := range m.d.Members(at) {
		delete(m.removed, key)
	}
}

func (m *model) isKey(at Ref) bool {
	for r := range m.d.Nodes() {
		for key := range m.d.Members(r) {
			if key == at {
				return true
			}
		}
	}
	return false
}

// list is a random choice of elements: those of the array, most of them in order, new ones, and some from
// anywhere.
func (m *model) list(r *rand.Rand, at Ref, all []Ref) []Item {
	var list []Item
	for c := range m.d.Elems(at) {
		if r.IntN(4) > 0 {
			list = append(list, Item{Ref: c})
		}
	}
	for range r.IntN(3) {
		it := Item{Raw: bytes.TrimSpace(random(r, nil, 1))}
		if r.IntN(3) == 0 {
			it = Item{Ref: all[r.IntN(len(all))]}
		}
		list = slices.Insert(list, r.IntN(len(list)+1), it)
	}
	if len(list) > 1 && r.IntN(3) == 0 {
		i, j := r.IntN(len(list)), r.IntN(len(list))
		list[i], list[j] = list[j], list[i]
	}
	return list
}

func (m *model) text(from, to int) string { return string(m.d.Src()[from:to]) }

func (m *model) render(r Ref) string {
	start, end := m.d.Span(r)
	if m.budget -= end - start; m.budget < 0 {
		return ""
	}
	if slices.Contains(m.inside, r) {
		return m.text(start, end)
	}
	if raw, ok := m.replaced[r]; ok {
		return string(raw)
	}
	if list, ok := m.elems[r]; ok {
		return m.array(r, list)
	}
	switch m.d.Kind(r) {
	case Array:
		out, pos := "", start
		for c := range m.d.Elems(r) {
			from, to := m.d.Span(c)
			out += m.text(pos, from) + m.render(c)
			pos = to
		}
		return out + m.text(pos, end)
	case Object:
		return m.object(r)
	}
	return m.text(start, end)
}

func (m *model) array(r Ref, list []Item) string {
	var spans [][2]int
	var kids []Ref
	for c := range m.d.Elems(r) {
		from, to := m.d.Span(c)
		spans, kids = append(spans, [2]int{from, to}), append(kids, c)
	}
	start, end := m.d.Span(r)
	if len(list) == 0 && len(kids) == 0 && m.d.Kind(r) == Array {
		return m.text(start, end)
	} else if len(list) == 0 {
		return "[]"
	}
	m.inside = append(m.inside, r)
	var texts []string
	var places []int
	for _, it := range list {
		if it.Raw != nil {
			texts, places = append(texts, string(it.Raw)), append(places, -1)
			continue
		}
		texts, places = append(texts, m.render(it.Ref)), append(places, slices.Index(kids, it.Ref))
	}
	m.inside = m.inside[:len(m.inside)-1]
	return "[" + m.joined(r, spans, texts, places) + "]"
}

func (m *model) object(r Ref) string {
	var spans [][2]int
	var texts []string
	var places []int
	colon := ":"
	for key, value := range m.d.Members(r) {
		from, keyEnd := m.d.Span(key)
		valueStart, to := m.d.Span(value)
		colon = m.text(keyEnd, valueStart)
		if spans = append(spans, [2]int{from, to}); !m.removed[key] {
			texts, places = append(texts, m.render(key)+colon+m.render(value)), append(places, len(spans)-1)
		}
	}
	for _, a := range m.added[r] {
		texts, places = append(texts, string(Quote(a.name))+colon+string(a.raw)), append(places, -1)
	}
	if start, end := m.d.Span(r); len(spans) == 0 && len(texts) == 0 {
		return m.text(start, end)
	} else if len(texts) == 0 {
		return "{}"
	}
	return "{" + m.joined(r, spans, texts, places) + "}"
}

// joined puts texts between the brackets of r; places are their indices among the spans of its children.
func (m *model) joined(r Ref, spans [][2]int, texts []string, places []int) string {
	n := len(spans)
	lead, tail := "", ""
	if n > 0 {
		start, end := m.d.Span(r)
		lead, tail = m.text(start+1, spans[0][0]), m.text(spans[n-1][1], end-1)
	}
	out := lead
	for i, text := range texts {
		if i > 0 {
			p, f := places[i-1], places[i]
			switch {
			case p >= 0 && f == p+1:
				out += m.text(spans[p][1], spans[f][0])
			case f >= 1:
				out += m.text(spans[f-1][1], spans[f][0])
			case p >= 0 && p < n-1:
				out += m.text(spans[p][1], spans[p+1][0])
			case n >= 2:
				out += m.text(spans[0][1], spans[1][0])
			default:
				out += "," + lead
			}
		}
		out += text
	}
	return out + tail
}

// checkEdit makes random edits, from a seed, and compares the result with the model.
func checkEdit(t *testing.T, src []byte, seed uint64) {
	t.Helper()
	was := bytes.Clone(src)
	d, err := Parse(src)
	if err != nil || d.Nodes() > 300 {
		return
	}
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model{d: d, replaced: map[Ref][]byte{}, elems: map[Ref][]Item{}, removed: map[Ref]bool{}, added: map[Ref][]member{}, budget: 1 << 20}
	var all []Ref
	for r := range d.Nodes() {
		all = append(all, r)
	}
	values := slices.DeleteFunc(slices.Clone(all), m.isKey)
	var e Edit
	for range 1 + r.IntN(6) {
		if r.IntN(5) == 0 {
			m.apply(&e, r, all)
		} else {
			m.apply(&e, r, values)
		}
	}
	start, end := d.Span(0)
	want := m.text(0, start) + m.render(0) + m.text(end, len(src))
	if m.budget < 0 {
		return // elements that hold one another: the text has grown beyond use
	}
	got := e.Bytes(d)
	if string(got) != want {
		t.Fatalf("seed %d, %q:\ngot  %q\nwant %q", seed, src, got, want)
	}
	if !json.Valid(got) {
		t.Fatalf("seed %d, %q: got %q, not valid", seed, src, got)
	}
	if one := values[r.IntN(len(values))]; string(e.Render(d, one)) != m.render(one) {
		t.Fatalf("seed %d, %q: node %d: got %q, want %q", seed, src, one, e.Render(d, one), m.render(one))
	}
	if !bytes.Equal(src, was) {
		t.Fatalf("seed %d, %q: the source was written to: %q", seed, was, src)
	}
}

func FuzzEdit(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 40 {
		f.Add(random(r, nil, 3), uint64(i))
	}
	for i, s := range seeds() {
		if len(s) < 100 {
			f.Add(s, uint64(i))
		}
	}
	f.Fuzz(checkEdit)
}

func TestRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 20000 {
		checkEdit(t, random(r, nil, 1+i%4), r.Uint64())
	}
}
