package cli

import (
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const (
	// Work shorter than this shows no progress.
	progressDelay = 300 * time.Millisecond
	// A bar is drawn again no sooner than this.
	progressEvery = 100 * time.Millisecond
)

// A progress shows how far a phase is, on the last line of a terminal. A nil
// one shows nothing.
type progress struct {
	w     io.Writer
	width int
	now   func() time.Time

	mu    sync.Mutex
	phase string
	began time.Time
	drawn time.Time
	bar   *progressbar.ProgressBar
}

// progress returns where to show progress: nowhere unless stderr is a
// terminal and the report is text for people.
func (p *program) progress(o options) *progress {
	if o.json || o.quiet || !isTerminal(p.stderr) {
		return nil
	}
	width, _, err := term.GetSize(int(p.stderr.(*os.File).Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	return &progress{w: p.stderr, width: width, now: time.Now}
}

// update is called as often as the work likes, from any goroutine.
func (g *progress) update(phase string, done, total int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if phase != g.phase {
		g.erase()
		g.phase, g.began, g.bar = phase, now, g.newBar(phase, total)
	}
	if now.Sub(g.began) < progressDelay || now.Sub(g.drawn) < progressEvery || done <= 0 {
		return
	}
	g.drawn = now
	if total > 0 && done >= total {
		g.erase() // what follows takes no time, or is another phase
		return
	}
	g.bar.Set64(done)
}

// newBar makes a bar whose clock starts now and that draws nothing yet.
func (g *progress) newBar(phase string, total int64) *progressbar.ProgressBar {
	if total <= 0 {
		total = -1 // unknown: a count and a rate, no bar
	}
	bar := progressbar.NewOptions64(total,
		// A writer that is no file: the library would fsync it each time.
		progressbar.OptionSetWriter(struct{ io.Writer }{g.w}),
		progressbar.OptionSetDescription(phase),
		progressbar.OptionSetWidth(max(0, min(30, g.width-60))),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionSetPredictTime(true),
		// Else a goroutine draws it until the end of time.
		progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionUseANSICodes(runtime.GOOS != "windows"),
		progressbar.OptionClearOnFinish(),
	)
	bar.StartWithoutRender()
	return bar
}

// clear takes the bar off the screen, so that a line can be written. The next
// update draws it again.
func (g *progress) clear() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.erase()
}

func (g *progress) erase() {
	if g.bar != nil {
		g.bar.Clear()
	}
}
