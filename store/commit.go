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
		return a.notWritten(err)
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
	if a.res.Batches == 0 {
		if e := a.journal.discard(); e == nil {
			a.res.Journal = ""
		}
		a.journal = nil
	}
	return a.notWritten(err)
}

// notWritten is the error of a batch that certainly did not commit.
func (a *applier) notWritten(err error) error {
	e := asError(ioError(a.w.id.Path, "write", err))
	if e.Code == CodeDamaged || isContext(err) {
		return err
	}
	hint := "look after the disk and run again"
	if e.Code == CodeNoSpace {
		hint = "free some space and run again"
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
		return a.notWritten(err)
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
