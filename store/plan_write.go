package store

import (
	"bufio"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// A PlanWriter writes a plan. What it has written so far has no name of its own
// until Close.
type PlanWriter struct {
	w       journalWriter
	temp    string
	records int
}

// CreatePlan begins a plan at path, mode 0600, made on the state id. Nothing is
// ever replaced: the error matches ErrExists if there is something.
func CreatePlan(path string, id Identity, options map[string]string) (*PlanWriter, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, ioError(path, "find the folder", err)
	}
	if exists(full) {
		return nil, createError(path, "make the plan", fs.ErrExist)
	}
	p := &PlanWriter{temp: full + namePart + "plan" + tempEnd}
	removeTemp(p.temp)
	f, err := os.OpenFile(p.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return nil, createError(p.temp, "make the plan", err)
	}
	p.w = journalWriter{path: full, file: f, buf: bufio.NewWriterSize(f, 64<<10)}
	h := PlanHeader{
		Format: planFormat, Version: planVersion, Database: id.Path, TxID: id.TxID,
		Meta0: hex.EncodeToString(id.Meta[0][:]), Meta1: hex.EncodeToString(id.Meta[1][:]),
		Options: options,
	}
	if !utf8.ValidString(id.Path) {
		h.RawDatabase = []byte(id.Path)
	}
	if err := p.w.add(typeHeader, h, nil); err != nil {
		return nil, p.failed(err)
	}
	return p, nil
}

// Add adds a record. After an error the plan is gone.
func (p *PlanWriter) Add(r PlanRecord) error {
	p.records++
	err := p.w.add(typeRecord, planLine{Ref: r.Ref, Old: hex.EncodeToString(r.Old[:]), New: hex.EncodeToString(r.New[:])}, nil)
	if err == nil && p.w.size > maxPlan-1024 {
		err = usageError(p.w.path, "the plan would be larger than "+inUnits(maxPlan)+"; narrow the run with --bucket or --only, and make several")
	}
	return p.failed(err)
}

// Close puts the plan on disk and gives it its name. It returns the absolute
// path.
func (p *PlanWriter) Close() (path string, err error) {
	err = p.w.add(typeEnd, planEnd{Records: p.records}, nil)
	if err == nil {
		err = p.w.sync()
	}
	if err == nil {
		err = p.w.file.Close()
	}
	if err == nil {
		err = place(p.temp, p.w.path)
	}
	if err != nil {
		return "", p.failed(err)
	}
	if err := syncDir(filepath.Dir(p.w.path)); err != nil {
		return "", ioError(p.w.path, "sync the plan's folder", err)
	}
	return p.w.path, nil
}

// Discard drops what was written.
func (p *PlanWriter) Discard() {
	p.w.file.Close()
	os.Remove(p.temp)
}

// failed drops what was written if there is an error.
func (p *PlanWriter) failed(err error) error {
	if err == nil {
		return nil
	}
	p.Discard()
	return createError(p.w.path, "write the plan", err)
}

// unhash reads a SHA-256 as Add writes it.
func unhash(s string, sum *[32]byte) bool {
	if len(s) != 2*len(sum) {
		return false
	}
	_, err := hex.Decode(sum[:], []byte(s))
	return err == nil
}
