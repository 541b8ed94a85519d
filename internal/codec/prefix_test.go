package codec

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"strings"
	"testing"
)

func TestPrefixFields(t *testing.T) {
	long := `{"messages":[{"role":"user","content":"changed and longer"}],"n":[1,2,3]}`
	crc := func(s string) string { return u32(int(crc32.ChecksumIEEE([]byte(s)))) }
	crcC := func(s string) string {
		return string(binary.LittleEndian.AppendUint32(nil, crc32.Checksum([]byte(s), crc32.MakeTable(crc32.Castagnoli))))
	}
	fnv64 := func(s string) string {
		h := fnv.New64a()
		h.Write([]byte(s))
		return string(h.Sum(nil))
	}
	for _, c := range []struct {
		name string
		make func(text string) string
	}{
		{"length", func(s string) string { return u32(len(s)) + s }},
		{"length with itself", func(s string) string { return u32(len(s)+4) + s }},
		{"little length", func(s string) string { return u64(uint64(len(s))) + s }},
		{"crc", func(s string) string { return crc(s) + s }},
		{"crc32c", func(s string) string { return crcC(s) + s }},
		{"fnv", func(s string) string { return fnv64(s) + s }},
		{"version and length", func(s string) string { return u32(2) + u32(len(s)) + s }},
		{"length and crc", func(s string) string { return u32(len(s)) + crc(s) + s }},
		{"crc and length", func(s string) string { return crc(s) + u32(len(s)) + s }},
		{"length before gzip", func(s string) string { return u32(len(s)) + gz(s) }},
		{"time", func(s string) string { return u64(1761100000124) + s }},
		{"magic", func(s string) string { return "\x00CHAT\x00\x00\x01" + s }},
	} {
		u, err := Unwrap([]byte(c.make(chat)), Options{})
		if err != nil || u.Sealed != "" || string(u.Text) != chat {
			t.Errorf("%s: %q, %q, %v", c.name, u.Sealed, u.Text, err)
			continue
		}
		made, err := u.Rewrap([]byte(long))
		n := len(u.Prefix())
		if err != nil || string(made[:n]) != c.make(long)[:n] {
			t.Errorf("%s: %q, want %q, %v", c.name, made, c.make(long)[:n], err)
		}
	}
}

func TestSealed(t *testing.T) {
	for name, prefix := range map[string]string{
		"unknown checksum":  "\x9d\x13\xfe\xa7",
		"unknown of eight":  "\x9d\x13\xfe\xa7\x31\x88\xc0\x5e",
		"version, u16":      string([]byte{0, 1, 0, byte(len(chat))}),
		"length, unknown":   u32(len(chat)) + "\x9d\x13\xfe\xa7",
		"nanoseconds, hash": "\x18\x70\xc5\x01\x9d\x13\xfe\xa7",
	} {
		raw := prefix + chat
		u, err := Unwrap([]byte(raw), Options{})
		if err != nil || u.Kind != JSON || string(u.Text) != chat || u.Sealed == "" || string(u.Prefix()) != prefix {
			t.Errorf("%s: %v %q, %v", name, u.Kind, u.Sealed, err)
			continue
		}
		if made, err := u.Rewrap([]byte(`{}`)); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: %q, %v", name, made, err)
		}
		if same, err := u.Rewrap([]byte(chat)); err != nil || string(same) != raw {
			t.Errorf("%s: unchanged: %q, %v", name, same, err)
		}
		u, err = Unwrap([]byte(raw), Options{KeepPrefix: true})
		if err != nil || u.Sealed != "" {
			t.Errorf("%s: %q, %v", name, u.Sealed, err)
		}
		if made, err := u.Rewrap([]byte(`{"a":1}`)); err != nil || len(made) != len(prefix)+7 {
			t.Errorf("%s, known: %q, %v", name, made, err)
		}
	}
}

func TestSealedShortLength(t *testing.T) {
	text := chat + strings.Repeat(" ", 200-len(chat))
	if u, err := Unwrap([]byte("\xc8"+text), Options{}); err != nil || u.Sealed == "" || string(u.Text) != text {
		t.Errorf("%q %q, %v", u.Sealed, u.String(), err)
	}
	if u, err := Unwrap([]byte("\xc9"+text), Options{}); err != nil || u.Sealed != "" || string(u.Text) != text {
		t.Errorf("%q %q, %v", u.Sealed, u.String(), err)
	}
}

func TestNoPrefix(t *testing.T) {
	for name, raw := range map[string]string{
		"more behind":    "\x01" + chat + "\x00",
		"cut":            "\x01" + chat[:20],
		"other offset":   "\x01\x02" + chat,
		"broken gzip":    "\x01" + gz(chat)[:30],
		"gzip and more":  "\x01" + gz(chat) + "x",
		"text":           "data[0]",
		"text, offset 8": "Answer: [{}]",
		"protobuf":       "\x0a" + string([]byte{byte(len(chat))}) + chat,
	} {
		if u, err := Unwrap([]byte(raw), Options{}); err != nil || u.Kind == JSON || u.Depth() != 0 || string(u.Text) != raw {
			t.Errorf("%s: %v %q, %v", name, u.Kind, u.String(), err)
		}
	}
}

// TestPrefixLikeJSON: a length that begins with the byte of a bracket.
func TestPrefixLikeJSON(t *testing.T) {
	text := `{"a":"` + strings.Repeat("x", '['-8) + `"}`
	raw := string(binary.LittleEndian.AppendUint32(nil, uint32(len(text)))) + text
	for layers, raw := range map[string]string{"prefix": raw, "gzip+prefix": gz(raw)} {
		u, err := Unwrap([]byte(raw), Options{})
		if err != nil || u.Kind != JSON || !retry(t, &u) || string(u.Text) != text || u.String() != layers {
			t.Errorf("%s: %v %q, %v", layers, u.Kind, u.String(), err)
			continue
		}
		made, err := u.Rewrap([]byte(`{"more":` + text + `}`))
		if err != nil {
			t.Error(err)
		}
		if v, err := Unwrap(made, Options{}); err != nil || string(v.Text[len(v.Text)-len(text)-1:]) != text+"}" {
			t.Errorf("%q, %v", v.Text, err)
		}
	}
}
