package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
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

	src  io.ReaderAt
	file *os.File
}

// A JournalBatch is one transaction: what it is called in the journal, and
// the id that its commit has, if it came to that.
type JournalBatch struct {
	Number  int
	TxID    uint64
	Records int

	start, end int64 // of its lines but the batch line
	n          int64 // number of its first line
}

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

// readJournal goes through the lines once and keeps where the batches are.
func readJournal(src io.ReaderAt, size int64) (*Journal, error) {
	j := &Journal{src: src}
	r := newLineReader(src, 0, size, 0)
	l, err := r.next()
	if err != nil {
		return nil, err
	}
	if l == nil || l.kind != typeHeader || json.Unmarshal(l.body, &j.Header) != nil || j.Header.Format != journalFormat {
		return nil, fmt.Errorf("%w at its beginning", errJournal)
	}
	if j.Header.Version != journalVersion {
		return nil, fmt.Errorf("%w: version %d is not known here", errJournal, j.Header.Version)
	}
	open := JournalBatch{start: r.off, n: r.n}
	for {
		at := r.off
		if l, err = r.next(); err != nil {
			return nil, err
		}
		if l == nil {
			return j, nil
		}
		switch l.kind {
		case typeBatch:
			var b batchLine
			if json.Unmarshal(l.body, &b) != nil || b.Batch != len(j.Batches)+1 || b.Records < 0 {
				return j, nil
			}
			open.Number, open.TxID, open.Records, open.end = b.Batch, b.TxID, b.Records, at
			j.Batches = append(j.Batches, open)
			open = JournalBatch{start: r.off, n: r.n}
		case typeEnd:
			var e endLine
			j.Complete = json.Unmarshal(l.body, &e) == nil
			j.Cut = e.Cut
			return j, nil
		}
	}
}

// A line that checks out. body is the line as a JSON object, valid until the
// next line is read.
type line struct {
	kind string
	body []byte
}

// A lineReader reads lines in order until the first that does not check out.
type lineReader struct {
	buf *bufio.Reader
	off int64 // of the next line
	n   int64 // its number
	mem []byte
}

func newLineReader(src io.ReaderAt, start, end, n int64) *lineReader {
	return &lineReader{buf: bufio.NewReaderSize(io.NewSectionReader(src, start, end-start), 64<<10), off: start, n: n}
}

// next returns the next line, or nil where the journal ends. An error is one
// of reading the file.
func (r *lineReader) next() (*line, error) {
	b, err := r.raw()
	if b == nil || err != nil {
		return nil, err
	}
	const tail = len(`,"crc":"12345678"}` + "\n")
	if len(b) <= tail {
		return nil, nil
	}
	cut := len(b) - tail
	end := b[cut:]
	sum, err := strconv.ParseUint(string(end[8:16]), 16, 32)
	if err != nil || string(end[:8]) != `,"crc":"` || string(end[16:]) != "\"}\n" || uint32(sum) != crcOf(b[:cut]) {
		return nil, nil
	}
	// A line begins as it was written, so a long one need not be parsed to
	// know what it is.
	rest, ok := bytes.CutPrefix(b, fmt.Appendf(nil, `{"n":%d,"type":"`, r.n))
	kind, _, found := bytes.Cut(rest, []byte(`"`))
	if !ok || !found {
		return nil, nil
	}
	l := &line{kind: string(kind), body: b}
	r.n++
	r.off += int64(len(b))
	return l, nil
}

// raw returns the bytes up to and with the next line end, nil if there is none
// or not soon enough.
func (r *lineReader) raw() ([]byte, error) {
	r.mem = r.mem[:0]
	for {
		part, err := r.buf.ReadSlice('\n')
		if len(r.mem)+len(part) > maxLine {
			return nil, nil
		}
		r.mem = append(r.mem, part...)
		switch err {
		case nil:
			return r.mem, nil
		case bufio.ErrBufferFull:
		case io.EOF:
			return nil, nil
		default:
			return nil, err
		}
	}
}
