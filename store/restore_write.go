package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// always is the context of what has to come to its end once it has begun.
func (r *restoring) always() context.Context { return context.WithoutCancel(r.ctx) }

// checkSpace makes sure that there is room for the backup, and for the bytes
// by which the database grows.
func (r *restoring) checkSpace() error {
	grows := need{dir: filepath.Dir(r.dst.Name()), bytes: max(0, dataBytes(r.src)-dataBytes(r.dst)), what: theDatabase}
	if !r.keeps() {
		return checkNeeds([]need{grows})
	}
	path, err := backupPath(r.now.id, r.opts.BackupDir, 1)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := mayWrite(dir); err != nil && exists(dir) {
		return ioError(dir, "make the backup in the folder", err)
	}
	return checkNeeds([]need{grows,
		{dir: dir, bytes: dataBytes(r.dst), what: theBackup},
		{dir: dir, bytes: journalBytes(0, 0), what: theJournal}})
}

// backUp keeps the database as it is, whatever is wrong with it, and a journal
// that names what it kept and what takes its place.
func (r *restoring) backUp() error {
	w := &Writer{
		db:  &DB{file: r.dst, id: r.now.id},
		ctx: r.ctx, opts: BeginOptions{Progress: r.opts.Progress},
		metas: r.now.metas, id: r.now.id,
	}
	path, err := w.Backup(r.opts.BackupDir)
	for i := 2; errors.Is(err, ErrExists) && i < 100; i++ {
		path, err = w.backUpAs(r.opts.BackupDir, i)
	}
	r.res.Warnings = append(r.res.Warnings, w.db.warn...)
	if err != nil {
		return err
	}
	r.res.Backup = path
	live := r.from.Meta[r.from.Live].Raw
	name, err := freeJournalName(filepath.Join(filepath.Dir(path), filepath.Base(r.dst.Name())), r.now.id)
	if err != nil {
		return err
	}
	j, err := createJournal(name, r.now.id, headerOf(r.now.id, path, map[string]string{
		restoredFrom: EncodeName([]byte(r.src.Name())), restoredMeta: hex.EncodeToString(live[:]),
	}))
	if err != nil {
		return err
	}
	r.res.Journal = name
	return also(also(j.add(typeEnd, endLine{}, nil), j.sync()), j.file.Close())
}

// overwrite makes the file what the backup is. The meta that counts goes last
// and comes first, so that a power cut between the two leaves no older state
// that looks whole. All pages are written, those too that seem to be right: of
// a page that a failed sync left in memory nobody knows what is on disk.
func (r *restoring) overwrite() error {
	if older, ok := r.olderMeta(); ok {
		if err := r.zero(older*int64(r.now.metas.PageSize), int64(r.now.metas.PageSize)); err != nil {
			return r.stopped(err, false)
		}
	}
	head := 2 * int64(max(r.from.PageSize, r.now.metas.PageSize))
	if err := r.zero(0, head); err != nil {
		return r.stopped(err, true)
	}
	size, err := fileSize(r.src)
	if err != nil {
		return r.stopped(err, true)
	}
	ps := int64(r.from.PageSize)
	err = r.copyPages(2*ps, size)
	if err == nil {
		err = r.dst.Truncate(size)
	}
	if err == nil {
		err = r.dst.Sync()
	}
	for _, i := range []int64{int64(r.from.Live), 1 - int64(r.from.Live)} {
		if err == nil {
			err = r.copyMeta(i*ps, ps)
		}
	}
	if err != nil {
		return r.stopped(err, true)
	}
	return nil
}

// olderMeta is the index of the meta that does not count.
func (r *restoring) olderMeta() (int64, bool) {
	if r.now.state != sound && r.now.state != damaged {
		return 0, false
	}
	return int64(1 - r.now.metas.Live), true
}

func (r *restoring) zero(off, n int64) error {
	if _, err := r.dst.WriteAt(make([]byte, n), off); err != nil {
		return err
	}
	return r.dst.Sync()
}

func (r *restoring) copyMeta(off, n int64) error {
	b := make([]byte, n)
	if err := readFull(r.src, b, off); err != nil {
		return err
	}
	if _, err := r.dst.WriteAt(b, off); err != nil {
		return err
	}
	return r.dst.Sync()
}

// copyPages copies from off on, and passes over what is a hole in both files.
func (r *restoring) copyPages(off, size int64) error {
	b := make([]byte, copyChunk)
	progress := r.opts.Progress.phase("restore")
	flushed := off
	for {
		off = min(nextData(r.src, off, size), nextData(r.dst, off, size))
		if off >= size {
			return nil
		}
		n := min(copyChunk, size-off)
		if err := readFull(r.src, b[:n], off); err != nil {
			return err
		}
		if _, err := r.dst.WriteAt(b[:n], off); err != nil {
			return err
		}
		off += n
		if off-flushed >= 64*copyChunk {
			startWriteback(r.dst, flushed, off-flushed)
			flushed = off
		}
		if progress != nil {
			progress(off, size)
		}
	}
}

// stopped is the error of a restore that did not come to its end. cut tells
// that the database may be without a meta that counts.
func (r *restoring) stopped(err error, cut bool) error {
	var e *Error
	if !errors.As(ioError(r.dst.Name(), "write", err), &e) {
		return err
	}
	c := *e
	hint := "look after the disk"
	if c.Code == CodeNoSpace {
		hint = "free some space in " + filepath.Dir(r.dst.Name())
	}
	c.Msg = fmt.Sprintf("nothing was restored: %s; %s and run the same command again", bareCause(err), hint)
	if cut {
		c.Msg = fmt.Sprintf("the restore is not finished, and the database may not open until it is: %s; %s and run the same command again, which goes on",
			bareCause(err), hint)
	}
	var pe *os.PathError
	if errors.As(err, &pe) && pe.Op == "sync" {
		c.Err = fmt.Errorf("%w: %w", ErrUnsynced, err)
	}
	return &c
}
