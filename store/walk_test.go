package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// walkText writes what a walk sees, a line a bucket or value.
func walkText(t *testing.T, v *View, enter func(*Bucket) error) string {
	t.Helper()
	var b strings.Builder
	err := v.Walk(func(it Item) error {
		fmt.Fprintf(&b, "%s/%s=%s\n", it.Bucket.Encoded, EncodeName(it.Key), it.Value)
		return nil
	}, func(x *Bucket) error {
		fmt.Fprintf(&b, "[%s %d %d]\n", x.Encoded, x.Depth, x.Sequence)
		if EncodePath(x.Path) != x.Encoded || len(x.Path) != x.Depth {
			t.Errorf("bucket %+v contradicts itself", x)
		}
		if enter != nil {
			return enter(x)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func view(t *testing.T, path string) *View {
	t.Helper()
	db := open(t, path)
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func TestWalkOrder(t *testing.T) {
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		for _, p := range []struct {
			path  [][]byte
			pairs []string
		}{
			{names("b"), []string{"1", "x", "z", ""}},
			{names("b", "m", "n"), []string{"k", "deep"}},
			{names("b", "m"), []string{"a", "before", "o", "after"}},
			{names("a"), nil},
			{names("c\n"), []string{"/", "v"}},
		} {
			if err := put(tx, p.path, p.pairs...); err != nil {
				return err
			}
		}
		return tx.Bucket([]byte("b")).SetSequence(7)
	})
	v := view(t, path)
	want := "[a 1 0]\n[b 1 7]\nb/1=x\n[b/m 2 0]\nb/m/a=before\n[b/m/n 3 0]\nb/m/n/k=deep\nb/m/o=after\nb/z=\n[c%0A 1 0]\nc%0A/%2F=v\n"
	if got := walkText(t, v, nil); got != want {
		t.Errorf("walk saw\n%s\nwant\n%s", got, want)
	}
	got := walkText(t, v, func(b *Bucket) error {
		if b.Encoded == "b/m" {
			return SkipBucket
		}
		return nil
	})
	if strings.Contains(got, "b/m/") || !strings.Contains(got, "b/z=") {
		t.Errorf("a walk that skips b/m saw\n%s", got)
	}
}

func TestWalkEndsWithTheCallersError(t *testing.T) {
	v := view(t, newDB(t, nil, plain))
	stop := errors.New("stop")
	if err := v.Walk(func(Item) error { return stop }, nil); err != stop {
		t.Errorf("error of a value is %v", err)
	}
	if err := v.Walk(func(Item) error { return nil }, func(*Bucket) error { return stop }); err != stop {
		t.Errorf("error of a bucket is %v", err)
	}
	if err := v.WalkBucket(names("chats"), func(Item) error { return stop }); err != stop {
		t.Errorf("error of one bucket's value is %v", err)
	}
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("panic is %v", r)
		}
	}()
	v.Walk(func(Item) error { panic("mine") }, nil)
}

func TestLookups(t *testing.T) {
	v := view(t, newDB(t, nil, plain))
	for _, c := range []struct {
		path  [][]byte
		key   string
		value string
		ok    bool
	}{
		{names("chats"), "1", "one", true},
		{names("chats"), "3", "", true},
		{names("chats"), "4", "", false},
		{names("chats"), "deep", "", false},
		{names("chats", "1"), "x", "", false},
		{names("none"), "x", "", false},
		{names("chats", "deep", "deeper"), "\x00\xff", "bin\x00ary", true},
		{nil, "chats", "", false},
	} {
		got, ok := v.Get(c.path, []byte(c.key))
		if string(got) != c.value || ok != c.ok || ok && got == nil {
			t.Errorf("Get(%q, %q) = %q, %v", c.path, c.key, got, ok)
		}
	}
	if err := v.WalkBucket(names("none"), nil); !errors.Is(err, ErrNoBucket) {
		t.Errorf("walk of no bucket: %v", err)
	}
	var keys []string
	v.WalkBucket(names("chats"), func(it Item) error { keys = append(keys, string(it.Key)); return nil })
	if strings.Join(keys, " ") != "1 2 3" {
		t.Errorf("keys are %q", keys)
	}
	if v.Err() != nil {
		t.Error(v.Err())
	}
}

// A chain of thousands of buckets is no recursion.
func TestWalkDeep(t *testing.T) {
	const depth = 3000
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		b := tx.Cursor().Bucket()
		for range depth {
			var err error
			if b, err = b.CreateBucket([]byte("b")); err != nil {
				return err
			}
		}
		return b.Put([]byte("k"), []byte("v"))
	})
	v := view(t, path)
	var last *Bucket
	if err := v.Walk(func(it Item) error { last = it.Bucket; return nil }, nil); err != nil {
		t.Fatal(err)
	}
	if last == nil || last.Depth != depth || len(last.Encoded) != 2*depth-1 {
		t.Errorf("the deepest bucket is %+v", last)
	}
	if _, ok := v.Get(last.Path, []byte("k")); !ok {
		t.Error("its value is not found")
	}
}

// Buckets that were given out stay what they were: siblings share no names.
func TestWalkBucketsStay(t *testing.T) {
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		for i := range 4 {
			for j := range 4 {
				for _, z := range []string{"z1", "z2"} {
					p := names("top", fmt.Sprint("x", i), fmt.Sprint("y", j), z)
					if err := put(tx, p, "k", "v"); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
	v := view(t, path)
	var all []*Bucket
	v.Walk(func(Item) error { return nil }, func(b *Bucket) error { all = append(all, b); return nil })
	if len(all) != 1+4+16+32 {
		t.Errorf("%d buckets", len(all))
	}
	for _, b := range all {
		if EncodePath(b.Path) != b.Encoded {
			t.Errorf("path of %s became %q", b.Encoded, b.Path)
		}
	}
}

// Views are for any number of goroutines.
func TestViewsTogether(t *testing.T) {
	path := newDB(t, nil, plain)
	db := open(t, path)
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			own, err := db.View()
			if err != nil {
				t.Error(err)
				return
			}
			defer own.Close()
			for range 100 {
				for _, x := range []*View{v, own} {
					n := 0
					x.Walk(func(Item) error { n++; return nil }, nil)
					if _, ok := x.Get(names("chats"), []byte("2")); n != 4 || !ok {
						t.Errorf("%d values, %v", n, ok)
					}
				}
			}
		})
	}
	wg.Wait()
}

// A file that is cut short under a view is an error, no crash.
func TestFileCutShortUnderAView(t *testing.T) {
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		for i := range 200 {
			if err := put(tx, names("b"), fmt.Sprint(i), strings.Repeat("x", 5000)); err != nil {
				return err
			}
		}
		return nil
	})
	whole := snap(t, path)
	v := view(t, path)
	if err := os.Truncate(path, 3*4096); err != nil {
		t.Fatal(err)
	}
	sum := 0
	err := v.Walk(func(it Item) error {
		for _, c := range it.Value {
			sum += int(c)
		}
		return nil
	}, nil)
	wantError(t, err, CodeDamaged, ErrDamaged, "cut short")
	if _, ok := v.Get(names("b"), []byte("99")); ok || v.Err() == nil {
		t.Errorf("Get found something, error %v", v.Err())
	}
	os.WriteFile(path, whole.bytes, 0o600)
}
