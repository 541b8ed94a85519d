package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/migrate"
)

// checkCost shows what part of a scan the page check is, on the file of large
// values and on one of small ones, and how long a live scan of the same takes.
// A scan holds a check.
func checkCost(dir, large string, mib, runs int) error {
	small := filepath.Join(dir, "values-small.db")
	if err := makeSmall(small, mib<<20/4); err != nil {
		return err
	}
	for _, c := range []struct{ what, path string }{{"10 KiB", large}, {"300 bytes", small}} {
		var checks, scans, ratios, lives []float64
		for range runs + 1 {
			start := time.Now()
			sum := migrate.Check(context.Background(), c.path, migrate.Options{}, func(migrate.Event) {})
			a := time.Since(start).Seconds()
			start = time.Now()
			scan := migrate.Scan(context.Background(), c.path, migrate.Options{}, func(migrate.Event) {})
			b := time.Since(start).Seconds()
			start = time.Now()
			live := migrate.Scan(context.Background(), c.path, migrate.Options{Live: true}, func(migrate.Event) {})
			lives = append(lives, time.Since(start).Seconds()/b)
			if live.Histories != scan.Histories || live.Poisoned != scan.Poisoned {
				return fmt.Errorf("scan found %d poisoned conversations of %d, a live scan %d of %d", scan.Poisoned, scan.Histories, live.Poisoned, live.Histories)
			}
			if sum.Exit != 0 || scan.Exit > 1 || scan.Histories == 0 {
				return fmt.Errorf("check of %s: %s, scan: %s", c.path, sum.Verdict, scan.Verdict)
			}
			checks, scans, ratios = append(checks, a), append(scans, b), append(ratios, a/b)
		}
		fmt.Printf("values of %s: page check %.3f s, scan %.3f s: %.2f of it; live scan %.2f of it, median of %d\n",
			c.what, median(checks[1:]), median(scans[1:]), median(ratios[1:]), median(lives[1:]), runs)
	}
	return nil
}

// makeSmall makes a database of short conversations, which an app stores in
// any order.
func makeSmall(path string, size int) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 4))
	for done := 0; done < size && err == nil; {
		err = db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("conversations"))
			for i := 0; i < putsAtOnce*4 && err == nil; i++ {
				v, _ := json.Marshal([]message{
					{Role: "user", Content: prose(r, 60)}, {Role: "assistant", Content: prose(r, 150)},
				})
				done += len(v)
				err = b.Put(fmt.Appendf(nil, "conv-%09d", r.IntN(1e9)), v)
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	return db.Close()
}
