package codec

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// talk is n bytes or more of a conversation, about as compressible as one.
func talk(n int) string {
	rnd := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields(`the of and to a in is that for it as was with be by on not he his but at are this have from or had an they
which one you were all her she there would their we him been has when who will no more if out so said what up its about than into
them can only other time new some could these two may first then do any like my now over such our man me even most made after also did
many before must well back through years where much your way down should because long each just state those people too mister good`)
	var s strings.Builder
	s.WriteString(`{"messages":[`)
	for i := 0; s.Len() < n; i++ {
		if i > 0 {
			s.WriteByte(',')
		}
		fmt.Fprintf(&s, `{"role":"user","id":"call_%08x","content":"`, rnd.Uint32())
		for range 20 + rnd.IntN(80) {
			s.WriteString(words[min(rnd.IntN(len(words)), rnd.IntN(len(words)))])
			s.WriteByte(' ')
		}
		s.WriteString(`\n\"end\""}`)
	}
	s.WriteString("]}")
	return s.String()
}

func BenchmarkUnwrap(b *testing.B) {
	for _, size := range []int{10 << 10, 1 << 20} {
		text := talk(size)
		for _, v := range []struct{ name, raw string }{
			{"json", text}, {"gzip", gz(text)}, {"zstd", zs(text)}, {"zstd-stream", zsStream(text)}, {"prefix", "\x01" + text},
			{"base64", b64(text)},
		} {
			b.Run(fmt.Sprintf("%s/%dK", v.name, size>>10), func(b *testing.B) {
				var c Codec
				raw := []byte(v.raw)
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if u, err := c.Unwrap(raw, Options{}); err != nil || len(u.Text) != len(text) {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(text))/float64(len(raw)), "ratio")
			})
		}
	}
}

// BenchmarkBare is what the decoders take by themselves, into memory that is there.
func BenchmarkBare(b *testing.B) {
	text := talk(1 << 20)
	room := make([]byte, len(text)+1)
	b.Run("gzip", func(b *testing.B) {
		raw, r := gz(text), new(gzip.Reader)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if err := r.Reset(strings.NewReader(raw)); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(r, room); err != io.ErrUnexpectedEOF {
				b.Fatal(err)
			}
		}
	})
	b.Run("zstd", func(b *testing.B) {
		raw := []byte(zs(text))
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			b.Fatal(err)
		}
		room = make([]byte, 0, 2*len(text))
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := d.DecodeAll(raw, room); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRewrap(b *testing.B) {
	for _, size := range []int{10 << 10, 1 << 20} {
		text := talk(size)
		for _, v := range []struct{ name, raw string }{{"gzip", gz(text)}, {"zstd", zs(text)}} {
			b.Run(fmt.Sprintf("%s/%dK", v.name, size>>10), func(b *testing.B) {
				var c Codec
				u, err := c.Unwrap([]byte(v.raw), Options{})
				if err != nil {
					b.Fatal(err)
				}
				changed := []byte(strings.Replace(text, "end", "END", 1))
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := u.Rewrap(changed); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkStrings(b *testing.B) {
	plain, args := talk(1<<20), strings.Builder{}
	args.WriteString("[0")
	for range 5000 {
		args.WriteString(`,{"name":"f","arguments":"{\"path\":\"/tmp/some/file\",\"line\":12,\"text\":\"a few words\"}"}`)
	}
	args.WriteString("]")
	for _, v := range []struct{ name, doc string }{{"none", plain}, {"arguments", args.String()}} {
		b.Run(v.name, func(b *testing.B) {
			d := parse(b, v.doc)
			var c Codec
			b.SetBytes(int64(len(v.doc)))
			b.ReportAllocs()
			for b.Loop() {
				for range c.Strings(d, Options{}) {
				}
			}
		})
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, v := range []struct{ name, raw string }{
		{"number", "\x00\x00\x00\x00\x00\x00\x01\x2c"}, {"word", "some setting"}, {"text", strings.Repeat("lorem ipsum ", 1000)},
	} {
		b.Run(v.name, func(b *testing.B) {
			var c Codec
			raw := []byte(v.raw)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Unwrap(raw, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
