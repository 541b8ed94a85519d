package jsonedit

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func checkText(t *testing.T, inner []byte) {
	t.Helper()
	src := append(append([]byte{'"'}, inner...), '"')
	var want string
	if json.Unmarshal(src, &want) != nil {
		return
	}
	d, err := Parse(src)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	if got := d.Text(0); got != want {
		t.Fatalf("%q: got %q, want %q", src, got, want)
	}
	if got := string(d.AppendText([]byte("x"), 0)); got != "x"+want {
		t.Fatalf("%q: appended %q, want %q", src, got, "x"+want)
	}
	for _, s := range []string{want, string(inner), want + "\xff", want + "a", want[:max(0, len(want)-1)], strings.ToUpper(want),
		strings.ReplaceAll(want, "\ufffd", "\xff"), strings.ReplaceAll(want, "\ufffd", "\xed\xa0\x80"), ""} {
		if got := d.Is(0, s); got != (s == want) {
			t.Fatalf("%q: Is %q says %v", src, s, got)
		}
	}
	checkSurrogates(t, inner, d)
	checkQuote(t, want)
	checkQuote(t, string(inner))
}

// checkSurrogates looks for them escape by escape. The string may stand at the end of a text or not, and be a
// name.
func checkSurrogates(t *testing.T, inner []byte, d *Doc) {
	t.Helper()
	want := false
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			continue
		}
		if i++; inner[i] == 'u' {
			c := hexRune(inner[i+1:])
			want = want || 0xd800 <= c && c <= 0xdfff
		}
	}
	name := mustParse(t, `{"`+string(inner)+`":["behind it is more than a word"]}`)
	if d.Surrogates() != want || name.Surrogates() != want {
		t.Fatalf("%q: surrogates %v, and of a name %v, want %v", inner, d.Surrogates(), name.Surrogates(), want)
	}
}

// checkQuote compares with encoding/json, and wants no escape that is not needed.
func checkQuote(t *testing.T, s string) {
	t.Helper()
	got := Quote(s)
	var back string
	if err := json.Unmarshal(got, &back); err != nil || !utf8.Valid(got) {
		t.Fatalf("%q: quoted as %s: %v", s, got, err)
	}
	if want := string([]rune(s)); back != want {
		t.Fatalf("%q: got back %q", s, back)
	}
	size := 2
	for _, c := range s {
		switch {
		case c == '"', c == '\\', strings.ContainsRune("\b\f\n\r\t", c):
			size += 2
		case c < ' ':
			size += 6
		default:
			size += utf8.RuneLen(c)
		}
	}
	if len(got) != size {
		t.Fatalf("%q: quoted as %s, %d bytes, want %d", s, got, len(got), size)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range chars {
		f.Add([]byte(s))
	}
	for _, s := range seeds() {
		if len(s) > 1 && len(s) < 100 && s[0] == '"' {
			f.Add(s[1 : len(s)-1])
		}
	}
	for _, s := range []string{`\ud83d\ud83d\ude00`, `\ud83d\ude0`, `\uD83D\uDE00\uDE00`, "\xc3\\u00e9", "ab\xffcd\\n\xfe", "\xf0\x9f\x98\\ude00", `\ud800\\u`, `\ud800\udbff`} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkText)
}

func TestRandomText(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50000 {
		s := randomString(r, nil)
		if r.IntN(3) == 0 {
			s = mutate(r, s, nil)
		}
		if len(s) >= 2 {
			checkText(t, s[1:len(s)-1])
		}
	}
}

func TestGet(t *testing.T) {
	d := mustParse(t, `{"a":1,"b":{"a":2},"\u0061":3,"":4,"a ":5,"A":6,"\ufffd":7,"x":[{"a":8}]}`)
	for name, want := range map[string]string{"a": "3", "b": `{"a":2}`, "": "4", "A": "6", "\ufffd": "7", "\xff": "", "c": "", "a  ": ""} {
		r := d.Get(0, name)
		if string(d.Raw(r)) != want || (r == None) != (want == "") {
			t.Errorf("%q: got node %d, %s, want %s", name, r, d.Raw(r), want)
		}
	}
	if r := d.Get(d.Get(0, "x"), "a"); r != None {
		t.Errorf("in an array: got node %d", r)
	}
}

// TestMissing: all questions about a node that is none have an answer.
func TestMissing(t *testing.T) {
	d := mustParse(t, `["a"]`)
	for _, r := range []Ref{None, 2, 1 << 30, -1 << 31} {
		start, end := d.Span(r)
		if d.Kind(r) != Missing || start != end || len(d.Raw(r)) != 0 || d.Inner(r) != nil || d.Text(r) != "" || d.Is(r, "") || d.Escaped(r) || d.Get(r, "a") != None {
			t.Errorf("node %d: something is there", r)
		}
		for c := r + 1; c < d.End(r); c = d.End(c) {
			t.Errorf("node %d has the child %d", r, c)
		}
		for range d.Elems(r) {
			t.Errorf("node %d has an element", r)
		}
		for range d.Members(r) {
			t.Errorf("node %d has a member", r)
		}
	}
}

func TestIterate(t *testing.T) {
	d := mustParse(t, `{"a":[1,[2,3],{"x":4}],"b":{}}`)
	var got []string
	for k, v := range d.Members(0) {
		got = append(got, d.Text(k)+"="+string(d.Raw(v)))
	}
	for c := range d.Elems(d.Get(0, "a")) {
		got = append(got, string(d.Raw(c)))
		if d.Kind(c) == Array {
			break
		}
	}
	if want := `a=[1,[2,3],{"x":4}] b={} 1 [2,3]`; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
}

func mustParse(t testing.TB, src string) *Doc {
	t.Helper()
	d, err := Parse([]byte(src))
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return d
}
