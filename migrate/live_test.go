package migrate

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boltmend/store"
)

var (
	liveFor = flag.Duration("live", 5*time.Second, "how long to scan a file that is written to, with each writer")
	liveMiB = flag.Int("livemib", 32, "how large that file is at first, in MiB")
)

// writerVar makes the test binary an app that writes to the file named.
const writerVar = "MIGRATE_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerVar); path != "" {
		if err := beApp(path, os.Args[1] == "nosync"); err != nil {
			fmt.Fprintln(os.Stderr, "writer:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// wantRetries is how many leaves are to be read in vain while the app writes as
// fast as it can; on a busy machine the test ends with fewer, but with no less
// than leastRetries.
const (
	wantRetries  = 10_000
	leastRetries = 500
)

// TestLive scans a database again and again while an app in another process
// commits all the time: conversations put, changed and deleted, large ones,
// buckets made and dropped, the file growing. Every state that it commits is
// sound. So a finding, a value that cannot be read, one that mixes two states,
// or damage would be false.
func TestLive(t *testing.T) {
	for _, mode := range []string{"nosync", "sync"} {
		t.Run(mode, func(t *testing.T) { liveAgainst(t, mode) })
	}
}

func liveAgainst(t *testing.T, mode string) {
	if testing.Short() {
		t.Skip("takes its time")
	}
	path := filepath.Join(t.TempDir(), "live.db")
	begin, stop := startApp(t, path, mode)
	small, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	retries, passes, values := 0, 0, 0
	for began := time.Now(); time.Since(began) < *liveFor ||
		mode == "nosync" && retries < wantRetries && time.Since(began) < 8**liveFor; passes++ {
		n, seen := livePass(t, path, passes%4 == 0)
		retries, values = retries+n, values+seen
	}
	commits := stop()
	now, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d full passes over %d values, %d retries, %d commits meanwhile, from %d to %d MiB",
		mode, passes, values, retries, commits-begin, small.Size()>>20, now.Size()>>20)
	// With sync a busy machine may not come as far as to make the file grow.
	if values == 0 || commits == begin || mode == "nosync" && (now.Size() <= small.Size() || retries < leastRetries) {
		t.Errorf("not much was tried")
	}
}

// livePass is one scan, or a walk alone. It returns the retries and how many
// values it saw.
func livePass(t *testing.T, path string, scans bool) (retries, values int) {
	t.Helper()
	var said log
	r, err := newRun(path, Options{Live: true, LockWait: 20 * time.Second}, said.emit)
	if err != nil {
		t.Fatal(err)
	}
	p, err := store.OpenPages(path, r.pagesOptions(context.Background()))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	whole := wholeValues{Pages: p}
	r.source = &whole
	if scans {
		err = r.scanAll(context.Background(), &whole)
	} else {
		err = whole.Walk(func(store.Item) error { return nil }, nil)
		r.sum.Verdict = VerdictSound
	}
	if err != nil {
		t.Fatal(err)
	}
	r.pages(p)
	s := r.sum
	if s.Poisoned+s.Unreadable+s.Unrecognised+p.Passed() > 0 || s.Verdict != VerdictSound || len(said.lines) > 0 {
		t.Fatalf("%+v, %d passed over; %.3000s", s, p.Passed(), strings.Join(said.lines, "\n"))
	}
	if whole.mixed != "" {
		t.Fatal(whole.mixed)
	}
	return p.Retries(), whole.n
}

// wholeValues looks at each value that a walk sees: its key and one version
// stand all over it.
type wholeValues struct {
	*store.Pages
	n     int
	mixed string
}

func (w *wholeValues) Walk(fn func(store.Item) error, enter func(*store.Bucket) error) error {
	return w.Pages.Walk(func(it store.Item) error {
		if w.n++; it.Bucket.Depth > 1 { // conversations in rows
			return fn(it)
		}
		want, _, _ := strings.Cut(string(it.Value[len(opening):]), " ")
		if !strings.HasPrefix(want, string(it.Key)+"@") || bytes.Count(it.Value, []byte(want)) != stamps(len(it.Value)) {
			w.mixed = fmt.Sprintf("%s/%s is mixed: %.300q", it.Bucket.Encoded, it.Key, it.Value)
		}
		return fn(it)
	}, enter)
}

// startApp starts the app and waits until the file has its size. stop ends the
// app and returns how often it committed.
func startApp(t *testing.T, path, mode string) (commits int, stop func() int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], mode, fmt.Sprint(*liveMiB))
	cmd.Env = append(os.Environ(), writerVar+"="+path)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if _, err := fmt.Fscanln(stdout, &commits); err != nil {
		t.Fatalf("the app did not start: %v", err)
	}
	return commits, func() (n int) {
		stdin.Close()
		if _, err := fmt.Fscanln(stdout, &n); err != nil {
			t.Fatalf("the app failed: %v", err)
		}
		io.Copy(io.Discard, stdout)
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		return n
	}
}
