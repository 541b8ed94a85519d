package store

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"boltmend/store/page"
)

// A Pages reads a file page by page and by pread, without bbolt: a damaged one
// as far as it can be read, or one that its app writes to meanwhile. Its walks
// are those of a [View], and several may run at once. Every slice that it gives
// out is the caller's for as long as it likes, but not to be written to.
//
// Of a file that is written to (Options.Live), each leaf is read from the
// newest state that the file had at that moment: after it was read both metas
// and the path have to be the same as before, else the walk goes down again to
// the keys behind the last. So a value is never a mixture of two states, though
// two values may be from two.
type Pages struct {
	name string // the path as given
	path string // through all links
	opts Options
	size int64
	warn []string

	mu      sync.Mutex
	files   []*os.File // the last is the one that the path names
	fixed   page.Metas // of a file that nobody writes to
	list    []page.Problem
	more    int
	passed  atomic.Int64
	retries atomic.Int64

	// Tests: between is called between the metas and each page below a branch,
	// and blind leaves out reading the metas again.
	between func()
	blind   bool
}

const (
	// maxNamed bounds the problems that are kept; more are counted.
	maxNamed = 10_000

	// KindBusy is the kind of a problem that is none of the file: keys that
	// were passed over because the file was written to without pause.
	KindBusy = "busy"
	// Passed is its severity.
	Passed page.Severity = "passed"
)

// OpenPages opens a file that [Open] finds damaged, under the shared lock, or,
// with Options.Live, any file without a lock. Nothing is written to it. Errors
// are as those of Open; ErrDamaged only if neither meta counts, so that nothing
// can be read, and ErrUsage for a live file on a network file system, where
// what another machine writes is seen in no order.
func OpenPages(path string, o Options) (*Pages, error) {
	p := &Pages{name: path, opts: o}
	open := openLocked
	if o.Live {
		open = func(path string, _ Options) (*os.File, error) { return openFile(path, false) }
	}
	f, err := open(path, o)
	if err != nil {
		return nil, err
	}
	p.path, p.files = f.Name(), []*os.File{f}
	if err := p.begin(f); err != nil {
		return nil, also(err, p.Close())
	}
	return p, nil
}

func (p *Pages) begin(f *os.File) error {
	if err := p.from(networkFS(f)); err != nil {
		return err
	}
	a, err := p.look(p.opts.context())
	if err != nil {
		return err
	}
	p.fixed, p.size = a.metas, a.tree.Size
	return nil
}

// from takes note of a network file system, "" if it is none.
func (p *Pages) from(kind string) error {
	switch {
	case kind == "":
	case p.opts.Live:
		return usageError(p.path, "is on "+kind+", where writes of other machines are seen late and in any order: stop the app and run without --live")
	default:
		p.warn = append(p.warn, onNetwork(kind))
	}
	return nil
}

// onNetwork is the warning about a network file system.
func onNetwork(kind string) string {
	return "is on " + kind + ", where locks may not keep other processes out: close the app first"
}

// A state is what a walk reads from: one file as one meta has it.
type state struct {
	file  *os.File
	metas page.Metas
	tree  *page.Tree
}

// look reads both metas and returns the state that counts. While the app writes
// each may be caught half written, so a live file is damaged only if both stay
// so. That they are metas at all can be seen even then.
func (p *Pages) look(ctx context.Context) (state, error) {
	var last page.Metas
	began := time.Now()
	for try := 0; ; try++ {
		s, err := p.lookOnce()
		if !p.opts.Live || !errors.Is(err, ErrDamaged) {
			return s, err
		}
		same := try > 0 && s.metas.Meta[0].Raw == last.Meta[0].Raw && s.metas.Meta[1].Raw == last.Meta[1].Raw
		if same && time.Since(began) >= min(p.opts.LockWait, time.Second) {
			return s, err
		}
		last = s.metas
		select {
		case <-ctx.Done():
			return s, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

func (p *Pages) lookOnce() (s state, err error) {
	if s.file, err = p.current(); err != nil {
		return s, err
	}
	if s.metas, err = readMetas(s.file); err != nil {
		return s, err
	}
	// bbolt makes the file longer before a meta says so.
	size, err := fileSize(s.file)
	if err != nil {
		return s, err
	}
	s.tree = s.metas.Tree(s.file, size)
	return s, nil
}

// current returns the file that the path names: an app that compacts puts
// another one there.
func (p *Pages) current() (*os.File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.files[len(p.files)-1]
	if !p.opts.Live || p.names(f) {
		return f, nil
	}
	now, err := openFile(p.name, false)
	if err != nil {
		return nil, err
	}
	p.files = append(p.files, now)
	return now, nil
}

// names reports whether the path still names f.
func (p *Pages) names(f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(p.name)
	return err == nil && os.SameFile(mine, now)
}

// still reports whether what was read from a state is what it held: nothing of
// it was written to since.
func (p *Pages) still(s state) (bool, error) {
	if !p.opts.Live || p.blind {
		return true, nil
	}
	same, err := s.metas.Same(s.file)
	if err != nil {
		return false, ioError(p.path, "read the file", err)
	}
	return same && p.names(s.file), nil
}

// say keeps a problem.
func (p *Pages) say(problem page.Problem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.list) < maxNamed {
		p.list = append(p.list, problem)
	} else {
		p.more++
	}
}

// Problems returns what of the file could not be read so far, in the order in
// which walks came upon it, and how many more there are than are kept.
func (p *Pages) Problems() (list []page.Problem, more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list, p.more
}

// Passed counts the ranges of keys that were passed over, since the file was
// written to without pause.
func (p *Pages) Passed() int { return int(p.passed.Load()) }

// Retries counts leaves that were read for nothing, since the file was written
// to meanwhile.
func (p *Pages) Retries() int { return int(p.retries.Load()) }

// Warnings returns what the user should know, a line each.
func (p *Pages) Warnings() []string { return p.warn }

// Total returns the bytes that a walk goes through at most.
func (p *Pages) Total() int64 { return p.size }

// Err returns nil: what a lookup could not read is among the problems.
func (p *Pages) Err() error { return nil }

// Close gives up the file, and the lock if there is one.
func (p *Pages) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for _, f := range p.files {
		err = also(err, f.Close())
	}
	p.files = nil
	return err
}
