package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// reuseBackup accepts what is at the backup's path only if it is the same
// state in a regular file of the same owner. Its bytes may differ in pages that
// the newest meta does not use: a run that was killed in its first commit has
// written such pages, and the backup from before is still the backup.
func (w *Writer) reuseBackup(path string, st fs.FileInfo) error {
	exists := func(what string) error {
		return &Error{Code: CodeUsage, Path: path, Err: ErrExists,
			Msg: "the backup would go here, but " + what + "; move it away, or choose another folder for backups"}
	}
	if !st.Mode().IsRegular() {
		return exists("this is no regular file")
	}
	f, err := os.OpenFile(path, openToSync|noFollow|noWait, 0)
	if err != nil {
		return ioError(path, "read the backup that is there", err)
	}
	defer f.Close()
	src, err := w.db.file.Stat()
	if err != nil {
		return ioError(w.id.Path, "look at the file", err)
	}
	now, err := f.Stat()
	switch {
	case err != nil:
		return ioError(path, "look at the backup", err)
	case !os.SameFile(st, now):
		return exists("it was just replaced")
	case os.SameFile(now, src):
		return exists("this is the database itself under another name")
	case !trusted(now, src):
		return exists("this file belongs to another user")
	}
	err = w.compareBackup(f, min(now.Size(), src.Size()))
	if errors.Is(err, errDiffer) {
		return exists("this file is another state of the database")
	}
	if err == nil {
		err = f.Sync() // the run that made it may not have come to that
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return ioError(path, "read the backup that is there", err)
	}
	return nil
}

// compareBackup returns errDiffer unless f has the same newest meta and the
// same bytes in all pages that this meta uses: all bytes where the database is
// not open.
func (w *Writer) compareBackup(f *os.File, size int64) error {
	if w.bolt == nil {
		return w.compareBytes(f)
	}
	live := w.metas.Meta[w.metas.Live]
	m, err := page.ReadMetas(f, size)
	if errors.Is(err, page.ErrNotDatabase) || errors.Is(err, page.ErrDamaged) {
		return errDiffer
	}
	if err != nil {
		return err
	}
	pageSize := int64(w.metas.PageSize)
	if m.Live != w.metas.Live || m.Meta[m.Live].Raw != live.Raw || size/pageSize < int64(live.Pages) {
		return errDiffer
	}
	return guardBolt(w.id.Path, func() error {
		tx, err := w.bolt.Begin(false)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		return compareData(w.ctx, f, w.db.file, size, func(off int64, x, y []byte) bool {
			return onlyUnused(tx, int64(m.Live), pageSize, off, x, y)
		})
	})
}

// compareBytes returns errDiffer unless f is the whole file.
func (w *Writer) compareBytes(f *os.File) error {
	a, err := fileSize(f)
	if err != nil {
		return err
	}
	b, err := fileSize(w.db.file)
	if err == nil && a != b {
		err = errDiffer
	}
	if err != nil {
		return err
	}
	return compareData(w.ctx, f, w.db.file, a, nil)
}

// onlyUnused tells that all pages that differ between x and y, both from off
// on, are free, behind the last page in use, or the older meta.
func onlyUnused(tx *bolt.Tx, live, pageSize, off int64, x, y []byte) bool {
	for len(x) > 0 {
		id := off / pageSize
		n := min((id+1)*pageSize-off, int64(len(x)))
		if !bytes.Equal(x[:n], y[:n]) && id != 1-live {
			info, err := tx.Page(int(id))
			if err != nil || info != nil && info.Type != "free" {
				return false
			}
		}
		off, x, y = off+n, x[n:], y[n:]
	}
	return true
}

// trusted tells that a file is ours or the database owner's.
func trusted(st, src fs.FileInfo) bool {
	uid, ok := ownedBy(st)
	if !ok {
		return true
	}
	owner, _ := ownedBy(src)
	return uid == owner || uid == os.Geteuid()
}
