package page

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

//go:generate go run -C ../../internal/bolt13 . ../../store/page/testdata/bolt13

// TestBolt13 checks files that bbolt 1.3 made, of each page size, kind of
// freelist, and with and without a freelist in the file: nothing is wrong with
// them, and one page that is lost is found.
func TestBolt13(t *testing.T) {
	names, err := filepath.Glob("testdata/bolt13/*.db.gz")
	if err != nil || len(names) != 7*2*2 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		what := strings.Split(strings.TrimSuffix(filepath.Base(name), ".db.gz"), "-")
		t.Run(strings.Join(what, "-"), func(t *testing.T) {
			size, err := strconv.Atoi(what[0])
			if err != nil {
				t.Fatal(err)
			}
			m := &image{unpack(t, name), size}
			res := sound(t, m)
			if res.Metas.PageSize != size {
				t.Errorf("page size %d", res.Metas.PageSize)
			}
			live := res.Metas.Meta[res.Metas.Live]
			if stored := live.Freelist != NoFreelist; stored != (what[2] == "stored") {
				t.Errorf("a freelist is stored: %v", stored)
			}
			if res.Free == 0 || res.Reachable < 15 {
				t.Errorf("%d pages in use, %d free: not much of a file", res.Reachable, res.Free)
			}
			if err := walkWithBolt(t, m.b); err != nil {
				t.Errorf("the present bbolt's walk: %v", err)
			}
			p := m.bucket("outer", "inner")
			clear(m.page(p)[:size])
			if res, ps := m.check(t); res.Errors != 1 || ps[0].Page != p || ps[0].Bucket != "outer/inner" {
				t.Errorf("with page %d lost: %v", p, ps)
			}
		})
	}
}

// unpack reads a compressed file.
func unpack(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
