package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// BeginOptions of [DB.Begin].
type BeginOptions struct {
	// LockWait is how long to wait for the exclusive lock; 0 tries once.
	LockWait time.Duration
	// Progress, if set, is told how far a second page check and the backup are.
	Progress Progress
}

// A Writer is a database under the exclusive lock, open for writing. It is
// for one goroutine. Everything that needs the lock has to be done before
// Close.
type Writer struct {
	db    *DB
	bolt  *bolt.DB
	ctx   context.Context
	opts  BeginOptions
	metas page.Metas
	id    Identity

	backup  string
	moved   bool
	applied bool
	broken  bool // bbolt panicked inside a transaction and keeps its own locks
	views   int
}

// Begin turns the shared lock into the exclusive one and opens the file for
// writing, without letting go of the descriptor that was checked. If another
// process wrote in between, the page check runs again and [Writer.Moved]
// tells. The database has to be open for Write and its views closed: otherwise
// the error matches ErrUsage and nothing has happened. In all other cases db is
// used up, and closed if there is an error. ctx also ends a backup. Errors match
// ErrLocked, ErrDamaged or ErrIO.
func (db *DB) Begin(ctx context.Context, o BeginOptions) (*Writer, error) {
	if !db.opts.Write {
		return nil, usageError(db.id.Path, "the database was opened for reading only")
	}
	if err := db.closeBolt(); err != nil {
		return nil, err
	}
	if db.file == nil {
		return nil, usageError(db.id.Path, "the database is closed")
	}
	db.ahead.stop()
	w := &Writer{db: db, ctx: ctx, opts: o, metas: db.metas, id: db.id}
	begin := w.takeOver
	if !handover {
		begin = w.reopen
	}
	if err := begin(); err != nil {
		return nil, also(err, w.Close())
	}
	w.sweep()
	return w, nil
}

// takeOver locks, looks, and gives bbolt a duplicate of the descriptor, in
// this order.
func (w *Writer) takeOver() error {
	if err := lockFile(w.ctx, w.db.file, w.id.Path, true, w.opts.LockWait); err != nil {
		return err
	}
	if err := w.compare(); err != nil {
		return err
	}
	var err error
	w.bolt, err = openBolt(w.db.file, w.metas, true, 0)
	return err
}

// reopen is for systems that cannot hand a lock over: bbolt opens and locks
// first, and only then can the file be looked at.
func (w *Writer) reopen() error {
	if err := unlock(w.db.file); err != nil {
		return ioError(w.id.Path, "unlock the file", err)
	}
	var err error
	if w.bolt, err = openBolt(w.db.file, w.metas, true, w.opts.LockWait); err != nil {
		return err
	}
	return w.compare()
}

// compare makes sure that the file is the one that was planned on, and checks
// its pages again if it has moved.
func (w *Writer) compare() error {
	if err := stillThere(w.db.file); err != nil {
		return err
	}
	now, err := readMetas(w.db.file)
	if err != nil {
		return err
	}
	w.moved = now.Meta[0].Raw != w.id.Meta[0] || now.Meta[1].Raw != w.id.Meta[1]
	if w.moved {
		if now, err = checkFile(w.ctx, w.db.file, w.opts.Progress, untouched); err != nil {
			return err
		}
	}
	w.metas = now
	w.id, err = identify(w.db.file, now)
	return err
}

// Moved tells that another process has written since the database was opened:
// what was planned has to be planned again, on a [Writer.View].
func (w *Writer) Moved() bool { return w.moved }

// Identity returns the state that Begin found.
func (w *Writer) Identity() Identity { return w.id }

// Path returns the absolute path of the file, through all links.
func (w *Writer) Path() string { return w.id.Path }

// TxID returns the transaction of the state that Begin found.
func (w *Writer) TxID() uint64 { return w.id.TxID }

// Warnings returns what the user should know, a line each.
func (w *Writer) Warnings() []string { return w.db.warn }

// View begins a read transaction on the last state committed. It has to be
// closed before [Writer.Apply], which would wait for it for ever.
func (w *Writer) View() (*View, error) {
	if w.bolt == nil || w.broken {
		return nil, usageError(w.id.Path, "the database is closed")
	}
	v, err := newView(w.bolt, w.id.Path, w.metas)
	if err != nil {
		return nil, err
	}
	w.views++
	v.release = func() { w.views-- }
	return v, nil
}

// Check runs the page check by pread on the file as it is now.
func (w *Writer) Check(ctx context.Context) error {
	hint := untouched
	switch {
	case w.applied && w.backup != "":
		hint = "stop using the database and restore the backup"
	case w.applied:
		hint = "no backup was made; copy the file before anything else"
	}
	_, err := checkFile(ctx, w.db.file, w.opts.Progress, hint)
	return err
}

// Close closes bbolt, which lets go of the lock, and the file.
func (w *Writer) Close() error {
	if w.views > 0 {
		return usageError(w.id.Path, "a view of the database is still open")
	}
	if w.backup != "" || w.applied {
		w.sweep() // a temporary name may not have gone when it should
	}
	var err error
	switch {
	case w.broken:
		// bbolt's Close would wait for a transaction that never ends. The
		// lock is the file description's, and goes with this.
		err = unlock(w.db.file)
	case w.bolt != nil:
		err = guardBolt(w.id.Path, w.bolt.Close)
	}
	w.bolt = nil
	return also(err, w.db.Close())
}

// Names of our files beside a database: <db>.boltmend-<txid>.bak, .journal,
// and of either while it is made, with .tmp behind.
const (
	namePart   = ".boltmend-"
	backupEnd  = ".bak"
	journalEnd = ".journal"
	tempEnd    = ".tmp"
)

func (w *Writer) sweep() {
	sweep(filepath.Dir(w.id.Path), filepath.Base(w.id.Path)+namePart, tempEnd)
}

// sweep removes what a run that was killed left half made. The exclusive lock
// proves that nobody is making it now. Nothing but a regular file is touched.
func sweep(dir, start, end string) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return // then there is nothing that we could remove either
	}
	for _, e := range names {
		if n := e.Name(); strings.HasPrefix(n, start) && strings.HasSuffix(n, end) && e.Type().IsRegular() {
			os.Remove(filepath.Join(dir, n)) // what stays is in the way of a later O_EXCL, which tells
		}
	}
}

// removeTemp is sweep for the one file whose name is about to be used.
func removeTemp(path string) {
	if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() {
		os.Remove(path)
	}
}
