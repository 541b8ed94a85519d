package store

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// A journalWriter appends lines. Its errors are final: after one, nothing more
// is to be committed.
type journalWriter struct {
	path string
	file *os.File
	buf  *bufio.Writer
	n    int64
	line []byte
	// size is what was written, begun what the disk was told to begin with.
	size, begun int64
}

// writeback is how much of a journal is written before the disk is told to
// begin, so that it works while the next lines are made.
const writeback = 4 << 20

const timeLayout = "2006-01-02T15:04:05.000000000Z"

// createJournal makes a journal and gives it its name when its header is on
// disk. The name is path, or, if path is "", the first that is free beside the
// database. What stands in the way is replaced only if it is a journal that
// this state of the database proves to be of no use.
func createJournal(path string, id Identity, h JournalHeader) (*journalWriter, error) {
	path, err := journalName(path, id)
	if err != nil {
		return nil, err
	}
	temp := path + tempEnd
	if !strings.Contains(filepath.Base(path), namePart) {
		temp = path + namePart + "new" + tempEnd
	}
	removeTemp(temp)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return nil, movable(createError(temp, "make the journal", err), theJournal)
	}
	h.Time = time.Now().UTC().Format(timeLayout)
	w := &journalWriter{path: path, file: f, buf: bufio.NewWriterSize(f, 256<<10)}
	err = w.add(typeHeader, h, nil)
	if err == nil {
		err = w.sync()
	}
	if err == nil {
		err = place(temp, path)
	}
	if err != nil {
		f.Close()
		os.Remove(temp)
		return nil, movable(createError(path, "make the journal", err), theJournal)
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return nil, also(ioError(path, "sync the journal's folder", err), w.discard())
	}
	return w, nil
}

// journalName finds the name, and frees it if need be.
func journalName(path string, id Identity) (string, error) {
	if path != "" {
		full, err := filepath.Abs(path)
		if err != nil {
			return "", ioError(path, "find the journal's folder", err)
		}
		free, err := freeName(full, id)
		if err == nil && !free {
			err = &Error{Code: CodeUsage, Path: full, Err: ErrExists,
				Msg: "this journal is of an earlier repair and may still be wanted for an undo; name another"}
		}
		return full, err
	}
	return freeJournalName(id.Path, id)
}

// freeJournalName is the first name that is free beside a database, or where
// one of its name would be.
func freeJournalName(beside string, id Identity) (string, error) {
	for i := 1; ; i++ {
		name := fmt.Sprintf("%s%s%d%s", beside, namePart, id.TxID, journalEnd)
		if i > 1 {
			name = fmt.Sprintf("%s%s%d-%d%s", beside, namePart, id.TxID, i, journalEnd)
		}
		if free, err := freeName(name, id); free || err != nil {
			return name, err
		}
	}
}

// freeName tells that nothing has this name, after removing a journal that
// never came to its first commit. Metas as they were at its beginning are not
// proof enough: a restored backup has them too. So a journal that knows of a
// commit, by its end or by a second batch, stays.
func freeName(path string, id Identity) (bool, error) {
	st, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, ioError(path, "look at the journal", err)
	}
	if isReserved(st) {
		if err := os.Remove(path); err != nil {
			return false, ioError(path, "replace an empty journal", err)
		}
		return true, nil
	}
	var j *Journal
	if err = errJournal; st.Mode().IsRegular() {
		j, err = ReadJournal(path)
	}
	if err != nil {
		return false, &Error{Code: CodeUsage, Path: path, Err: errors.Join(ErrExists, err),
			Msg: "the journal would go here, but this is no journal; move it away"}
	}
	used := !j.Header.sameState(id) || j.Complete || len(j.Batches) > 1
	if err := j.Close(); err != nil {
		return false, ioError(path, "close the journal", err)
	}
	if used {
		return false, nil
	}
	if err := os.Remove(path); err != nil {
		return false, ioError(path, "replace the journal of a repair that wrote nothing", err)
	}
	return true, nil
}

// add appends one line; data, if not nil, is its last member but the crc.
func (w *journalWriter) add(kind string, body any, data []byte) error {
	b, err := appendLine(w.line[:0], w.n, kind, body, data)
	if err != nil {
		return err
	}
	w.line = b
	if len(b) > maxLine {
		return fmt.Errorf("a line of %d bytes is more than a journal takes", len(b))
	}
	w.n++
	if _, err = w.buf.Write(b); err != nil {
		return err
	}
	w.size += int64(len(b))
	if w.size-w.begun < writeback {
		return nil
	}
	if err := w.buf.Flush(); err != nil {
		return err
	}
	startWriteback(w.file, w.begun, w.size-w.begun)
	w.begun = w.size
	return nil
}

// addLong appends a line and the bytes of a value, in as many lines as that
// takes.
func (w *journalWriter) addLong(kind string, body any, value []byte) error {
	first := value[:min(chunk, len(value))]
	if err := w.add(kind, body, first); err != nil {
		return err
	}
	for rest := value[len(first):]; len(rest) > 0; {
		n := min(chunk, len(rest))
		if err := w.add(typeMore, nil, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

func (w *journalWriter) addRow(r RowEdit, old []byte) error {
	line := rowLine{Bucket: EncodePath(r.Bucket), Key: EncodeName(r.Key)}
	if r.New != nil {
		line.New = digestOf(r.New)
	}
	if r.Old == nil {
		return w.add(typeRow, line, nil)
	}
	line.Old = digestOf(old)
	return w.addLong(typeRow, line, old)
}

func (w *journalWriter) addRemoved(r Removed) error {
	line := removedLine{Kind: r.Kind, Code: r.Code, ID: r.ID, Message: r.Message}
	if len(r.Text) <= maxText && utf8.Valid(r.Text) {
		line.Text = string(r.Text)
		return w.add(typeRemoved, line, nil)
	}
	line.Size = int64(len(r.Text))
	return w.addLong(typeRemoved, line, r.Text)
}

// sync puts all lines on disk.
func (w *journalWriter) sync() error {
	if err := w.buf.Flush(); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsynced, err)
	}
	return nil
}

// discard removes a journal that nothing was committed by.
func (w *journalWriter) discard() error {
	err := also(w.file.Close(), os.Remove(w.path))
	return also(err, syncDir(filepath.Dir(w.path)))
}
