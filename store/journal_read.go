package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Journal is a journal file as far as it checks out. It keeps the file open
// and in memory no more than where each batch begins.
type Journal struct {
	Path    string
	Header  JournalHeader
	Batches []JournalBatch
	// Complete tells that the journal was closed by the run that wrote it, Cut
	// that this run was ended before all records were done.
	Complete bool
	Cut      bool
	// Damaged tells that behind the lines that check out there are batches
	// that do not: a run that was cut off leaves none.
	Damaged bool

	src  io.ReaderAt
	file *os.File
}

// A JournalBatch is one transaction: what it is called in the journal, and
// the id that its commit has, if it came to that.
type JournalBatch struct {
	Number  int
	TxID    uint64
	Records int

	records []spot
	end     int64 // where the last of them ends
}

// A spot is where a line begins, and its number.
type spot struct{ off, n int64 }

// ReadJournal opens a journal. It fails if the header does not check out;
// whatever follows is taken as far as it does.
func ReadJournal(path string) (*Journal, error) {
	f, err := openFile(path, false)
	var e *Error
	if errors.As(err, &e) && e.Code == CodeNotDatabase {
		e.Code = CodeUsage
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	size, err := fileSize(f)
	if err != nil {
		return nil, also(err, f.Close())
	}
	j, err := readJournal(f, size)
	if err != nil {
		if isContext(err) || !errors.Is(err, errJournal) {
			err = ioError(path, "read the journal", err)
		} else {
			err = &Error{Code: CodeUsage, Path: path, Msg: "is not a journal: " + err.Error(), Err: err}
		}
		return nil, also(err, f.Close())
	}
	j.Path, j.file = f.Name(), f
	return j, nil
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// errJournal is what is wrong with a journal's own text.
var errJournal = errors.New("its lines do not check out")

// readJournal goes through the lines once and keeps where the records are.
// hasBatch reports whether a whole line of a batch stands somewhere from off
// on. The last line of a run that was killed may be a part of one.
func hasBatch(src io.ReaderAt, off, size int64) (bool, error) {
	s := bufio.NewReaderSize(io.NewSectionReader(src, off, size-off), 64<<10)
	for begins, isBatch := true, false; ; {
		part, err := s.ReadSlice('\n')
		if begins {
			isBatch = bytes.Contains(part[:min(len(part), 64)], []byte(`"type":"`+typeBatch+`"`))
		}
		switch {
		case err == nil && isBatch:
			return true, nil
		case err == io.EOF:
			return false, nil
		case err != nil && err != bufio.ErrBufferFull:
			return false, err
		}
		begins = err == nil
	}
}

func readJournal(src io.ReaderAt, size int64) (*Journal, error) {
	j := &Journal{src: src}
	r := newLineReader(src)
	r.seek(0, size, 0)
	l, err := r.next()
	if err != nil {
		return nil, err
	}
	if l == nil || l.kind != typeHeader || readHeader(l.body, &j.Header) != nil || j.Header.Format != journalFormat {
		return nil, fmt.Errorf("%w at its beginning", errJournal)
	}
	if j.Header.Version != journalVersion {
		return nil, fmt.Errorf("%w: version %d is not known here", errJournal, j.Header.Version)
	}
	var open JournalBatch
	for {
		at := spot{r.off, r.n}
		if l, err = r.next(); err != nil {
			return nil, err
		}
		if l == nil {
			j.Damaged, err = hasBatch(src, at.off, size)
			return j, err
		}
		switch l.kind {
		case typeRecord:
			open.records = append(open.records, at)
		case typeBatch:
			var b batchLine
			if json.Unmarshal(l.body, &b) != nil || b.Batch != len(j.Batches)+1 || b.Records != len(open.records) {
				return j, nil
			}
			open.Number, open.TxID, open.Records, open.end = b.Batch, b.TxID, b.Records, at.off
			j.Batches = append(j.Batches, open)
			open = JournalBatch{}
		case typeEnd:
			var e endLine
			j.Complete = json.Unmarshal(l.body, &e) == nil
			j.Cut = e.Cut
			return j, nil
		}
	}
}
