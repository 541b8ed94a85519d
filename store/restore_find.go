package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// find reads the journals of the database and makes sure that one of them
// names the backup.
func (r *restoring) find() error {
	paths, err := r.journalPaths()
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		j, err := ReadJournal(path)
		if err != nil && path == r.opts.Journal {
			return err
		}
		if errors.Is(err, ErrPermission) || errors.Is(err, ErrIO) {
			r.unread = err
		}
		if err != nil {
			continue // something else of this name, or somebody else's
		}
		r.journals = append(r.journals, j)
		if !r.ofDatabase(j) {
			if path == r.opts.Journal {
				return usageError(path, "the journal is of another database ("+j.Header.Database+")")
			}
			r.journals = r.journals[:len(r.journals)-1]
			if err := j.Close(); err != nil {
				return ioError(path, "close the journal", err)
			}
		}
	}
	return r.findName()
}

// journalPaths lists what may be a journal of the database: those beside it,
// beside the backup, and the one that was given, each once.
func (r *restoring) journalPaths() (paths []string, err error) {
	if r.opts.Journal != "" {
		paths = append(paths, r.opts.Journal)
	}
	base := filepath.Base(r.dst.Name())
	dirs := []string{filepath.Dir(r.dst.Name()), filepath.Dir(r.src.Name())}
	if r.opts.BackupDir != "" && exists(r.opts.BackupDir) {
		dirs = append(dirs, r.opts.BackupDir) // where a restore that was cut off has left its own
	}
	for _, dir := range dirs {
		more, err := journalsIn(dir, base)
		if err != nil {
			return nil, err
		}
		paths = append(paths, more...)
	}
	var seen []os.FileInfo
	return slices.DeleteFunc(paths, func(path string) bool {
		st, err := os.Stat(path)
		if err != nil {
			return path != r.opts.Journal // which says what is wrong when it is read
		}
		if slices.ContainsFunc(seen, func(s os.FileInfo) bool { return os.SameFile(s, st) }) {
			return true
		}
		seen = append(seen, st)
		return false
	}), nil
}

// ofDatabase tells that a journal is of this database and was made by somebody
// who may say so.
func (r *restoring) ofDatabase(j *Journal) bool {
	st, err := r.dst.Stat()
	if err != nil {
		return false
	}
	made, err := j.file.Stat()
	if err != nil || !trusted(made, st) {
		return false
	}
	dev, ino := fileID(r.dst, st)
	return j.Header.Database == r.dst.Name() || j.Header.Dev == dev && j.Header.Inode == ino && ino != 0
}

// findName keeps the journals that name the backup. Its path may have changed,
// its name not; and its newest meta, which has a checksum, has to be the one
// that the journal began at.
func (r *restoring) findName() error {
	live := r.from.Meta[r.from.Live]
	other := ""
	for _, j := range r.journals {
		switch {
		case j.Header.Backup == "" || filepath.Base(j.Header.Backup) != filepath.Base(r.src.Name()):
		case j.Header.begins(live.Raw) && j.Header.TxID == live.TxID:
			r.named = append(r.named, j)
		default:
			other = j.Path
		}
	}
	switch {
	case len(r.named) > 0:
		return nil
	case other != "":
		return refused(r.src.Name(), "is not the backup that "+other+" names: it is of another state; nothing was changed")
	case r.unread != nil:
		return refused(r.src.Name(), "no journal that can be read names it, and one cannot be read: "+r.unread.Error()+"; nothing was changed")
	case len(r.journals) == 0:
		return refused(r.src.Name(), "no journal of "+r.dst.Name()+" was found, so nothing tells that this is its backup; name the journal if it lies elsewhere, or stop the app and copy the file by hand")
	}
	return refused(r.src.Name(), fmt.Sprintf("is named in none of the %d journals of %s: it may be of another database; nothing was changed", len(r.journals), r.dst.Name()))
}

// begun reports whether what was done last, by the journals, is a restore of
// this backup, or of another one before which this backup was made. It may have
// been cut off: an empty file alone does not tell.
func (r *restoring) begun() bool {
	if len(r.journals) == 0 {
		return false
	}
	last := slices.MaxFunc(r.journals, func(a, b *Journal) int { return strings.Compare(a.Header.Time, b.Header.Time) })
	meta := last.Header.Options[restoredMeta]
	live := r.from.Meta[r.from.Live].Raw
	return meta == hex.EncodeToString(live[:]) || meta != "" && slices.Contains(r.named, last)
}

// begins tells that raw is one of the metas that a journal found.
func (h *JournalHeader) begins(raw [64]byte) bool {
	s := hex.EncodeToString(raw[:])
	return s == h.Meta0 || s == h.Meta1
}
