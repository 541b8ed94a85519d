package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

func TestOpenRefuses(t *testing.T) {
	sound, err := os.ReadFile(newDB(t, nil, plain))
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) func(string) error {
		return func(p string) error { return os.WriteFile(p, b, 0o600) }
	}
	damage := func(fn func(b []byte) []byte) func(string) error {
		return write(fn(append([]byte(nil), sound...)))
	}
	for _, c := range []struct {
		name  string
		make  func(path string) error
		code  string
		words string
	}{
		{"missing", func(string) error { return nil }, CodeNotDatabase, "no such file"},
		{"directory", func(p string) error { return os.Mkdir(p, 0o700) }, CodeNotDatabase, "directory"},
		{"empty", write(nil), CodeNotDatabase, "empty"},
		{"text", write([]byte("role: user\n")), CodeNotDatabase, "not a bbolt database"},
		{"long text", write(make([]byte, 1<<16)), CodeNotDatabase, "both meta pages are empty"},
		{"link to nothing", func(p string) error { return os.Symlink(p+".gone", p) }, CodeNotDatabase, "link to nothing"},
		{"both metas bad", damage(func(b []byte) []byte {
			b[16+20], b[4096+16+20] = b[16+20]^1, b[4096+16+20]^1
			return b
		}), CodeDamaged, "damaged"},
		{"cut short", damage(func(b []byte) []byte { return b[:4*4096] }), CodeDamaged, "page"},
		{"one page", damage(func(b []byte) []byte { return b[:4096] }), CodeDamaged, ""},
		{"bad leaf", damage(func(b []byte) []byte {
			m, _ := page.ReadMetas(bytes.NewReader(b), int64(len(b)))
			clear(b[m.Meta[m.Live].Root*4096:][:4096])
			return b
		}), CodeDamaged, "page"},
		{"root out of range", damage(func(b []byte) []byte { setRoot(b, 1<<40); return b }), CodeDamaged, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "x.db")
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
			before := files(t, dir)
			for _, o := range []Options{{}, {Write: true}} {
				db, err := Open(path, o)
				if err == nil {
					db.Close()
					t.Fatalf("Open(%+v) took it", o)
				}
				wantError(t, err, c.code, nil, c.words)
			}
			wantFiles(t, dir, before...)
			if st, err := os.Stat(path); c.name == "empty" && (err != nil || st.Size() != 0) {
				t.Errorf("the empty file was initialised")
			}
		})
	}
}

// setRoot changes the root page in both metas and makes their checksums fit.
func setRoot(b []byte, root uint64) {
	for _, off := range []int{16, 4096 + 16} {
		binary.NativeEndian.PutUint64(b[off+16:], root)
		h := fnv.New64a()
		h.Write(b[off : off+56])
		binary.NativeEndian.PutUint64(b[off+56:], h.Sum64())
	}
}

func TestOpenMissingMatchesNotExist(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "no.db"), Options{})
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, ErrNotDatabase) {
		t.Errorf("error is %v", err)
	}
}

func TestOpenThroughLink(t *testing.T) {
	path := newDB(t, nil, plain)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	db := open(t, link)
	if want, _ := filepath.EvalSymlinks(path); db.Path() != want {
		t.Errorf("path is %s, want %s", db.Path(), want)
	}
}

func TestReadingLeavesTheFile(t *testing.T) {
	for name, o := range map[string]*bolt.Options{"synced": {}, "no freelist": {NoFreelistSync: true}} {
		t.Run(name, func(t *testing.T) {
			path := newDB(t, o, plain)
			os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0))
			was := snap(t, path)
			db := open(t, path)
			v, err := db.View()
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			if err := v.Walk(func(Item) error { n++; return nil }, nil); err != nil || n != 4 {
				t.Errorf("walk saw %d values, %v", n, err)
			}
			if err := db.Close(); err == nil {
				t.Error("closed under an open view")
			}
			v.Close()
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			wantUntouched(t, path, was)
			wantFiles(t, filepath.Dir(path), "a.db")
		})
	}
}

// A writer that changes nothing changes nothing, whether or not a freelist is
// stored.
func TestWriterLeavesTheFile(t *testing.T) {
	for name, o := range map[string]*bolt.Options{"synced": {}, "no freelist": {NoFreelistSync: true}} {
		t.Run(name, func(t *testing.T) {
			path := newDB(t, o, plain)
			os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0))
			was := snap(t, path)
			w := begin(t, path)
			res, err := w.Apply(ctx, ApplyOptions{}, records("chats", "1", "2"), func(r Reader, rec Record) (Edits, error) {
				v, _ := r.Get(rec.Bucket, rec.Key)
				return Edits{Rows: []RowEdit{{Bucket: rec.Bucket, Key: rec.Key, Old: v, New: v}}}, nil
			}, nil)
			if err != nil || res.Unchanged != 2 || res.Journal != "" {
				t.Errorf("applied %+v, %v", res, err)
			}
			if err := w.Check(ctx); err != nil {
				t.Error(err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			wantUntouched(t, path, was)
			wantFiles(t, filepath.Dir(path), "a.db")
		})
	}
}

// A repair keeps a file without a stored freelist that way.
func TestFreelistStaysAsItWas(t *testing.T) {
	for name, o := range map[string]*bolt.Options{"synced": {}, "no freelist": {NoFreelistSync: true}} {
		t.Run(name, func(t *testing.T) {
			path := newDB(t, o, plain)
			w := begin(t, path)
			set(t, w, ApplyOptions{}, "chats", "1", "new")
			w.Close()
			db := open(t, path)
			none := db.metas.Meta[db.metas.Live].Freelist == page.NoFreelist
			if none != o.NoFreelistSync {
				t.Errorf("no freelist stored: %v, want %v", none, o.NoFreelistSync)
			}
		})
	}
}

func TestBeginSeesAnotherWriter(t *testing.T) {
	path := newDB(t, nil, plain)
	db, err := Open(path, Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	// The lock keeps other processes out; one that ignores it does this.
	raw, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	other := newDB(t, nil, func(tx *bolt.Tx) error { return put(tx, names("other"), "k", "v") })
	b, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.WriteAt(b, 0); err != nil {
		t.Fatal(err)
	}
	raw.Close()
	w, err := db.Begin(ctx, BeginOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !w.Moved() {
		t.Error("not moved")
	}
	v, err := w.View()
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := v.Get(names("other"), []byte("k")); !ok || string(got) != "v" {
		t.Errorf("value is %q, %v", got, ok)
	}
	v.Close()
}

func TestBeginNeedsAllViewsClosed(t *testing.T) {
	db, err := Open(newDB(t, nil, plain), Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Begin(ctx, BeginOptions{})
	wantError(t, err, CodeUsage, ErrUsage, "view")
	v.Close()
	w, err := db.Begin(ctx, BeginOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if w.Moved() {
		t.Error("moved, though nobody wrote")
	}
	w.Close()
}

func TestBeginSeesAReplacedFile(t *testing.T) {
	path := newDB(t, nil, plain)
	db, err := Open(path, Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	update(t, path+".new", nil, plain)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	_, err = db.Begin(ctx, BeginOptions{})
	wantError(t, err, CodeIO, ErrIO, "replaced")
}
