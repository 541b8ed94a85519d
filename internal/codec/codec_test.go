package codec

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"boltmend/internal/jsonedit"
)

const chat = `{"messages":[{"role":"user","content":"go <b> & \u00e9"},{"role":"assistant","content":"é"}]}`

func gz(parts ...string) string {
	var out bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&out)
		w.Write([]byte(p))
		w.Close()
	}
	return out.String()
}

func zs(parts ...string) string {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	var out []byte
	for _, p := range parts {
		out = e.EncodeAll([]byte(p), out)
	}
	return string(out)
}

// zsStream is a frame without its size, flushed after each part.
func zsStream(parts ...string) string {
	var out bytes.Buffer
	e, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	for _, p := range parts {
		e.Write([]byte(p))
		e.Flush()
	}
	e.Close()
	return out.String()
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func u32(n int) string    { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }
func u64(n uint64) string { return string(binary.LittleEndian.AppendUint64(nil, n)) }

func TestUnwrap(t *testing.T) {
	for _, c := range []struct{ name, raw, layers, text string }{
		{"json", chat, "", chat},
		{"space before json", " \n" + chat, "", " \n" + chat},
		{"json string", strconv.Quote(`{"a":1}`), "", strconv.Quote(`{"a":1}`)},
		{"gzip", gz(chat), "gzip", chat},
		{"gzip members", gz(chat[:20], "", chat[20:]), "gzip", chat},
		{"zstd", zs(chat), "zstd", chat},
		{"zstd frames", zs(chat[:20], "", chat[20:]), "zstd", chat},
		{"zstd stream", zsStream(chat[:3], chat[3:20], chat[20:]), "zstd", chat},
		{"version byte", "\x01" + chat, "prefix", chat},
		{"version digit", "2" + chat, "prefix", chat},
		{"version word", u32(7) + chat, "prefix", chat},
		{"magic word", "MSG1" + chat, "prefix", chat},
		{"length", u32(len(chat)) + chat, "prefix", chat},
		{"length of eight", u64(uint64(len(chat))) + chat, "prefix", chat},
		{"version and crc", u32(3) + u32(int(crc32.ChecksumIEEE([]byte(chat)))) + chat, "prefix", chat},
		{"gzip behind a byte", "\x02" + gz(chat), "prefix+gzip", chat},
		{"zstd behind its length", u32(len(chat)) + zs(chat), "prefix+zstd", chat},
		{"gzip of zstd of prefix", gz(zs("\x01" + chat)), "gzip+zstd+prefix", chat},
		{"base64", b64(chat), "base64", chat},
		{"base64 of gzip", b64(gz(chat)), "base64+gzip", chat},
	} {
		u, err := Unwrap([]byte(c.raw), Options{})
		if err != nil || u.Kind != JSON || u.String() != c.layers || string(u.Text) != c.text || u.Sealed != "" {
			t.Errorf("%s: %v %q %q sealed %q, %v", c.name, u.Kind, u.String(), u.Text, u.Sealed, err)
			continue
		}
		same, err := u.Rewrap([]byte(c.text))
		if err != nil || string(same) != c.raw {
			t.Errorf("%s: unchanged: %q, %v", c.name, same, err)
		}
		long := `{"more":"` + strings.Repeat("x", 300) + `"}`
		made, err := u.Rewrap([]byte(long))
		if err != nil {
			t.Errorf("%s: rewrap: %v", c.name, err)
			continue
		}
		v, err := Unwrap(made, Options{})
		if err != nil || v.String() != c.layers || string(v.Text) != long {
			t.Errorf("%s: read back: %q %q, %v", c.name, v.String(), v.Text, err)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, raw := range []string{
		"", " ", "hello", "x^2", "data[0]", "see {}", "Result: [{}]", "true", "12", "-1.5e3", `"a string"`, `"open`,
		"I think so", "Dear all", "eyJ", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "H4sI", "Wed", "KLUv/", "H4sIxxxxxxxxxxxxxxxxxxxx!",
		"1f8b08", "naïve café", strings.Repeat("é", 5000), "\x1b[1mbold\x1b[0m", "2026-11-30T10:00:00Z", "k=v\n", "PK", "(µ/ý",
	} {
		u, err := Unwrap([]byte(raw), Options{})
		if raw == `"a string"` {
			if u.Kind != JSON || err != nil {
				t.Errorf("%q: %v, %v", raw, u.Kind, err)
			}
			continue
		}
		if err != nil || u.Kind != Plain || u.Depth() != 0 || u.Format != "" || string(u.Text) != raw {
			t.Errorf("%q: %v %q %q, %v", raw, u.Kind, u.Format, u.String(), err)
		}
	}
}

func TestRefused(t *testing.T) {
	extra := func() string {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Extra = []byte("BC\x02\x00\x10\x00")
		w.Write([]byte(chat))
		w.Close()
		return out.String()
	}()
	flip := func(s string, i int) string {
		b := []byte(s)
		b[i] ^= 0x40
		return string(b)
	}
	g, z := gz(chat), zs(chat)
	for _, c := range []struct {
		name, raw, codec string
		want             error
	}{
		{"gzip cut in its header", g[:7], "gzip", ErrTruncated},
		{"gzip cut", g[:len(g)-20], "gzip", ErrTruncated},
		{"gzip without its end", g[:len(g)-8], "gzip", ErrTruncated},
		{"gzip with more", g + "x", "gzip", ErrTrailing},
		{"gzip with zeros", g + strings.Repeat("\x00", 64), "gzip", ErrTrailing},
		{"gzip and half a member", g + g[:15], "gzip", ErrTruncated},
		{"gzip checksum", flip(g, len(g)-6), "gzip", ErrCorrupt},
		{"gzip extra", extra, "gzip", ErrExtra},
		{"zstd magic alone", z[:4], "zstd", ErrTruncated},
		{"zstd cut", z[:len(z)-10], "zstd", ErrTruncated},
		{"zstd without checksum", z[:len(z)-4], "zstd", ErrTruncated},
		{"zstd with more", z + "xyz", "zstd", ErrTrailing},
		{"zstd and half a frame", z + z[:20], "zstd", ErrTruncated},
		{"zstd checksum", flip(z, len(z)-1), "zstd", ErrCorrupt},
		{"zstd dictionary", "\x28\xb5\x2f\xfd\x21\x05\x02\x11\x00\x00{}", "zstd", ErrDictionary},
		{"zstd skippable", "\x50\x2a\x4d\x18\x02\x00\x00\x00hi" + z, "zstd", ErrExtra},
		{"zstd skippable behind", z + "\x5e\x2a\x4d\x18\x02\x00\x00\x00hi", "zstd", ErrExtra},
		{"zstd size that lies", "\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x40\x00\x00\x00\x00\x11\x00\x00{}", "zstd", ErrCorrupt},
		{"too deep", gz(gz(zs(gz(chat)))), "gzip", ErrDepth},
		{"gzip broken in zstd", zs(g[:30]), "gzip", ErrTruncated},
	} {
		u, err := Unwrap([]byte(c.raw), Options{})
		var e *Error
		if !errors.As(err, &e) || e.Codec != c.codec || !errors.Is(err, c.want) {
			t.Errorf("%s: %v %q, %v, want %s: %v", c.name, u.Kind, u.String(), err, c.codec, c.want)
		}
	}
	if u, err := Unwrap([]byte("\x1f\x8b\x07"+chat), Options{}); err != nil || u.Kind == JSON {
		t.Errorf("wrong magic: %v %q, %v", u.Kind, u.String(), err)
	}
}

func TestDepth(t *testing.T) {
	for raw, want := range map[string]int{chat: 0, gz(chat): 1, gz(zs(chat)): 2, gz(zs(gz(chat))): 3} {
		if u, err := Unwrap([]byte(raw), Options{}); err != nil || u.Depth() != want || string(u.Text) != chat {
			t.Errorf("depth %d, %v, want %d", u.Depth(), err, want)
		}
	}
}

// TestGzipHeader: name, comment and time stay, and the standard library reads what was written.
func TestGzipHeader(t *testing.T) {
	var in bytes.Buffer
	w := gzip.NewWriter(&in)
	w.Name, w.Comment, w.ModTime, w.OS = "chat.json", "né", time.Unix(1761100000, 0), 3
	w.Write([]byte(chat))
	w.Close()
	u, err := Unwrap(in.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	made, err := u.Rewrap([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(made))
	if err != nil || r.Name != "chat.json" || r.Comment != "né" || r.ModTime.Unix() != 1761100000 || r.OS != 3 {
		t.Fatalf("%+v, %v", r.Header, err)
	}
}

func TestNotJSON(t *testing.T) {
	u, _ := Unwrap([]byte(gz(chat)), Options{})
	if _, err := u.Rewrap([]byte(`{`)); !errors.Is(err, ErrNotJSON) {
		t.Errorf("bad text: %v", err)
	}
	u, _ = Unwrap([]byte("hello"), Options{})
	if _, err := u.Rewrap([]byte(`{}`)); !errors.Is(err, ErrNotJSON) {
		t.Errorf("plain value: %v", err)
	}
}

// TestReuse: one Codec for values of all kinds, with memory of those before.
func TestReuse(t *testing.T) {
	var c Codec
	texts := []string{chat, `[]`, `{"long":"` + strings.Repeat("abc ", 100000) + `"}`, `{"a":1}`}
	for i := range 60 {
		text := texts[i%len(texts)]
		raw := slices.Repeat([]func(...string) string{gz, zs, zsStream}, 1)[i%3](text)
		u, err := c.Unwrap([]byte(raw), Options{})
		if err != nil || string(u.Text) != text {
			t.Fatalf("%d: %d bytes, %v, want %d", i, len(u.Text), err, len(text))
		}
		if _, err := c.Unwrap([]byte(raw[:len(raw)-5]), Options{}); err == nil {
			t.Fatalf("%d: cut off and no error", i)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	var c Codec
	raw, plain := []byte(chat), []byte("a plain string")
	doc, err := jsonedit.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(100, func() {
		if u, err := c.Unwrap(raw, Options{}); err != nil || u.Kind != JSON {
			t.Fatal(err)
		}
		if _, err := c.Unwrap(plain, Options{}); err != nil {
			t.Fatal(err)
		}
		for r := range doc.Nodes() {
			if _, ok := c.InString(doc, r, Options{}); ok {
				t.Fatal("JSON in a string")
			}
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
