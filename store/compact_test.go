package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// The way of a repaired copy: compact, repair the private file, publish.
func TestCompactRepairPublish(t *testing.T) {
	path := newDB(t, nil, func(tx *bolt.Tx) error {
		if err := many(200, 3000)(tx); err != nil {
			return err
		}
		return plain(tx)
	})
	update(t, path, nil, func(tx *bolt.Tx) error { // leaves free pages
		for _, k := range keys(150) {
			if err := tx.Bucket([]byte("b")).Delete([]byte(k)); err != nil {
				return err
			}
		}
		return tx.Bucket([]byte("chats")).SetSequence(42)
	})
	was := snap(t, path)
	dir := t.TempDir()
	final := filepath.Join(dir, "new.db")
	db := open(t, path)
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	temp, err := Compact(ctx, v, final, nil)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(temp); err != nil || st.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("the copy has mode %v, %v", st.Mode(), err)
	}
	if got, want := dump(t, temp), dump(t, path); got != want {
		t.Error("the copy holds something else")
	}
	w := begin(t, temp)
	if res := set(t, w, ApplyOptions{NoJournal: true}, "chats", "1", "ONE"); res.Journal != "" {
		t.Errorf("journal %s", res.Journal)
	}
	if err := w.Check(ctx); err != nil {
		t.Error(err)
	}
	w.Close()
	warning, err := Publish(temp, final, db)
	if err != nil || warning != "" {
		t.Errorf("%q, %v", warning, err)
	}
	v.Close()
	db.Close()
	wantFiles(t, dir, "new.db")
	wantUntouched(t, path, was)
	wantFiles(t, filepath.Dir(path), "a.db")
	checkWithBolt(t, final)
	if st, _ := os.Stat(final); st.Size() >= int64(len(was.bytes)) {
		t.Errorf("the copy has %d bytes, the source %d", st.Size(), len(was.bytes))
	}
}

func TestCompactOfModels(t *testing.T) {
	for seed := range uint64(3) {
		m := randomModel(rand.New(rand.NewPCG(seed, 2)))
		path := newDB(t, &bolt.Options{PageSize: 1024 << seed, NoFreelistSync: seed == 1}, m.write)
		v := view(t, path)
		temp, err := Compact(ctx, v, filepath.Join(t.TempDir(), "new.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		wantModel(t, temp, m)
		checkWithBolt(t, temp)
		if got := open(t, temp).Identity().PageSize; got != 1024<<seed {
			t.Errorf("page size is %d", got)
		}
	}
}

// More than one transaction.
func TestCompactOfALargeFile(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	t.Parallel()
	path := newDB(t, nil, many(180, 400_000))
	before := dump(t, path)
	var last int64
	temp, err := Compact(ctx, view(t, path), filepath.Join(t.TempDir(), "new.db"), func(phase string, done, total int64) {
		if phase != "compact" || done < last || done > total {
			t.Errorf("%s at %d of %d after %d", phase, done, total, last)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	if dump(t, temp) != before {
		t.Error("the copy holds something else")
	}
	checkWithBolt(t, temp)
}

func TestCompactReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	final := filepath.Join(dir, "new.db")
	if err := os.WriteFile(final, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := newDB(t, nil, plain)
	v := view(t, path)
	_, err := Compact(ctx, v, final, nil)
	wantError(t, err, CodeUsage, ErrExists, "move it away")
	wantFiles(t, dir, "new.db")
	os.Remove(final)
	temp, err := Compact(ctx, v, final, nil)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(final, []byte("old"), 0o600)
	_, err = Publish(temp, final, open(t, path))
	wantError(t, err, CodeUsage, ErrExists)
	if b, _ := os.ReadFile(final); !bytes.Equal(b, []byte("old")) {
		t.Errorf("file holds %q", b)
	}
	os.Remove(final)
	// A killed run's copy is replaced, that of a live one is not.
	temp, err = Compact(ctx, v, final, nil)
	if err != nil {
		t.Fatal(err)
	}
	live := open(t, temp)
	_, err = Compact(ctx, v, final, nil)
	wantError(t, err, CodeLocked, ErrLocked)
	live.Close()
	if _, err = Compact(ctx, v, final, nil); err != nil {
		t.Error(err)
	}
}

func TestCompactCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(ctx)
	v := view(t, newDB(t, nil, many(10, 100)))
	_, err := Compact(ctx, v, filepath.Join(dir, "new.db"), func(_ string, done, _ int64) {
		if done > 500 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	wantFiles(t, dir)
}
