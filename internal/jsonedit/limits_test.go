package jsonedit

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

const mib = 1 << 20

func TestDepth(t *testing.T) {
	for _, open := range [][]string{{"["}, {`{"a":`}, {"[", `{"a":`}, {"[ "}} {
		for n, want := range map[int]error{MaxDepth: nil, MaxDepth + 1: ErrDepth, 100000: ErrDepth} {
			src := nested(n, open...)
			if err := Valid(src); err != want {
				t.Errorf("Valid of %d times %s: got %v, want %v", n, open, err, want)
			}
			if _, err := Parse(src); err != want {
				t.Errorf("Parse of %d times %s: got %v, want %v", n, open, err, want)
			}
		}
	}
}

// TestHostile: large texts that are all structure, or all one token, end in time and in bounded memory.
func TestHostile(t *testing.T) {
	for i, c := range []struct{ head, unit string }{
		{"[", `[{"a":1}],`}, {`["`, `\\`}, {"", "["}, {"", `{"a":`}, {"", "[],"}, {"[", "[],"}, {"", "0"}, {"", " "}, {"[", ","},
		{"{", `"":`}, {"{", `"":0,`}, {`["`, `\ud800`}, {`"`, "\xff"}, {`"`, "\x00"}, {"", `"`}, {"-1e", "9"},
	} {
		size := 4 * mib
		if i < 3 && !testing.Short() {
			size = 64 * mib
		}
		src := append([]byte(c.head), bytes.Repeat([]byte(c.unit), size/len(c.unit))...)
		p := Parser{limit: mib}
		_, err := p.Parse(src)
		if want := Valid(src); want == nil && err != nil || want != nil && (err == nil || err.Error() != want.Error()) {
			t.Errorf("%q and then %q: got %v, want %v", c.head, c.unit, err, want)
		}
	}
}

func TestTooMany(t *testing.T) {
	p := Parser{limit: 1000}
	list := func(n int) string { return "[" + strings.Repeat("0,", n-2) + "0]" }
	for src, want := range map[string]error{
		list(1000): nil, list(1001): ErrTooMany, list(5000): ErrTooMany, `{"a":` + list(997) + `,"b":` + list(500) + "}": ErrTooMany,
		`{"a":` + list(998) + "}": nil, `{"a":` + list(998) + `,"b":0}`: ErrTooMany,
	} {
		if _, err := p.Parse([]byte(src)); err != want {
			t.Errorf("%.20s, %d bytes: got %v, want %v", src, len(src), err, want)
		}
	}
	var syntax *SyntaxError
	if _, err := p.Parse([]byte(list(5000) + "]")); !errors.As(err, &syntax) || syntax.Offset != 9999 {
		t.Errorf("a syntax error behind the last node: got %v", err)
	}
}

// TestMemory: a Parser keeps its memory, but not more than is fit for a small text.
func TestMemory(t *testing.T) {
	var p Parser
	parse := func(n int) {
		t.Helper()
		if _, err := p.Parse([]byte("[" + strings.Repeat("0,", n-2) + "0]")); err != nil {
			t.Fatal(err)
		}
	}
	parse(1000)
	kept := cap(p.doc.nodes)
	parse(10)
	if cap(p.doc.nodes) != kept {
		t.Errorf("room for %d nodes became %d", kept, cap(p.doc.nodes))
	}
	parse(keepNodes + 10)
	parse(10)
	if cap(p.doc.nodes) > keepNodes {
		t.Errorf("room for %d nodes is kept", cap(p.doc.nodes))
	}
}

// TestLarge: an index that is large is counted, announced and let go of.
func TestLarge(t *testing.T) {
	calls := 0
	p := Parser{Large: func() { calls++ }}
	unit := `{"a":[0,null,"b\n"]},`
	list := func(nodes int) []byte { return []byte("[" + strings.Repeat(unit, nodes/6) + "0]") }
	for _, c := range []struct{ nodes, calls int }{{keepNodes, 0}, {3 * keepNodes, 0}, {largeNodes + 100, 1}, {1000, 1}} {
		d, err := p.Parse(list(c.nodes))
		if err != nil || calls != c.calls {
			t.Fatalf("%d nodes: %v, %d calls", c.nodes, err, calls)
		}
		if n := len(d.nodes); c.nodes > keepNodes && cap(d.nodes) > n+n/50 {
			t.Errorf("room for %d nodes, needed %d", cap(d.nodes), n)
		}
	}
	for _, end := range []string{"}", "]", "x", ",", `"`, "\x00", "1,}", `{"a":}`} {
		src := list(3 * keepNodes)
		src = append(src[:len(src)-2], end...)
		_, err := p.Parse(src)
		if want := Valid(src); (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Errorf("with %q behind: %v, want %v", end, err, want)
		}
		// The text goes wrong just where room is needed.
		src = append([]byte("["+strings.Repeat("0,", keepNodes-1)), end...)
		_, err = p.Parse(src)
		if want := Valid(src); (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Errorf("full, with %q behind: %v, want %v", end, err, want)
		}
	}
	if _, err := p.Parse(list(2 * keepNodes)); err != nil {
		t.Fatal(err)
	}
	p.Release()
	if cap(p.doc.nodes) > keepNodes {
		t.Errorf("room for %d nodes is kept", cap(p.doc.nodes))
	}
}

func TestAllocations(t *testing.T) {
	src := []byte(`{"messages":[{"role":"user","content":"a\nb\u00e9"},{"role":"assistant","content":null,"n":[1,2.5,true]}]}`)
	var p Parser
	d, err := p.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	text := d.Get(1+1, "role") + 2 // the key behind it
	for name, f := range map[string]func(){
		"Parse": func() { p.Parse(src) },
		"Valid": func() { Valid(src) },
		"Get":   func() { d.Get(0, "messages") },
		"Is":    func() { d.Is(text, "a\nbé") },
		"Elems": func() {
			for range d.Elems(2) {
				continue
			}
		},
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestErrors: a message says where and what, in one line, and gives away one character at most.
func TestErrors(t *testing.T) {
	for src, want := range map[string]string{
		``:                "offset 0: unexpected end of input",
		`[1,2`:            "offset 4: unexpected end of input",
		`[1,]`:            "offset 3: unexpected ']' where a value should begin",
		`{"a":1,}`:        "offset 7: unexpected '}' where a key should begin",
		`{"a" 1}`:         "offset 5: unexpected '1' behind a key",
		`{"a":1 2}`:       "offset 7: unexpected '2' behind a member",
		`[1 2]`:           "offset 3: unexpected '2' behind an array element",
		`{} x`:            "offset 3: unexpected 'x' behind the end of the value",
		"\"a\nb\"":        "offset 2: unexpected 0x0a in a string",
		`"\u00g0"`:        "offset 5: unexpected 'g' in a string",
		`-x`:              "offset 1: unexpected 'x' in a number",
		`trap`:            "offset 2: unexpected 'a' in a literal",
		"\ufeff[]":        "offset 0: unexpected 0xef where a value should begin",
		`{"a":1,"b":tru}`: "offset 14: unexpected '}' in a literal",
	} {
		_, err := Parse([]byte(src))
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
	}
}
