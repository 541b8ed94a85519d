package codec

import (
	"errors"
	"strings"
	"testing"
	"time"

	"boltmend/internal/jsonedit"
)

func retry(t *testing.T, u *Unwrapped) bool {
	t.Helper()
	ok, err := u.Retry()
	if err != nil {
		t.Errorf("retry: %v", err)
	}
	return ok
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, old, array, text, want string }{
		{"lines", "{\"a\":1}\n{\"a\":2}\n", `[{"a":1},{"a":2}]`, `[{"a":1},{"a":3}]`, "{\"a\":1}\n{\"a\":3}\n"},
		{"no last ending", "{}\n[]", `[{},[]]`, `[{},[],{"n":1}]`, "{}\n[]\n{\"n\":1}"},
		{"mixed endings", " {}\r\n\n{\"b\":1}\n {\"c\":1}\r\n{}\n\n", `[{},{"b":1},{"c":1},{}]`, `[{},{"b":1},{"x":1},{}]`,
			" {}\r\n\n{\"b\":1}\n {\"x\":1}\r\n{}\n\n"},
		{"one in between", "{\"a\":1}\r\n{\"b\":1}\n{\"c\":1}\n", `[{"a":1},{"b":1},{"c":1}]`, `[{"a":1}, {"b":1}, {"n":1}, {"c":1}]`,
			"{\"a\":1}\r\n{\"b\":1}\n{\"n\":1}\n{\"c\":1}\n"},
		{"one taken out", "{\"a\":1}\r\n{\"b\":1}\n{\"c\":1}\n", `[{"a":1},{"b":1},{"c":1}]`, `[{"a":1},{"c":1}]`, "{\"a\":1}\r\n{\"c\":1}\n"},
		{"moved and changed", "{\"a\":1}\n{\"b\":1}\r\n{\"c\":1}\n{\"d\":1}\n", `[{"a":1},{"b":1},{"c":1},{"d":1}]`,
			`[{"a":1},{"c":1},{"n":1},{"b":1},{"d":2}]`, "{\"a\":1}\n{\"c\":1}\n{\"n\":1}\n{\"b\":1}\r\n{\"d\":2}\n"},
		{"one left", "{}\n[]\n", `[{},[]]`, `[[]]`, "[]\n"},
		{"concatenated", "{}[1]{\"a\":\"}{\\\"\"}", `[{},[1],{"a":"}{\""}]`, `[{},[2],{"a":"}{\""},{}]`, "{}[2]{\"a\":\"}{\\\"\"}{}"},
		{"pretty", "{\n \"a\": 1\n}\n{\n}\n", "[{\n \"a\": 1\n},{\n}]", "[{\n \"a\": 2\n},{\n}]", "{\n \"a\": 2\n}\n{\n}\n"},
	} {
		u, err := Unwrap([]byte(c.old), Options{})
		if err != nil || !retry(t, &u) || string(u.Text) != c.array || u.String() != "lines" {
			t.Errorf("%s: %q %q, %v", c.name, u.String(), u.Text, err)
			continue
		}
		same, err := u.Rewrap([]byte(c.array))
		if err != nil || string(same) != c.old {
			t.Errorf("%s: unchanged: %q, %v", c.name, same, err)
		}
		// The same array, spelled another way, is the same lines.
		same, err = u.Rewrap([]byte(" " + c.array + " "))
		if err != nil || string(same) != c.old {
			t.Errorf("%s: same lines: %q, %v", c.name, same, err)
		}
		made, err := u.Rewrap([]byte(c.text))
		if err != nil || string(made) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, made, err, c.want)
		}
		z, err := Unwrap([]byte(zs(c.old)), Options{})
		if err != nil || !retry(t, &z) || z.String() != "zstd+lines" {
			t.Errorf("%s in zstd: %q, %v", c.name, z.String(), err)
			continue
		}
		if made, err = z.Rewrap([]byte(c.text)); err != nil {
			t.Errorf("%s in zstd: %v", c.name, err)
		} else if v, err := Unwrap(made, Options{}); err != nil || string(v.Text) != c.want {
			t.Errorf("%s in zstd: %q, %v", c.name, v.Text, err)
		}
	}
}

func TestNoLines(t *testing.T) {
	for _, raw := range []string{"{}", "[]\n", "{}\n{", "{}\nx\n{}", "{}\n1", "{},{}", "{\n\n", "[[[", "{}\n{]", "{}\n\"a\"", "{}}"} {
		u, err := Unwrap([]byte(raw), Options{})
		if err != nil || retry(t, &u) || string(u.Text) != raw {
			t.Errorf("%q: %q, %v", raw, u.String(), err)
		}
	}
	deep, _ := Unwrap([]byte(gz(gz(gz("{}\n{}")))), Options{})
	if deep.Depth() != 3 || retry(t, &deep) {
		t.Error("lines as a fourth layer")
	}
}

func TestNotLines(t *testing.T) {
	u, _ := Unwrap([]byte("{}\n[]"), Options{})
	if !retry(t, &u) {
		t.Fatal("no lines")
	}
	for _, text := range []string{`{}`, `[1]`, `[{},"a"]`, "[{\n},[]]"} {
		if made, err := u.Rewrap([]byte(text)); !errors.Is(err, ErrNotLines) {
			t.Errorf("%q: %q, %v", text, made, err)
		}
	}
	// Nothing is left: no value that would open again.
	if made, err := u.Rewrap([]byte(`[]`)); !errors.Is(err, ErrReadBack) {
		t.Errorf("%q, %v", made, err)
	}
}

// TestLinesLinear: what makes a splitter quadratic takes no time.
func TestLinesLinear(t *testing.T) {
	start := time.Now()
	for _, raw := range []string{
		strings.Repeat("{}", 1<<18), strings.Repeat("{}", 1<<18) + "\n", strings.Repeat("{}\n", 1<<18), strings.Repeat("{\n}", 1<<17),
		strings.Repeat("[", 1<<20), strings.Repeat("[[[[[[[[]]]]]]]]", 1<<15), strings.Repeat(`{"a":"{"}`, 1<<16) + "{",
		`{"a":"` + strings.Repeat("x\n{", 1<<17), strings.Repeat("{}\n", maxLines+1),
	} {
		u, _ := Unwrap([]byte(raw), Options{})
		retry(t, &u)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("%v", took)
	}
}

// TestLinesEdit: the array is edited as any document, with jsonedit.
func TestLinesEdit(t *testing.T) {
	u, _ := Unwrap([]byte(gz("{\"role\":\"user\"}\r\n{\"role\":\"tool\"}\r\n")), Options{})
	if !retry(t, &u) {
		t.Fatal("no lines")
	}
	d := parse(t, string(u.Text))
	var e jsonedit.Edit
	var items []jsonedit.Item
	for r := range d.Elems(0) {
		items = append(items, jsonedit.Item{Ref: r}, jsonedit.Item{Raw: []byte(`{"role":"assistant"}`)})
	}
	e.SetElems(0, items)
	made, err := u.Rewrap(e.Bytes(d))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := Unwrap(made, Options{})
	want := "{\"role\":\"user\"}\r\n{\"role\":\"assistant\"}\r\n{\"role\":\"tool\"}\r\n{\"role\":\"assistant\"}\r\n"
	if string(v.Text) != want {
		t.Errorf("%q, want %q", v.Text, want)
	}
}
