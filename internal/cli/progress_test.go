package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// A clock that a test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func TestProgress(t *testing.T) {
	c := &clock{t: time.Unix(0, 0)}
	var out bytes.Buffer
	g := &progress{w: &out, width: 80, now: c.now}

	for range 100 {
		g.update("scan", 10, 1000)
		c.pass(time.Millisecond)
	}
	g.update("backup", 5, 10) // a new phase begins anew
	c.pass(250 * time.Millisecond)
	g.update("backup", 6, 10)
	g.clear()
	if out.Len() > 0 {
		t.Fatalf("short work shows %q", out.String())
	}

	c.pass(progressDelay)
	g.update("apply", 1, 1000)
	draws := 0
	for i := range 1000 {
		before := out.Len()
		g.update("apply", int64(i), 1000)
		if out.Len() > before {
			draws++
		}
		c.pass(time.Millisecond)
	}
	if draws < 6 || draws > 8 { // 700 ms of it are shown
		t.Errorf("%d draws", draws)
	}
	if !strings.Contains(out.String(), "apply") {
		t.Errorf("no phase in %q", out.String())
	}
	g.update("apply", 1000, 1000)
	g.clear()
	if !strings.HasSuffix(out.String(), "\x1b[2K\r") {
		t.Errorf("not gone at the end: %q", out.String())
	}

	out.Reset()
	g.update("unknown", 1, 0)
	c.pass(progressDelay)
	g.update("unknown", 2, -1)
	if !strings.Contains(out.String(), "unknown") {
		t.Errorf("unknown length shows %q", out.String())
	}
}

// Workers report from many goroutines while lines are written.
func TestProgressRace(t *testing.T) {
	g := &progress{w: &bytes.Buffer{}, width: 80, now: time.Now}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 1000 {
				g.update("scan", int64(i), 1000)
				g.clear()
			}
		})
	}
	wg.Wait()
}

func TestNoProgress(t *testing.T) {
	p := &program{stderr: &bytes.Buffer{}}
	if g := p.progress(options{}); g != nil {
		t.Errorf("progress where there is no terminal")
	}
	var g *progress
	g.clear()
}
