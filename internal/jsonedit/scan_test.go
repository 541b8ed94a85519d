package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// nested is a value within n containers, of the two kinds by turns where both are given.
func nested(n int, opens ...string) []byte {
	var open, end strings.Builder
	for i := range n {
		open.WriteString(opens[i%len(opens)])
	}
	for i := n - 1; i >= 0; i-- {
		end.WriteByte(opens[i%len(opens)][0] + 2)
	}
	return []byte(open.String() + "0" + end.String())
}

// seeds are texts, good and bad, on which scanners differ.
func seeds() [][]byte {
	s := []string{
		``, ` `, `0`, `-0`, `-`, `01`, `-01`, `00`, `1.`, `.5`, `1.e1`, `1e`, `1e+`, `1e+1`, `1E-0`, `1e999`, `0e0`, `0.0`, `0x1`, `+1`, `1 2`,
		`-0.0e-0`, `1.5.5`, `9007199254740993`, `1_0`, `Infinity`, `NaN`, `-Infinity`,
		`true`, `tru`, `trux`, `t`, `true1`, `truetrue`, `false`, `fals`, `null`, `nul`, `nulll`, `True`, `NULL`,
		`""`, `"`, `"a`, `"\`, `"\"`, `"\\"`, `"\x"`, `"\'"`, `"\/\b\f\n\r\t\"\\"`, `"a"b`, `'a'`,
		`"\u"`, `"\u1"`, `"\u12"`, `"\u123"`, `"\u1234"`, `"\u12345"`, `"\u123g"`, `"\uABCD\uabcd"`, `"\u00e9"`, `"\U0041"`, `"\u0000"`,
		`"\ud800"`, `"\udc00"`, `"\ud83d\ude00"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"\ud800\u0041"`, `"\ud800A"`, `"\ud800\n"`, `"\ud83d\u"`,
		`"\ud83`, `"\uD83D\uDE0`, "\"\x7f\"", "\"\x00\"", "\"\x1f\"", "\"a\nb\"", "\"1234567\x1f\"", "\"12345678\x0012345678\"", "\"\t\"",
		"\"\xff\"", "\"\xc3\"", "\"\xc3\\n\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "\"\xc0\xaf\"", "\"\xa2\xdc\xa2\xdc\x9f\x80\x81\xa0\"",
		"\"\u2028\u2029\ufffd\U0001f600\"", "\"é€\"", "é", "\xff",
		`[]`, `[ ]`, `[`, `]`, `[1`, `[1,`, `[1,]`, `[,1]`, `[1,,2]`, `[1 2]`, `[1]]`, `[[1]`, `[}`, `[1}`, `[1:2]`, `["a":1]`,
		`{}`, `{ }`, `{`, `}`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a":1]`, `{]`, `{,}`, `{"a"}`, `{"a",1}`, `{"a":1 "b":2}`, `{1:2}`, `{a:1}`, `{"a":1}}`,
		`{"a":1,"a":2}`, `{"a":{"a":[{"a":[]}]}}`, "\ufeff{}", "{}\ufeff", "\r\n\t {} \r\n", "\v{}", "\f{}", "\u00a0{}", "{}\x00", "{}//", "/**/{}",
		"[1\r\n,\t2 ]", `{"a" : 1 , "b" : [ true , null ] }`, strings.Repeat(" ", 40) + "1",
	}
	var all [][]byte
	for _, t := range s {
		all = append(all, []byte(t))
	}
	for _, n := range []int{MaxDepth - 1, MaxDepth, MaxDepth + 1} {
		all = append(all, nested(n, "["), nested(n, `{"a":`), nested(n, "[", `{"":`))
	}
	deep := nested(MaxDepth+5, "[")
	return append(all, deep[:MaxDepth], deep[:MaxDepth+1], deep[:MaxDepth+4])
}

// checkValid holds Valid and Parse against encoding/json on one text, offsets of errors included, and the
// index, where there is one, against encoding/json's tokens.
func checkValid(t *testing.T, p *Parser, src []byte, tokens bool) {
	t.Helper()
	err := Valid(src)
	if (err == nil) != json.Valid(src) {
		t.Fatalf("%s: got %v, encoding/json says %v", clip(src), err, json.Valid(src))
	}
	d, perr := p.Parse(src)
	if (err == nil) != (perr == nil) || err != nil && err.Error() != perr.Error() {
		t.Fatalf("%s: Valid says %v, Parse %v", clip(src), err, perr)
	}
	if err == nil {
		checkDoc(t, d, src)
		if tokens {
			checkTokens(t, d)
		}
		return
	}
	if d != nil {
		t.Fatalf("%s: a Doc with an error", clip(src))
	}
	var own *SyntaxError
	var theirs *json.SyntaxError
	if errors.As(err, &own) && tokens {
		if jerr := json.Unmarshal(src, new(any)); !errors.As(jerr, &theirs) {
			t.Fatalf("%s: got %v, want %v", clip(src), err, jerr)
		}
		want := theirs.Offset - 1
		early := strings.HasPrefix(theirs.Error(), "unexpected end") ||
			strings.HasPrefix(theirs.Error(), "invalid character ' '") && own.Offset > want // encoding/json adds a space at the end
		if early {
			want = int64(len(src))
		}
		if own.Offset != want {
			t.Fatalf("%s: got %v, want offset %d (%v)", clip(src), err, want, theirs)
		}
	}
}

// clip is src, quoted, for a message.
func clip(src []byte) []byte {
	return Quote(string(src[:min(len(src), 300)]))
}

// checkDoc checks what an index promises by itself: every node inside its parent, in order, and whole.
func checkDoc(t *testing.T, d *Doc, src []byte) {
	t.Helper()
	var open []Ref
	pos := 0
	for r := Ref(0); r < d.Nodes(); r++ {
		start, end := d.Span(r)
		for len(open) > 0 && d.End(open[len(open)-1]) == r {
			_, pos = d.Span(open[len(open)-1])
			open = open[:len(open)-1]
		}
		limit := len(src)
		if len(open) > 0 {
			_, limit = d.Span(open[len(open)-1])
		} else if r > 0 {
			t.Fatalf("%s: node %d is in no other", clip(src), r)
		}
		if start < pos || end <= start || end > limit || d.End(r) <= r || d.End(r) > d.Nodes() {
			t.Fatalf("%s: node %d: span %d-%d, end %d", clip(src), r, start, end, d.End(r))
		}
		if k := d.Kind(r); k == Array || k == Object {
			open, pos = append(open, r), start+1
		} else if pos = end; d.End(r) != r+1 {
			t.Fatalf("%s: node %d: a leaf with end %d", clip(src), r, d.End(r))
		}
		if d.Escaped(r) != (d.Kind(r) == String && bytes.IndexByte(d.Raw(r), '\\') >= 0) {
			t.Fatalf("%s: node %d: escaped is %v", clip(src), r, d.Escaped(r))
		}
	}
	var e Edit
	if got := e.Bytes(d); !bytes.Equal(got, src) {
		t.Fatalf("%s: became %s without an edit", clip(src), clip(got))
	}
}

// checkTokens walks the index with encoding/json's decoder: the same values, ending at the same places.
func checkTokens(t *testing.T, d *Doc) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(d.Src()))
	dec.UseNumber()
	var open []Ref
	r := Ref(0)
	for {
		tok, err := dec.Token()
		if err == io.EOF && r == d.Nodes() && len(open) == 0 {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v at node %d of %d", clip(d.Src()), err, r, d.Nodes())
		}
		at := int(dec.InputOffset())
		if tok == json.Delim(']') || tok == json.Delim('}') {
			if _, end := d.Span(open[len(open)-1]); end != at || d.End(open[len(open)-1]) != r {
				t.Fatalf("%s: node %d ends at %d, want %d", clip(d.Src()), open[len(open)-1], end, at)
			}
			open = open[:len(open)-1]
			continue
		}
		start, end := d.Span(r)
		ok := end == at
		switch v := tok.(type) {
		case json.Delim:
			ok = d.Kind(r) == map[json.Delim]Kind{'[': Array, '{': Object}[v] && start+1 == at
			open = append(open, r)
		case string:
			ok = ok && d.Kind(r) == String && d.Text(r) == v && d.Is(r, v)
		case json.Number:
			ok = ok && d.Kind(r) == Number && string(d.Raw(r)) == v.String()
		case bool:
			ok = ok && d.Kind(r) == map[bool]Kind{false: False, true: True}[v]
		case nil:
			ok = ok && d.Kind(r) == Null
		}
		if !ok {
			t.Fatalf("%s: node %d is a %v at %d-%d, want %v ending at %d", clip(d.Src()), r, d.Kind(r), start, end, tok, at)
		}
		r++
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(random(r, nil, 4))
	}
	var p Parser
	f.Fuzz(func(t *testing.T, src []byte) {
		was := bytes.Clone(src)
		checkValid(t, &p, src, true)
		if !bytes.Equal(src, was) {
			t.Fatal("the source was written to")
		}
	})
}

// TestRandom is FuzzValid on documents of our own making: 200,000 that are sound, mutated or cut.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var p Parser
	var doc, last []byte
	valid, n := 0, 200000
	if testing.Short() {
		n = 20000
	}
	for i := range n {
		doc = random(r, doc[:0], r.IntN(5))
		if r.IntN(4) > 0 {
			doc = mutate(r, doc, last)
		}
		if json.Valid(doc) {
			valid++
		}
		checkValid(t, &p, doc, i%16 == 0)
		last = append(last[:0], doc...)
	}
	if valid < n/5 || valid > n*4/5 {
		t.Fatalf("%d of %d were valid: the mixture is poor", valid, n)
	}
}

func TestSizes(t *testing.T) {
	// Each place in and around a word, for each byte that ends a run of plain text.
	var p Parser
	for n := range 40 {
		for c := range 256 {
			for _, tail := range []string{"", `"`, `""`, `n"`, `u12Ab"`, `u12Ab" , 12345678`} {
				src := append(append([]byte("[\""+strings.Repeat("x", n)), byte(c)), tail...)
				checkValid(t, &p, src, false)
				checkValid(t, &p, append(src, ']'), false)
			}
		}
	}
}
