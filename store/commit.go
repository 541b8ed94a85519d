package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// begin opens a batch if none is open. A write transaction that is rolled back
// writes nothing.
func (a *applier) begin() error {
	if a.batch != nil {
		return nil
	}
	b := &batch{}
	b.path = a.w.id.Path
	err := guardBolt(b.path, func() (err error) {
		b.tx, err = a.w.bolt.Begin(true)
		return err
	})
	if err != nil {
		return ioError(b.path, "begin to write", err)
	}
	a.batch = b
	return nil
}

// rollback drops the open batch, if there is one.
func (a *applier) rollback() {
	b := a.batch
	a.batch = nil
	if b == nil || a.w.broken {
		return
	}
	if err := guardBolt(b.path, b.tx.Rollback); err != nil {
		a.w.broken = true
	}
}

// commit writes the open batch: journal, sync, puts, commit, in this order.
func (a *applier) commit() error {
	b := a.batch
	if b == nil {
		return nil
	}
	if len(b.staged) == 0 {
		a.rollback()
		return nil
	}
	if err := a.log(); err != nil {
		a.rollback()
		return err
	}
	txid := uint64(b.tx.ID())
	if err := guardBolt(b.path, b.put); err != nil {
		a.rollback()
		a.takeBack()
		return a.notWritten(err, a.w.id.Path)
	}
	a.batch = nil
	err := guardBolt(b.path, b.tx.Commit)
	if err != nil {
		a.w.broken = errors.Is(err, ErrDamaged) // it panicked, and kept its locks
		return a.commitError(txid, err)
	}
	a.res.Batches++
	if a.res.FirstTx == 0 {
		a.res.FirstTx = txid
	}
	a.res.LastTx = txid
	a.res.OldBytes += b.oldBytes
	a.res.NewBytes += b.newBytes
	for _, s := range b.staged {
		a.res.Rows += len(s.edits.Rows)
	}
	a.report(b)
	if a.opts.Progress != nil {
		a.opts.Progress("apply", a.res.NewBytes, 0)
	}
	return nil
}

// log makes the journal if need be, and writes the batch into it.
func (a *applier) log() error {
	if a.opts.NoJournal {
		return nil
	}
	if a.journal == nil {
		h := headerOf(a.w.id, a.opts.Backup, a.opts.Header)
		j, err := createJournal(a.opts.Journal, a.w.id, h)
		if err != nil {
			return err
		}
		a.journal, a.res.Journal = j, j.path
	}
	err := a.batch.log(a.journal, a.res.Batches+1)
	if err == nil {
		return nil
	}
	path := a.journal.path
	a.takeBack()
	return movable(a.notWritten(err, path), theJournal)
}

// takeBack removes what a first batch that did not commit has left: the
// journal, and the bytes by which bbolt had the file grow.
func (a *applier) takeBack() {
	if a.res.Batches > 0 {
		return
	}
	if a.journal != nil {
		if e := a.journal.discard(); e == nil {
			a.res.Journal = ""
		}
		a.journal = nil
	}
	a.w.shrink()
}

// shrink makes the file as long as it was, if its metas are. bbolt does not
// need what lies behind: no page of this state does, and it is not written to
// again.
func (w *Writer) shrink() {
	now, err := readMetas(w.db.file)
	if err != nil || now.Meta[0].Raw != w.id.Meta[0] || now.Meta[1].Raw != w.id.Meta[1] {
		return
	}
	if size, err := fileSize(w.db.file); err == nil && size > w.id.Size {
		w.db.file.Truncate(w.id.Size) // a longer file is sound too
	}
}

// notWritten is the error of a batch that certainly did not commit, since
// something could not be written to the file at path.
func (a *applier) notWritten(err error, path string) error {
	e := asError(ioError(a.w.id.Path, "write", err))
	if e.Code == CodeDamaged || isContext(err) {
		return err
	}
	hint := "look after the disk and run again"
	if e.Code == CodeNoSpace {
		hint = freeSpace(path)
	}
	if a.res.Batches == 0 {
		e.Msg = fmt.Sprintf("nothing was changed: %s; %s", bareCause(err), hint)
	} else {
		e.Msg = fmt.Sprintf("batch %d was not written: %s; %s; %s", a.res.Batches+1, bareCause(err), a.safe(), hint)
	}
	return e
}

// commitError looks on disk what became of a commit that failed: if its meta
// is there, the commit was done but for its last sync, and nobody can say if
// it will still be there after a power cut.
func (a *applier) commitError(txid uint64, err error) error {
	now, e := readMetas(a.w.db.file)
	if e == nil && now.Meta[now.Live].TxID < txid {
		if isSyncError(err) {
			err = fmt.Errorf("%w: %w", ErrUnsynced, err)
		}
		a.takeBack()
		return a.notWritten(err, a.w.id.Path)
	}
	before := ""
	if a.res.Batches > 0 {
		before = a.safe() + ", "
	}
	return &Error{
		Code: CodeIO,
		Path: a.w.id.Path,
		Msg: fmt.Sprintf("outcome unknown: %sbatch %d may not survive a power cut (%s); look after the disk and run again",
			before, a.res.Batches+1, bareCause(err)),
		Err: fmt.Errorf("%w: %w", ErrUnsynced, err),
	}
}

// safe says which batches are safe.
func (a *applier) safe() string {
	if a.res.Batches == 1 {
		return "batch 1 is safe"
	}
	return fmt.Sprintf("batches 1–%d are safe", a.res.Batches)
}

// isSyncError tells a failed sync from a failed write: bbolt passes on the bare
// number of the one and the other with its path, and words of its own where
// the file grows.
func isSyncError(err error) bool {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Op == "sync"
	}
	var no syscall.Errno
	return errors.As(err, &no) || strings.HasPrefix(err.Error(), "file sync error")
}

func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		c := *e
		return &c
	}
	return &Error{Code: CodeIO, Msg: err.Error(), Err: err}
}
