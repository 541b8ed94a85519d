package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// backupPath is where the backup of a state goes: beside the database, or in
// a folder for many, where a hash of the path keeps namesakes apart.
//
// Another number than 1 goes behind the name, for a state that has the
// transaction of another one, as it comes with restores.
func backupPath(id Identity, dir string, number int) (string, error) {
	name := fmt.Sprintf("%s%s%d", filepath.Base(id.Path), namePart, id.TxID)
	if dir == "" {
		dir = filepath.Dir(id.Path)
	} else {
		name += "-" + pathHash(id.Path)
	}
	if number > 1 {
		name += fmt.Sprintf("-%d", number)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", ioError(dir, "find the folder", err)
	}
	return filepath.Join(abs, name+backupEnd), nil
}

// IsBackup tells by its name whether a file is a backup of ours.
func IsBackup(path string) bool {
	name, ok := strings.CutSuffix(filepath.Base(path), backupEnd)
	i := strings.LastIndex(name, namePart)
	if !ok || i < 0 {
		return false
	}
	txid, more, found := strings.Cut(name[i+len(namePart):], "-")
	_, err := strconv.ParseUint(txid, 10, 64)
	for n := 0; found && err == nil && n < 2; n++ { // a hash, a number
		var part string
		part, more, found = strings.Cut(more, "-")
		_, err = strconv.ParseUint(part, 16, 32)
	}
	return err == nil && !found
}

func pathHash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:4])
}

// Backup copies the whole file as it is under the exclusive lock, before
// anything was applied: to <db>.boltmend-<txid>.bak beside the database, or
// into dir. The copy has the mode and owner of the database (where that is not
// possible, mode 0600 and a warning), is synced, compared byte for byte and
// only then given its name, which never replaces anything. A backup that is
// there already is used again if it is the same state; otherwise the error
// matches ErrExists.
func (w *Writer) Backup(dir string) (path string, err error) {
	if w.applied {
		return "", usageError(w.id.Path, "a backup has to come before the first change")
	}
	return w.backUpAs(dir, 1)
}

// backUpAs is Backup with a number behind the name.
func (w *Writer) backUpAs(dir string, number int) (path string, err error) {
	if path, err = backupPath(w.id, dir, number); err != nil {
		return "", err
	}
	st, err := os.Lstat(path)
	if err == nil && isReserved(st) {
		err = os.Remove(path)
		if err == nil {
			err = fs.ErrNotExist
		}
	}
	switch {
	case err == nil:
		err = w.reuseBackup(path, st)
	case errors.Is(err, fs.ErrNotExist):
		err = w.makeBackup(path)
	default:
		err = ioError(path, "look at the backup", err)
	}
	if err != nil {
		return "", err
	}
	w.backup = path
	return path, nil
}

// backupBytes is what a copy takes: a sparse file far less than its size.
func (w *Writer) backupBytes() int64 { return dataBytes(w.db.file) }

func dataBytes(f *os.File) int64 {
	st, err := f.Stat()
	if err != nil {
		return 0
	}
	return min(st.Size(), allocated(st))
}

// reservedMode is the mode of an empty file that takes a name: none that anybody
// gives to a file of theirs.
const reservedMode = 0

// isReserved tells that a file at a name of ours is what is left of a run that
// took the name and was killed before it gave it to anything: nothing at all.
func isReserved(st fs.FileInfo) bool {
	return st.Mode().IsRegular() && st.Size() == 0 && st.Mode().Perm() == reservedMode
}

func (w *Writer) makeBackup(path string) error {
	dir, temp := filepath.Dir(path), path+tempEnd
	if err := checkNeeds([]need{{dir, w.backupBytes(), theBackup}}); err != nil {
		return err
	}
	removeTemp(temp)
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return movable(createError(temp, "make the backup", err), theBackup)
	}
	err = w.fillBackup(f)
	err = also(err, f.Close())
	if err == nil {
		err = place(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return movable(createError(path, "write the backup", err), theBackup)
	}
	if err := syncDir(dir); err != nil {
		return ioError(path, "sync the backup's folder", err)
	}
	return nil
}

func (w *Writer) fillBackup(f *os.File) error {
	src := w.db.file
	st, err := src.Stat()
	if err != nil {
		return err
	}
	if err := copyData(w.ctx, f, src, st.Size(), w.opts.Progress.phase("backup")); err != nil {
		return err
	}
	if warning := keepOwner(f, src, st); warning != "" {
		w.db.warn = append(w.db.warn, "backup "+warning)
	}
	return syncAndCompare(w.ctx, f, src, st.Size())
}

// syncAndCompare does both at once: one waits for the disk, the other reads.
// All that changes a file is done by one goroutine, the caller's.
func syncAndCompare(ctx context.Context, f, src *os.File, size int64) error {
	compared := make(chan error, 1)
	go func() { compared <- compareData(ctx, f, src, size, nil) }()
	synced := f.Sync()
	err := <-compared
	if errors.Is(err, errDiffer) {
		err = errors.New("the copy does not read back as it was written")
	}
	return also(synced, err)
}

// keepOwner gives f owner, group and mode of src, or leaves it to us alone.
func keepOwner(f, src *os.File, st fs.FileInfo) (warning string) {
	if hasACL(src) {
		return "has mode 0600: the database has an access list, which is not copied"
	}
	if err := chownLike(f, st); err != nil {
		return "has mode 0600: its owner and group could not be kept"
	}
	if err := f.Chmod(st.Mode().Perm()); err != nil {
		return "has mode 0600: its mode could not be kept"
	}
	return ""
}

// createError is ioError for a file that is made, which may be there already.
func createError(path, op string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return &Error{Code: CodeUsage, Path: path, Err: errors.Join(ErrExists, err),
			Msg: "cannot " + op + ": there is a file of this name; move it away"}
	}
	return ioError(path, op, err)
}
