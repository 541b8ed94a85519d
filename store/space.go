package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Need is what a repair is going to write, as far as its plan tells.
type Need struct {
	// Backup asks for room for a backup in BackupDir, "" being beside the
	// database.
	Backup    bool
	BackupDir string
	// NoJournal and Journal are those of [ApplyOptions].
	NoJournal bool
	Journal   string
	// Records is how many records change, OldBytes and NewBytes the bytes of
	// their values before and after.
	Records            int
	OldBytes, NewBytes int64
}

// a need is an amount of bytes that goes into a folder.
type need struct {
	dir   string
	bytes int64
	what  string // what it is for
}

const (
	theDatabase = "the database"
	theBackup   = "the backup"
	theJournal  = "the journal"
	theCopy     = "the copy"
)

// CheckSpace makes sure, before anything is made, that each file system has
// room for what goes to it: the backup, the journal, and in the database twice
// the new bytes, since bbolt writes beside what it replaces. It also asks
// whether files can be made in these folders.
func (w *Writer) CheckSpace(n Need) error { return checkSpace(w.id, w.db.file, n) }

// CheckSpace is [Writer.CheckSpace], before the exclusive lock is taken.
func (db *DB) CheckSpace(n Need) error { return checkSpace(db.id, db.file, n) }

func checkSpace(id Identity, f *os.File, n Need) error {
	beside := filepath.Dir(id.Path)
	needs := []need{{beside, 2 * n.NewBytes, theDatabase}}
	if n.Backup {
		path, err := backupPath(id, n.BackupDir, 1)
		if err != nil {
			return err
		}
		bytes := dataBytes(f)
		if _, err := os.Lstat(path); err == nil {
			bytes = 0 // it is used again, or refused
		}
		if journal, err := filepath.Abs(n.Journal); err == nil && n.Journal != "" && journal == path {
			return usageError(n.Journal, "the journal cannot have the name of the backup; name another file")
		}
		needs = append(needs, need{filepath.Dir(path), bytes, theBackup})
	}
	if !n.NoJournal {
		dir := beside
		if n.Journal != "" {
			dir = filepath.Dir(n.Journal)
		}
		needs = append(needs, need{dir, journalBytes(n.OldBytes, n.Records), theJournal})
	}
	for _, d := range needs[1:] {
		if err := mayWrite(d.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return ioError(d.dir, "make files in the folder", err)
		}
	}
	return checkNeeds(needs)
}

// checkNeeds adds up what goes to one file system and compares it with what
// is free there.
func checkNeeds(needs []need) error {
	sum := map[uint64]*room{}
	var order []uint64
	for _, n := range needs {
		st, err := os.Stat(n.dir)
		if err != nil {
			return ioError(n.dir, "find the folder", err)
		}
		if !st.IsDir() {
			return usageError(n.dir, "is not a folder")
		}
		dev := folderDevice(n.dir, st)
		if sum[dev] == nil {
			sum[dev] = &room{dir: n.dir}
			order = append(order, dev)
		}
		sum[dev].add(n)
	}
	for _, dev := range order {
		r := sum[dev]
		if free, ok := freeBytes(r.dir); ok && free < r.bytes {
			return r.short(free)
		}
	}
	return nil
}

// A room is what one file system has to have room for.
type room struct {
	dir   string
	bytes int64
	fixed int64  // of it, what cannot go elsewhere
	most  int64  // the largest need that can
	what  string // which that is
	parts []string
}

func (r *room) add(n need) {
	if n.bytes == 0 {
		return
	}
	r.bytes += n.bytes
	r.parts = append(r.parts, n.what+" "+inUnits(n.bytes))
	switch {
	case n.what != theBackup && n.what != theJournal:
		r.fixed += n.bytes
	case n.bytes > r.most:
		r.most, r.what = n.bytes, n.what
	}
}

// short is the error where less than that is free.
func (r *room) short(free int64) *Error {
	e := &Error{Code: CodeNoSpace, Path: r.dir, Msg: fmt.Sprintf("needs %s here (%s) and %s are free; free some space there",
		inUnits(r.bytes), strings.Join(r.parts, ", "), inUnits(free))}
	switch {
	case r.fixed > free || r.what == "":
	case r.bytes-r.most <= free:
		e.Movable = r.what
	default:
		e.Movable = theBackup + " and " + theJournal
	}
	return e
}

// inUnits writes a number of bytes for people.
func inUnits(n int64) string {
	const units = "KMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f, i := float64(n)/1000, 0
	for f >= 999.95 && i < len(units)-1 {
		f, i = f/1000, i+1
	}
	return fmt.Sprintf("%.1f %cB", f, units[i])
}
