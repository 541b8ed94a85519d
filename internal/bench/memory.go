package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boltmend/migrate"
)

// memory shows the peak anonymous memory of scan and repair on a small and on
// a large file, each in a process of its own.
func memory(small, large string, mib int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, what := range []string{"scan", "repair"} {
		var peak [2]int
		for i, file := range []string{small, large} {
			out, err := exec.Command(self, "-child", what, "-file", file).Output()
			if err != nil {
				return fmt.Errorf("%s of %s: %w", what, filepath.Base(file), err)
			}
			if peak[i], err = strconv.Atoi(strings.TrimSpace(string(out))); err != nil {
				return err
			}
		}
		fmt.Printf("peak anonymous memory of %s: %.1f MiB at 64 MiB, %.1f MiB at %d MiB\n",
			what, float64(peak[0])/1024, float64(peak[1])/1024, mib)
	}
	return nil
}

// measure does one thing and prints the peak of RssAnon in KiB.
func measure(what, file string) error {
	done := make(chan int)
	stop := make(chan struct{})
	go func() {
		peak := 0
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			peak = max(peak, rssAnon())
			select {
			case <-stop:
				done <- peak
				return
			case <-tick.C:
			}
		}
	}()
	var sum migrate.Summary
	if what == "scan" {
		sum = migrate.Scan(context.Background(), file, migrate.Options{}, func(migrate.Event) {})
	} else {
		sum = migrate.Repair(context.Background(), file, migrate.Options{}, func(migrate.Event) {})
	}
	close(stop)
	fmt.Println(<-done)
	if sum.Exit > 1 || sum.Poisoned == 0 {
		return fmt.Errorf("%s: verdict %s, exit %d", what, sum.Verdict, sum.Exit)
	}
	return nil
}

// rssAnon is the anonymous memory of this process in KiB, 0 where the system
// does not say.
func rssAnon() int {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if v, ok := strings.CutPrefix(s.Text(), "RssAnon:"); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(v), " kB"))
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}
