package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"unicode/utf8"
)

// A plan is a text file of lines as a journal's are, each with its number and a
// checksum:
//
//	header  format, version, database (raw_database where that is no UTF-8),
//	        txid, meta0, meta1 (the metas that it was made on, hex), options
//	record  ref; old and new: SHA-256 in hex of the record before and after
//	end     records
//
// It is all there or it is refused: unlike a journal nobody reads one that was
// cut off. It holds no stored value.
const (
	planFormat  = "boltmend-plan"
	planVersion = 1

	// maxPlan bounds a plan, which is some million records.
	maxPlan = 256 << 20
)

// A PlanHeader says what a plan was made on, and how.
type PlanHeader struct {
	Format      string            `json:"format"`
	Version     int               `json:"version"`
	Database    string            `json:"database"`
	RawDatabase []byte            `json:"raw_database,omitempty"`
	TxID        uint64            `json:"txid"`
	Meta0       string            `json:"meta0"`
	Meta1       string            `json:"meta1"`
	Options     map[string]string `json:"options"`
}

// A PlanRecord is one record that is to change: its ref, and the SHA-256 of what
// is stored and of what is to be.
type PlanRecord struct {
	Ref      string
	Old, New [32]byte
}

// The bodies of lines that only plans have.
type (
	planLine struct {
		Ref string `json:"ref"`
		Old string `json:"old"`
		New string `json:"new"`
	}
	planEnd struct {
		Records int `json:"records"`
	}
)

// A Plan is a plan file that checks out from its first line to its last. It
// keeps the file open and no record in memory.
type Plan struct {
	Path    string
	Header  PlanHeader
	Records int

	src   io.ReaderAt
	file  *os.File
	first spot // of the records
	size  int64
}

// ReadPlan opens a plan and reads it once. The error matches ErrUsage if it is
// no plan, a plan of another version, too large, or if a line of it does not
// check out; ErrPermission or ErrIO if it cannot be read.
func ReadPlan(path string) (*Plan, error) {
	f, err := openFile(path, false)
	var e *Error
	if errors.As(err, &e) && e.Code == CodeNotDatabase {
		c := *e
		c.Code, c.Msg = CodeUsage, strings.Replace(c.Msg, "is empty; it was not initialised", "is empty: no plan came to be written", 1)
		return nil, &c
	}
	if err != nil {
		return nil, err
	}
	size, err := fileSize(f)
	if err != nil {
		return nil, also(err, f.Close())
	}
	p, err := readPlan(f, size)
	if errors.Is(err, errPlan) {
		err = &Error{Code: CodeUsage, Path: path, Msg: err.Error() + "; make a new one: repair --dry-run --save-plan FILE", Err: err}
	} else if err != nil {
		err = ioError(path, "read the plan", err)
	}
	if err != nil {
		return nil, also(err, f.Close())
	}
	p.Path, p.file = f.Name(), f
	return p, nil
}

// Close closes the file.
func (p *Plan) Close() error { return p.file.Close() }

// errPlan is what is wrong with a plan's own text.
var errPlan = errors.New("is not a plan that can be used")

func badPlan(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errPlan}, args...)...)
}

func readPlan(src io.ReaderAt, size int64) (*Plan, error) {
	p := &Plan{src: src, size: size}
	if size > maxPlan {
		return nil, badPlan("it has %s, %s at most; narrow the run", inUnits(size), inUnits(maxPlan))
	}
	r := newLineReader(src)
	r.seek(0, size, 0)
	l, err := r.next()
	if err != nil {
		return nil, err
	}
	if l == nil || l.kind != typeHeader || json.Unmarshal(l.body, &p.Header) != nil || p.Header.Format != planFormat {
		return nil, badPlan("its first line does not check out")
	}
	if p.Header.Version != planVersion {
		return nil, badPlan("it is of version %d, this program knows %d", p.Header.Version, planVersion)
	}
	if len(p.Header.RawDatabase) > 0 {
		p.Header.Database = string(p.Header.RawDatabase)
	}
	p.first = spot{r.off, r.n}
	for rec, err := range p.All() {
		if err != nil {
			return nil, err
		}
		_ = rec
		p.Records++
	}
	return p, nil
}

// All yields the records in order. An error ends it: the file cannot be read,
// or is not what it was.
func (p *Plan) All() iter.Seq2[PlanRecord, error] {
	return func(yield func(PlanRecord, error) bool) {
		r := newLineReader(p.src)
		r.seek(p.first.off, p.size, p.first.n)
		for n := 0; ; n++ {
			rec, last, err := p.next(r, n)
			if err != nil {
				yield(PlanRecord{}, err)
				return
			}
			if last || !yield(rec, nil) {
				return
			}
		}
	}
}

// next reads the next record, or the end behind n of them.
func (p *Plan) next(r *lineReader, n int) (rec PlanRecord, last bool, err error) {
	l, err := r.next()
	switch {
	case err != nil:
		return rec, false, err
	case l == nil:
		return rec, false, badPlan("it does not check out behind record %d: it was cut off or edited", n)
	case l.kind == typeEnd:
		var e planEnd
		if json.Unmarshal(l.body, &e) != nil || e.Records != n || r.off != p.size {
			return rec, false, badPlan("its end does not check out")
		}
		return rec, true, nil
	}
	var b planLine
	if l.kind != typeRecord || l.data != nil || json.Unmarshal(l.body, &b) != nil ||
		b.Ref == "" || !utf8.ValidString(b.Ref) || !unhash(b.Old, &rec.Old) || !unhash(b.New, &rec.New) {
		return rec, false, badPlan("record %d does not check out", n+1)
	}
	rec.Ref = b.Ref
	return rec, false, nil
}
