package codec

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"boltmend/internal/jsonedit"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// bomb is n zeros, compressed.
func bomb(t *testing.T, n int64, to func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var out bytes.Buffer
	w := to(&out)
	if _, err := io.Copy(w, io.LimitReader(zeros{}, n)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipTo(w io.Writer) io.WriteCloser {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		panic(err)
	}
	return z
}

func zstdTo(w io.Writer) io.WriteCloser {
	e, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err)
	}
	return e
}

func TestBomb(t *testing.T) {
	const limit = 16 << 20
	single := string(zstdRLE(1<<30, true))
	lying := string(zstdRLE(1<<30, false))
	g, z := bomb(t, 1<<30, gzipTo), bomb(t, 1<<30, zstdTo)
	for _, c := range []struct {
		name  string
		raw   string
		codec string
	}{
		{"gzip", string(g), "gzip"},
		{"zstd", string(z), "zstd"},
		{"zstd with its size", single, "zstd"},
		{"zstd of repeats", lying, "zstd"},
		{"gzip in zstd", zs(string(g)), "gzip"},
		{"zstd behind a byte", "\x01" + string(z), "zstd"},
		{"zstd in base64", b64(string(z)), "zstd"},
		{"members", strings.Repeat(string(bomb(t, 1<<20, gzipTo)), 1000), "gzip"},
		{"frames", strings.Repeat(string(bomb(t, 1<<20, zstdTo)), 1000), "zstd"},
	} {
		raw := []byte(c.raw)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := Unwrap(raw, Options{MaxValue: limit})
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		var e *LimitError
		if !errors.As(err, &e) || e.Codec != c.codec || e.Limit != limit {
			t.Errorf("%s: %v", c.name, err)
		}
		// The memory of two attempts, the window, the decoders, base64.
		if n := after.TotalAlloc - before.TotalAlloc; n > 3*limit {
			t.Errorf("%s: %d MiB allocated", c.name, n>>20)
		}
		t.Logf("%s: %d bytes, %v, %d KiB allocated: %v", c.name, len(raw), took.Round(time.Microsecond),
			(after.TotalAlloc-before.TotalAlloc)>>10, err)
	}
}

// zstdRLE is a frame of blocks that repeat one byte, with or without its size.
func zstdRLE(n int, sized bool) []byte {
	out := []byte(zstdMagic)
	if sized {
		out = append(out, 0xa0, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	} else {
		out = append(out, 0x00, 0x58) // a window of 2 MiB
	}
	for ; n > 0; n -= maxBlock {
		head := min(n, maxBlock)<<3 | 1<<1
		if n <= maxBlock {
			head |= 1
		}
		out = append(out, byte(head), byte(head>>8), byte(head>>16), ' ')
	}
	return out
}

// TestLimitExact: as much as the bound is allowed, a byte more is not.
func TestLimitExact(t *testing.T) {
	for _, size := range []int{2, 4095, 4096, 4097, 32 << 10, 1 << 20, 1<<20 + 1, 5 << 20} {
		text := "[" + strings.Repeat(" ", size-2) + "]"
		for name, raw := range map[string]string{"gzip": gz(text), "zstd": zs(text), "zstd stream": zsStream(text[:size/2], text[size/2:]),
			"gzip members": gz(text[:1], text[1:])} {
			u, err := Unwrap([]byte(raw), Options{MaxValue: int64(size)})
			if err != nil || string(u.Text) != text {
				t.Errorf("%s of %d: %d bytes, %v", name, size, len(u.Text), err)
			}
			_, err = Unwrap([]byte(raw), Options{MaxValue: int64(size - 1)})
			if e := (*LimitError)(nil); !errors.As(err, &e) {
				t.Errorf("%s of %d, one more than allowed: %v", name, size, err)
			}
		}
	}
}

// TestLimitAllLayers: the bound is for all layers of a value together.
func TestLimitAllLayers(t *testing.T) {
	text := "[" + strings.Repeat(" ", 1<<20) + "]"
	raw := []byte(gz("\x01" + string(zsStored(text))))
	if _, err := Unwrap(raw, Options{MaxValue: 3 << 20}); err != nil {
		t.Error(err)
	}
	if _, err := Unwrap(raw, Options{MaxValue: 3 << 19}); !errors.As(err, new(*LimitError)) {
		t.Error(err)
	}
}

// zsStored is a frame of stored blocks.
func zsStored(text string) []byte {
	out := append([]byte(zstdMagic), 0x00, 0x58)
	for len(text) > 0 {
		n := min(len(text), maxBlock)
		head := n << 3
		if n == len(text) {
			head |= 1
		}
		out = append(append(out, byte(head), byte(head>>8), byte(head>>16)), text[:n]...)
		text = text[n:]
	}
	return out
}

// TestLimitStrings: many small bombs in the strings of one document are bounded together.
func TestLimitStrings(t *testing.T) {
	raw := []byte("[" + strings.Repeat(`"`+b64(string(zstdRLE(1<<30, false)))+`",`, 50) + "0]")
	doc, err := jsonedit.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, u := range new(Codec).Strings(doc, Options{MaxValue: 1 << 20}) {
		if !errors.As(u.Err, new(*LimitError)) {
			t.Fatalf("%v", u.Err)
		}
		n++
	}
	if n != 50 {
		t.Errorf("%d strings, want 50", n)
	}
}

func TestManyParts(t *testing.T) {
	for name, raw := range map[string]string{"gzip": gz(""), "zstd": zs("")} {
		_, err := Unwrap([]byte(strings.Repeat(raw, maxParts+1)), Options{})
		if !errors.Is(err, ErrParts) {
			t.Errorf("%s: %v", name, err)
		}
		u, err := Unwrap([]byte(strings.Repeat(raw, maxParts)), Options{})
		if err != nil || len(u.Text) != 0 || u.Kind != Plain {
			t.Errorf("%s: %v %v", name, u.Kind, err)
		}
	}
}
