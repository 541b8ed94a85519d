package store

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// Options of [Open]. The zero value opens for reading and tries the lock once.
type Options struct {
	// LockWait is how long to wait for a lock that another process holds; 0
	// tries once.
	LockWait time.Duration
	// Write takes the file for a repair, so that [DB.Begin] can follow. It is
	// still opened under the shared lock and not written to.
	Write bool
	// Live, for [OpenPages], reads a file while its app writes to it.
	// LockWait is then how long a leaf is tried.
	Live bool
	// Progress, if set, is told how far the page check is.
	Progress Progress
	// Context, if set, ends waiting and the page check.
	Context context.Context
}

func (o Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// A DB is a database whose pages were found sound, under the shared lock: no
// process writes to it while it is open. It is safe for concurrent use.
type DB struct {
	opts  Options
	file  *os.File // the one descriptor, which has the lock
	metas page.Metas
	id    Identity
	warn  []string
	ahead *readAhead

	mu    sync.Mutex
	bolt  *bolt.DB // read-only, on a duplicate of file
	views int
}

// An Identity tells one state of one file from any other.
type Identity struct {
	Path string // absolute, through all links
	Dev  uint64
	Ino  uint64
	Size int64
	// Meta holds the 64 bytes of both metas as they are on disk.
	Meta [2][64]byte
	// TxID is the transaction that the file's state is from.
	TxID     uint64
	PageSize int
}

// Open opens an existing database for reading: path has to name a regular
// file, nothing is created or initialised, not a byte of it changes. The whole
// file goes through the page check before bbolt sees it; a page error means
// ErrDamaged. Errors match ErrNotDatabase, ErrDamaged, ErrLocked,
// ErrPermission or ErrIO, or are those of the context.
func Open(path string, o Options) (*DB, error) {
	f, err := openLocked(path, o)
	if err != nil {
		return nil, err
	}
	db := &DB{opts: o, file: f, ahead: startReadAhead(f)}
	if err := db.open(); err != nil {
		return nil, also(err, db.Close())
	}
	return db, nil
}

// openLocked opens a file and takes the shared lock on it.
func openLocked(path string, o Options) (*os.File, error) {
	f, err := openFile(path, o.Write)
	if err != nil {
		return nil, err
	}
	err = lockFile(o.context(), f, f.Name(), false, o.LockWait)
	if err == nil {
		err = stillThere(f)
	}
	if err != nil {
		return nil, also(err, f.Close())
	}
	return f, nil
}

func (db *DB) open() error {
	var err error
	if db.metas, err = checkFile(db.opts.context(), db.file, db.opts.Progress, untouched); err != nil {
		return err
	}
	if db.id, err = identify(db.file, db.metas); err != nil {
		return err
	}
	if kind := networkFS(db.file); kind != "" {
		db.warn = append(db.warn, onNetwork(kind))
	}
	db.bolt, err = openBolt(db.file, db.metas, false, 0)
	return err
}

// openBolt lets bbolt open the file by a second handle of ours, never by its
// path. Its own lock is no more than a second look at ours where the handle
// shares it.
func openBolt(f *os.File, m page.Metas, write bool, wait time.Duration) (*bolt.DB, error) {
	o := &bolt.Options{
		ReadOnly: !write,
		Timeout:  max(wait, time.Millisecond), // 0 would wait for ever
		PageSize: m.PageSize,
		// A read-write open commits by itself where this does not agree with
		// what the file has.
		NoFreelistSync: m.Meta[m.Live].Freelist == page.NoFreelist,
		FreelistType:   bolt.FreelistMapType,
		NoStatistics:   true,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) {
			return second(f, write)
		},
	}
	var db *bolt.DB
	err := guardBolt(f.Name(), func() (err error) {
		db, err = bolt.Open(f.Name(), 0o600, o)
		return err
	})
	if err != nil {
		return nil, boltError(f, err)
	}
	return db, nil
}

func boltError(f *os.File, err error) error {
	if isBoltTimeout(err) {
		return lockedError(f, f.Name())
	}
	return ioError(f.Name(), "open the database", err)
}

func identify(f *os.File, m page.Metas) (Identity, error) {
	st, err := f.Stat()
	if err != nil {
		return Identity{}, ioError(f.Name(), "look at the file", err)
	}
	id := Identity{Path: f.Name(), Size: st.Size(), PageSize: m.PageSize}
	id.Dev, id.Ino = fileID(f, st)
	id.Meta = [2][64]byte{m.Meta[0].Raw, m.Meta[1].Raw}
	id.TxID = m.Meta[m.Live].TxID
	return id, nil
}

// Path returns the absolute path of the file, through all links.
func (db *DB) Path() string { return db.id.Path }

// Identity returns which state of which file was opened.
func (db *DB) Identity() Identity { return db.id }

// TxID returns the transaction that the file's state is from.
func (db *DB) TxID() uint64 { return db.id.TxID }

// Warnings returns what the user should know, a line each.
func (db *DB) Warnings() []string { return db.warn }

// Close gives the lock up. With a view open it does nothing but say so.
// Closing twice does nothing.
func (db *DB) Close() error {
	err := db.closeBolt()
	if errors.Is(err, ErrUsage) || db.file == nil {
		return err
	}
	db.ahead.stop()
	err = also(err, db.file.Close())
	db.file = nil
	return err
}

// closeBolt closes the read-only bbolt; the lock stays with our descriptor.
func (db *DB) closeBolt() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.bolt == nil {
		return nil
	}
	if db.views > 0 {
		// bbolt would wait for them for ever.
		return usageError(db.id.Path, "a view of the database is still open")
	}
	err := db.bolt.Close()
	db.bolt = nil
	return err
}
