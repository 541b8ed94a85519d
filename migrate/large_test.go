package migrate

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestLargeValues: values of very many tokens are judged, one after the other,
// and so is what stands beside and behind them.
func TestLargeValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	tail := []byte(`[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}]]`)
	large := append(append([]byte("["), bytes.Repeat([]byte("0,"), 4<<20+1)...), tail...)
	const n = 5
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("b"))
		for i := 0; i < n && err == nil; i++ {
			err = b.Put(fmt.Appendf(nil, "k%d", i), large)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	sum := Scan(context.Background(), path, Options{Workers: 3}, func(Event) {})
	if sum.Exit != exitLeft || sum.Poisoned != n || sum.Histories != n || sum.Unreadable != 0 {
		t.Errorf("%+v", sum)
	}
}
