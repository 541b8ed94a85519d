// Bench measures boltmend against a straightforward program on one machine in
// one run: absolute times say little on a shared machine, ratios do.
//
//	go run ./internal/bench            scan against plain, and peak memory
//	go run ./internal/bench -mib 128   with a smaller file
//	go run ./internal/bench -check     the page check and a live scan against a scan
//
// The file holds conversations of 10 KiB with tools, made from a fixed seed;
// one in a hundred is poisoned. Runs alternate and medians of five are shown.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"boltmend/migrate"
)

func main() {
	mib := flag.Int("mib", 1024, "size of the large file in MiB")
	runs := flag.Int("runs", 5, "runs of each")
	check := flag.Bool("check", false, "only the page check against a scan")
	child := flag.String("child", "", "internal: what to measure in this process")
	file := flag.String("file", "", "internal: on which file")
	flag.Parse()
	var err error
	if *child != "" {
		err = measure(*child, *file)
	} else {
		err = bench(*mib, *runs, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(mib, runs int, check bool) error {
	dir, err := os.MkdirTemp("", "boltmend-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	large, small := filepath.Join(dir, "large.db"), filepath.Join(dir, "small.db")
	for path, size := range map[string]int{large: mib, small: 64} {
		if err := makeFile(path, size<<20); err != nil {
			return err
		}
	}
	if check {
		return checkCost(dir, large, mib, runs)
	}
	if err := speed(large, mib, runs); err != nil {
		return err
	}
	return memory(small, large, mib)
}

// speed runs scan and the plain program in turn.
func speed(path string, mib, runs int) error {
	var ours, plain, ratios []float64
	want := 0
	for range runs + 1 {
		start := time.Now()
		sum := migrate.Scan(context.Background(), path, migrate.Options{}, func(migrate.Event) {})
		a := time.Since(start).Seconds()
		start = time.Now()
		poisoned, err := plainScan(path)
		b := time.Since(start).Seconds()
		if err != nil {
			return err
		}
		if sum.Exit > 1 || sum.Poisoned == 0 || poisoned != sum.Poisoned {
			return fmt.Errorf("scan found %d poisoned conversations, the plain program %d (verdict %s)", sum.Poisoned, poisoned, sum.Verdict)
		}
		want = poisoned
		ours, plain, ratios = append(ours, a), append(plain, b), append(ratios, b/a)
	}
	// The first round warms the cache.
	a, b, r := median(ours[1:]), median(plain[1:]), median(ratios[1:])
	fmt.Printf("scan of %d MiB, %d CPUs, median of %d: %.3f s (%.0f MiB/s)\n", mib, runtime.GOMAXPROCS(0), runs, a, float64(mib)/a)
	fmt.Printf("plain walk, json.Unmarshal into []map[string]any: %.3f s\n", b)
	fmt.Printf("ratio, median of the pairs: %.1f times as fast (both found %d poisoned)\n", r, want)
	return nil
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}
