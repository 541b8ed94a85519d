package store

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestEncodeName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"", "%"},
		{"plain.Name_0:9-z", "plain.Name_0:9-z"},
		{"~home", "%7Ehome"},
		{"a~b", "a~b"},
		{"a/b", "a%2Fb"},
		{"%", "%25"},
		{"@#", "%40%23"},
		{"é\x00\x1b", "%C3%A9%00%1B"},
		{" ", "%20"},
	} {
		if got := EncodeName([]byte(c.name)); got != c.want {
			t.Errorf("EncodeName(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDecodeNameRefuses(t *testing.T) {
	for _, s := range []string{"", "%2", "%zz", "a b", "a/b", "~x", "@x", "é", "a%", "%%"} {
		if got, err := DecodeName(s); err == nil {
			t.Errorf("DecodeName(%q) = %q, want an error", s, got)
		}
	}
	if got, err := DecodeName("%c3%a9%41"); err != nil || string(got) != "éA" {
		t.Errorf("DecodeName of lower case digits = %q, %v", got, err)
	}
}

func TestPathRoundTrips(t *testing.T) {
	for _, path := range [][][]byte{
		nil, names(""), names("", ""), names("a"), names("a", "", "b"), names("a/b", "c"), names("%", "~", "@"),
	} {
		s := EncodePath(path)
		got, err := DecodePath(s)
		if err != nil || !slices.EqualFunc(got, path, bytes.Equal) {
			t.Errorf("DecodePath(%q) = %q, %v, want %q", s, got, err, path)
		}
	}
}

// Whatever is decoded is encoded in one way only, and back.
func FuzzName(f *testing.F) {
	f.Add([]byte("chats/1"))
	f.Add([]byte{})
	f.Add([]byte("~\x00~%"))
	f.Fuzz(func(t *testing.T, name []byte) {
		s := EncodeName(name)
		for i := range len(s) {
			if s[i] != '%' && !bare(s[i], i == 0) {
				t.Fatalf("EncodeName(%q) = %q has a byte that a shell may take", name, s)
			}
		}
		got, err := DecodeName(s)
		if err != nil || !bytes.Equal(got, name) {
			t.Fatalf("DecodeName(%q) = %q, %v, want %q", s, got, err, name)
		}
		if back, err := DecodeName(string(name)); err == nil {
			again := EncodeName(back)
			if len(again) > len(name) || !strings.EqualFold(again, EncodeName(back)) {
				t.Fatalf("%q decodes to %q, which encodes to %q", name, back, again)
			}
		}
	})
}
