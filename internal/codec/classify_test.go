package codec

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"encoding/binary"
	"encoding/gob"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
)

type message struct {
	Role    string
	Content string
	Calls   []string
}

func gobOf(v any) string {
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(v); err != nil {
		panic(err)
	}
	return out.String()
}

func TestForeign(t *testing.T) {
	long := strings.Repeat(chat, 50)
	framed := func(w func(*bytes.Buffer)) string {
		var out bytes.Buffer
		w(&out)
		return out.String()
	}
	random := make([]byte, 4096)
	rand.Read(random)
	for _, c := range []struct {
		name, raw string
		kind      Kind
		format    string
	}{
		{"zlib", framed(func(b *bytes.Buffer) { w := zlib.NewWriter(b); w.Write([]byte(chat)); w.Close() }), Foreign, "zlib"},
		{"zlib, long", framed(func(b *bytes.Buffer) { w := zlib.NewWriter(b); w.Write([]byte(long)); w.Close() }), Foreign, "zlib"},
		{"snappy", string(snappy.Encode(nil, []byte(chat))), Foreign, "snappy"},
		{"snappy, long", string(snappy.Encode(nil, []byte(long))), Foreign, "snappy"},
		{"s2 framed", framed(func(b *bytes.Buffer) { w := s2.NewWriter(b); w.Write([]byte(chat)); w.Close() }), Foreign, "s2 framed"},
		{"snappy framed", framed(func(b *bytes.Buffer) { w := snappy.NewBufferedWriter(b); w.Write([]byte(chat)); w.Close() }), Foreign, "snappy framed"},
		{"gob", gobOf(message{"user", "hello", nil}), Foreign, "gob"},
		{"gob of a slice", gobOf([]message{{"user", "hello", nil}, {"assistant", "hi", []string{"a"}}}), Foreign, "gob"},
		{"gob of a text", gobOf(chat), Foreign, "gob"},
		{"msgpack", "\x82\xa4role\xa4user\xa7content\xd9\x05hello", Foreign, "msgpack"},
		{"msgpack array", "\xdc\x00\x02\x81\xa4role\xa4user\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", Foreign, "msgpack"},
		{"cbor", "\xa2\x64role\x64user\x67content\x78\x05hello", Foreign, "cbor"},
		{"cbor array", "\x82\xa1\x64role\x64user\xfb\x3f\xf0\x00\x00\x00\x00\x00\x00", Foreign, "cbor"},
		{"cbor by its tag", "\xd9\xd9\xf7\xa0\x00", Foreign, "cbor"},
		{"protobuf", "\x08\x96\x01\x12\x07testing\x1a\x04\x0a\x02hi", Foreign, "protobuf"},
		{"protobuf around json", "\x08\x96\x01\x12" + string(binary.AppendUvarint(nil, uint64(len(long)))) + long, Foreign, "protobuf"},
		{"png", "\x89PNG\r\n\x1a\n" + string(random), Foreign, "png"},
		{"random", string(random), Opaque, ""},
		{"random, short", string(random[:minOpaque]), Opaque, ""},
		{"number", "\x00\x00\x00\x00\x00\x00\x01\x2c", Binary, ""},
		{"hash", string(random[:32]), Binary, ""},
		{"table", strings.Repeat("\x00\x00\x00\x00\x00\x01\x02\x03\x7f\xff", 100), Binary, ""},
		{"bytes of one value", strings.Repeat("\x00", 4096), Binary, ""},
		{"utf-16", strings.Repeat("h\x00e\x00l\x00l\x00o\x00", 50), Binary, ""},
		{"latin-1", "na\xefve caf\xe9, tr\xe8s bien", Binary, ""},
	} {
		u, err := Unwrap([]byte(c.raw), Options{})
		if err != nil || u.Kind != c.kind || u.Format != c.format {
			t.Errorf("%s: %v %q %q, %v", c.name, u.Kind, u.Format, u.String(), err)
		}
		g, err := Unwrap([]byte(gz(c.raw)), Options{})
		if err != nil || g.Kind != c.kind || g.Format != c.format || g.String() != "gzip" {
			t.Errorf("%s in gzip: %v %q %q, %v", c.name, g.Kind, g.Format, g.String(), err)
		}
	}
}

// TestRandomBytes: what has no form gets no name, but for the short ones that a walk can pass by chance.
func TestRandomBytes(t *testing.T) {
	rnd := mathrand.New(mathrand.NewPCG(3, 4))
	const runs = 40000
	named := map[string]int{}
	for i := range runs {
		b := make([]byte, 1+rnd.IntN(400))
		for k := range b {
			b[k] = byte(rnd.Uint32())
			if i%2 == 0 && k%8 < 6 {
				b[k] = 0 // numbers
			}
		}
		u, err := Unwrap(b, Options{})
		if err != nil {
			continue // a magic number, by chance
		}
		if u.Kind == JSON && beginsAsJSON(b) {
			if retry(t, &u) {
				t.Errorf("%x: JSON after all", b)
			}
			continue
		}
		if u.Kind == Foreign {
			named[u.Format]++
		}
		if u.Kind == JSON || i%2 == 0 && u.Kind == Opaque || i%2 == 1 && u.Kind == Binary && len(b) >= minOpaque && !isOpaque(b) {
			t.Errorf("%v: %d bytes: %.20x", u.Kind, len(b), b)
		}
	}
	for name, n := range named {
		if n > runs/2000 {
			t.Errorf("%d of %d are %s", n, runs, name)
		}
	}
	t.Log(named)
}
