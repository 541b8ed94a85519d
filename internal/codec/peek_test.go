package codec

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/snappy"

	"boltmend/internal/jsonedit"
)

const secret = `{"messages":[{"role":"user","content":"hello hello hello"},{"role":"assistant","tool_calls":[]}]}`

// written is what a writer makes of a text.
func written(text string, w func(io.Writer) io.WriteCloser) string {
	var out bytes.Buffer
	z := w(&out)
	io.WriteString(z, text)
	z.Close()
	return out.String()
}

func zlibbed(text string) string {
	return written(text, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
}

func deflated(text string) string {
	return written(text, func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 6); return z })
}

// utf16ed is a text in UTF-16, with or without a mark.
func utf16ed(text string, order binary.AppendByteOrder, mark string) string {
	out := []byte(nil)
	for _, c := range utf16.Encode([]rune(mark + text)) {
		out = order.AppendUint16(out, c)
	}
	return string(out)
}

func inString(text string) string {
	b, _ := json.Marshal(map[string]string{"data": text})
	return string(b)
}

func speaks(text []byte) bool { return bytes.Contains(text, []byte("tool_calls")) }

func TestPeek(t *testing.T) {
	for _, c := range []struct{ name, raw, layers string }{
		{"zlib", zlibbed(secret), "zlib"},
		{"zlib cut off", zlibbed(secret + strings.Repeat(" and more", 1<<20))[:10<<10], "zlib"},
		{"zlib, long", zlibbed(secret + strings.Repeat(" and more", 1<<20)), "zlib"},
		{"deflate", deflated(secret), "deflate"},
		{"snappy", string(snappy.Encode(nil, []byte(`{"role":"tool","x":"_calls"}`+secret))), "snappy"},
		{"utf-16", utf16ed(secret, binary.LittleEndian, ""), "utf-16"},
		{"utf-16, marked", utf16ed(secret, binary.LittleEndian, "\ufeff"), "utf-16"},
		{"utf-16, big-endian", utf16ed(secret, binary.BigEndian, ""), "utf-16"},
		{"utf-16, big-endian, marked", utf16ed(secret, binary.BigEndian, "\ufeff"), "utf-16"},
		{"hex", hex.EncodeToString([]byte(secret)), "hex"},
		{"HEX", strings.ToUpper(hex.EncodeToString([]byte(zlibbed(secret)))), "hex+zlib"},
		{"base64 of zlib", b64(zlibbed(secret)), "base64+zlib"},
		{"base64 of zlib in JSON in gzip", gz(inString(b64(zlibbed(secret)))), "gzip+base64+zlib"},
		{"base64 of JSON three times", b64(inString(b64(inString(b64(secret))))), "base64+base64+base64"},
		{"zstd", zs(secret), "zstd"},
		{"zstd, long", zsStream(secret, strings.Repeat(" and more", 1<<20)), "zstd"},
	} {
		name, ok := new(Codec).Peek([]byte(c.raw), speaks)
		if !ok || name != c.layers {
			t.Errorf("%s: %v, %q, want %q", c.name, ok, name, c.layers)
		}
	}
}

func TestPeekString(t *testing.T) {
	for _, c := range []struct {
		name, doc, layers string
		deep              bool
	}{
		{"hex", inString(hex.EncodeToString([]byte(secret))), "hex", false},
		{"base64 of zlib", inString(b64(zlibbed(secret))), "base64+zlib", false},
		{"escaped", strings.ReplaceAll(inString(b64(zlibbed(secret))), "/", `\/`), "base64+zlib", false},
		{"JSON that is opened", inString(secret), "", false},
		{"JSON too deep", inString(secret), "string", true},
		{"JSON in JSON too deep", inString(inString(secret)), "string", true},
		{"base64 in JSON too deep", inString(inString(b64(secret))), "string+base64", true},
		{"text", inString("7b but no hex, and it has tool_calls"), "", true},
	} {
		d, err := jsonedit.Parse([]byte(c.doc))
		if err != nil {
			t.Fatal(err)
		}
		name, ok := new(Codec).PeekString(d, 2, c.deep, speaks)
		if ok != (c.layers != "") || name != c.layers {
			t.Errorf("%s: %v, %q, want %q", c.name, ok, name, c.layers)
		}
	}
}

// BenchmarkPeekAtNothing is about values that are none of any form.
func BenchmarkPeekAtNothing(b *testing.B) {
	rnd := rand.New(rand.NewPCG(7, 8))
	var c Codec
	raw := make([]byte, 512)
	b.ReportAllocs()
	for i := range raw {
		raw[i] = byte(rnd.Uint32())
	}
	for b.Loop() {
		raw[0], raw[1] = byte(rnd.Uint32()), byte(rnd.Uint32())
		c.Peek(raw, speaks)
	}
}
