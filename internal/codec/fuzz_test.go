package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"boltmend/internal/jsonedit"
)

// refusals are all that may keep a changed text from being wrapped again.
var refusals = []error{ErrSealed, ErrAmbiguous, ErrNotLines, ErrReadBack, ErrDepth}

// FuzzUnwrap: no value makes it panic or hold more than its bound; unchanged is the old value; changed opens to
// the changed text.
func FuzzUnwrap(f *testing.F) {
	lines := "{\"a\":1}\r\n{\"b\":[\"<\"]}\n"
	for _, raw := range []string{
		chat, gz(chat), gz(chat, lines), zs(chat), zsStream(chat, lines), gz(zs("\x01" + chat)), u32(len(chat)) + chat, lines, "{}{}[]",
		"\x9d\x13\xfe\xa7" + chat, u64(uint64(len(chat))) + zs(chat), b64(chat), b64(gz(lines)), `["` + b64(zs(chat)) + `"]`,
		`{"a":"{\"b\":\"\u003c\u00e9\\\"\"}","c":"\u005b1]","d":"[1]\n[2]"}`, "\"[\\\"\xff\\ud800\\\"]\"", `"` + b64(chat) + `"`,
		string(zstdRLE(1<<22, true)), string(zstdRLE(1<<22, false)), string(zsStored(chat)), gobOf(chat), gobOf(message{"user", chat, nil}),
		"\x82\xa4role\xa4user\xa7content\xd9\x05hello", "\xa2\x64role\x64user\x67content\x78\x05hello",
		"\x08\x96\x01\x12\x07testing\x1a\x04\x0a\x02hi", "\x50\x2a\x4d\x18\x02\x00\x00\x00hi", "",
	} {
		f.Add([]byte(raw), "x")
		f.Add([]byte(raw), "<é\u2028\"/😀")
	}
	var c Codec // used again, as a worker does
	f.Fuzz(func(t *testing.T, raw []byte, more string) {
		o := Options{MaxValue: 1 << 20, KeepPrefix: len(more)%2 == 0}
		before := bytes.Clone(raw)
		c.Peek(raw, func(text []byte) bool {
			if len(text) > peekBytes {
				t.Fatalf("%d bytes", len(text))
			}
			return false
		})
		u, err := c.Unwrap(raw, o)
		if n := len(u.Text); n > len(raw) && n > 1<<20 {
			t.Fatalf("%d bytes", n)
		}
		for i := range c.bufs {
			if cap(c.bufs[i]) > 1<<20+slack {
				t.Fatalf("%d bytes of memory", cap(c.bufs[i]))
			}
		}
		if err != nil || u.Kind != JSON {
			return
		}
		d, err := jsonedit.Parse(u.Text)
		if err != nil {
			if ok, _ := u.Retry(); !ok {
				return
			}
			if d, err = jsonedit.Parse(u.Text); err != nil {
				t.Fatalf("%q: %v", u.Text, err)
			}
		}
		edited := fuzzStrings(t, &c, d, o, more)
		fuzzRewrap(t, &u, raw, edited, o)
		fuzzRewrap(t, &u, raw, append([]byte(" "), u.Text...), o)
		if !bytes.Equal(raw, before) {
			t.Fatal("the value was written to")
		}
	})
}

// fuzzStrings changes the strings that hold JSON, and returns the document with all changes.
func fuzzStrings(t *testing.T, c *Codec, d *jsonedit.Doc, o Options, more string) []byte {
	var e jsonedit.Edit
	for r, u := range c.Strings(d, o) {
		if u.Err != nil {
			continue
		}
		if same, err := u.Rewrap(u.Text); err != nil || !bytes.Equal(same, d.Raw(r)) {
			t.Fatalf("unchanged string %q: %q, %v", d.Raw(r), same, err)
		}
		text := append([]byte(`[[`), jsonedit.Quote(more)...)
		text = append(append(append(text, "],"...), u.Text...), ']')
		if u.String() == "string+lines" || u.Depth() == MaxDepth {
			text = u.Text
		}
		made, err := u.Rewrap(text)
		if err != nil {
			known(t, err)
			continue
		}
		if u.String() == "string" && utf8.Valid(text) && !bytes.Contains(d.Raw(r), []byte(`\ud`)) {
			var got string
			if err := json.Unmarshal(made, &got); err != nil || got != strings.ToValidUTF8(string(text), "\ufffd") {
				t.Fatalf("%q is %q, want %q, %v", made, got, text, err)
			}
		}
		e.Replace(r, made)
	}
	return e.Bytes(d)
}

// fuzzRewrap wraps text in place of that of u, and reads it back.
func fuzzRewrap(t *testing.T, u *Unwrapped, raw, text []byte, o Options) {
	if same, err := u.Rewrap(u.Text); err != nil || !bytes.Equal(same, raw) {
		t.Fatalf("unchanged: %q, %v", same, err)
	}
	made, err := u.Rewrap(text)
	if err != nil {
		known(t, err)
		return
	}
	v, err := Unwrap(made, o)
	if err != nil {
		t.Fatalf("%q: %v", made, err)
	}
	if jsonedit.Valid(v.Text) != nil {
		if ok, err := v.Retry(); !ok {
			t.Fatalf("%q from %q: %v", v.Text, made, err)
		}
	}
	if bytes.Equal(v.Text, text) {
		return
	}
	// Lines have no place for the white space of an array.
	if !strings.HasSuffix(u.String(), "lines") || !sameElements(t, v.Text, text) {
		t.Fatalf("%q from %q, want %q", v.Text, made, text)
	}
}

// sameElements compares two arrays, or one element with an array of it.
func sameElements(t *testing.T, a, b []byte) bool {
	elems := func(s []byte) (out [][]byte) {
		d, err := jsonedit.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		for r := range d.Elems(0) {
			out = append(out, d.Raw(r))
		}
		return out
	}
	x, y := elems(a), elems(b)
	if len(y) == 1 {
		return bytes.Equal(bytes.Trim(a, space), y[0])
	}
	return bytes.Equal(bytes.Join(x, nil), bytes.Join(y, nil))
}

func known(t *testing.T, err error) {
	for _, r := range refusals {
		if errors.Is(err, r) {
			return
		}
	}
	if !errors.As(err, new(*LimitError)) {
		t.Fatal(err)
	}
}
