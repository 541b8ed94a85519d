package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// Whatever happens to a file, opening it ends, without a crash; and what the
// page check lets through can be read and written, and is sound afterwards.
func TestDamageIsRefusedOrHarmless(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	m := randomModel(r)
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		if err := many(60, 300)(tx); err != nil {
			return err
		}
		return m.write(tx)
	})
	sound := snap(t, path).bytes
	if len(sound) > 400<<10 {
		sound = sound[:len(sound)&^4095]
	}
	refused := 0
	for i := range 150 {
		b := append([]byte(nil), sound...)
		at := r.IntN(len(b)/4096) * 4096
		switch i % 4 {
		case 0: // one bit, where the structure is
			b[at+r.IntN(200)] ^= 1 << r.IntN(8)
		case 1:
			clear(b[at : at+4096])
		case 2:
			copy(b[at:at+4096], b[r.IntN(len(b)/4096)*4096:])
		case 3:
			copy(b[at+r.IntN(8)*512:], randomBytes(r, 512))
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := Open(path, Options{Write: true})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("damage %d: %v", i, err)
			}
			refused++
			continue
		}
		v, err := db.View()
		if err != nil {
			t.Fatal(err)
		}
		first := Item{}
		err = v.Walk(func(it Item) error {
			if first.Bucket == nil {
				first = Item{it.Bucket, append([]byte(nil), it.Key...), nil}
			}
			return nil
		}, nil)
		v.Close()
		if err != nil {
			t.Errorf("damage %d got through and cannot be read: %v", i, err)
			continue
		}
		w, err := db.Begin(ctx, BeginOptions{})
		if err != nil {
			t.Fatalf("damage %d: %v", i, err)
		}
		if first.Bucket != nil {
			rec := func(yield func(Record) bool) { yield(Record{Ref: "r", Bucket: first.Bucket.Path, Key: first.Key}) }
			if _, err := w.Apply(ctx, ApplyOptions{NoJournal: true}, rec, upper, nil); err != nil {
				t.Errorf("damage %d got through and cannot be written: %v", i, err)
			}
		}
		if err := w.Check(ctx); err != nil {
			t.Errorf("damage %d got through and spread: %v", i, err)
		}
		w.Close()
	}
	t.Logf("%d of 150 refused", refused)
	if refused < 20 {
		t.Errorf("only %d refused", refused)
	}
	os.WriteFile(path, sound, 0o600)
}

func TestCheckPages(t *testing.T) {
	path := newDB(t, nil, plain)
	was := snap(t, path)
	res, err := CheckPages(path, Options{}, 0, func(p page.Problem) { t.Error(p) })
	if err != nil || res.Errors != 0 || res.Reachable < 4 {
		t.Errorf("result %+v, %v", res, err)
	}
	wantUntouched(t, path, was)
	b := append([]byte(nil), was.bytes...)
	clear(b[res.Metas.Meta[res.Metas.Live].Root*4096:][:4096])
	os.WriteFile(path, b, 0o600)
	n := 0
	if res, err = CheckPages(path, Options{}, 0, func(page.Problem) { n++ }); err != nil || res.Errors == 0 || n == 0 {
		t.Errorf("result of a damaged file %+v, %v, %d problems", res, err, n)
	}
	os.WriteFile(path, was.bytes, 0o600)
	_, err = CheckPages(path+".none", Options{}, 0, nil)
	wantError(t, err, CodeNotDatabase, ErrNotDatabase, "no such file")
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(newDB(t, nil, plain), Options{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestProgressIsTold(t *testing.T) {
	path := newDB(t, nil, many(50, 2000))
	told := map[string]int64{}
	progress := func(phase string, done, total int64) {
		if done < told[phase] || total > 0 && done > total {
			t.Errorf("%s at %d of %d after %d", phase, done, total, told[phase])
		}
		told[phase] = done
	}
	db, err := Open(path, Options{Write: true, Progress: progress, LockWait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w, err := db.Begin(ctx, BeginOptions{Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Backup(""); err != nil {
		t.Fatal(err)
	}
	res, err := w.Apply(ctx, ApplyOptions{Progress: progress}, records("b", keys(50)...), upper, nil)
	if err != nil || res.Changed != 50 {
		t.Fatalf("applied %+v, %v", res, err)
	}
	if len(told) != 3 || told["apply"] != 100_000 || told["backup"] == 0 || told["check"] == 0 {
		t.Errorf("told %v", told)
	}
}

func TestIsBackup(t *testing.T) {
	for name, want := range map[string]bool{
		"a.db.boltmend-12.bak": true, "x/a.db.boltmend-12.bak": true, "a.db.boltmend-12-0123abcd.bak": true,
		"a.db": false, "a.boltmend-.bak": false, "a.boltmend-x.bak": false, "a.boltmend-1.journal": false, "a.bak": false,
	} {
		if got := IsBackup(name); got != want {
			t.Errorf("IsBackup(%q) = %v", name, got)
		}
	}
	path := newDB(t, nil, plain)
	for _, dir := range []string{"", t.TempDir()} {
		if got, err := begin(t, path).Backup(dir); err != nil || !IsBackup(got) {
			t.Errorf("%s is no backup, %v", got, err)
		}
		path = newDB(t, nil, plain)
	}
}
