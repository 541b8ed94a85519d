package store

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"boltmend/store/page"
)

// What a database is before it is restored.
const (
	sound   = iota
	damaged // a meta counts, and the page check found an error
	unknown // no meta counts, so that nobody knows what was committed last
	cutOff  // both metas are empty, and the last that was begun is a restore
)

// A presence is what was seen of a database.
type presence struct {
	state int
	metas page.Metas
	raw   [2][64]byte // both metas as they lie on disk
	id    Identity
	blank bool // both meta pages hold nothing at all
	// same tells that it is the backup's state, if not byte by byte: a restore
	// may have been cut off near its end. There is nothing in it to keep.
	same bool
}

// look says what the database is.
func (r *restoring) look() (err error) {
	r.now = presence{}
	if r.now.raw, err = r.rawMetas(r.from.PageSize); err != nil {
		return err
	}
	if r.now.id, err = identify(r.dst, r.from); err != nil {
		return err
	}
	if r.now.blank, err = r.empty(); err != nil {
		return err
	}
	if r.now.blank && r.begun() {
		r.now.state = cutOff
		return nil
	}
	metas, err := readMetas(r.dst)
	switch {
	case errors.Is(err, ErrNotDatabase) || errors.Is(err, ErrDamaged):
		r.now.state, r.now.id.TxID = unknown, 0
		return nil
	case err != nil:
		return err
	}
	r.now.metas, r.now.raw = metas, [2][64]byte{metas.Meta[0].Raw, metas.Meta[1].Raw}
	if r.now.id, err = identify(r.dst, metas); err != nil {
		return err
	}
	_, err = checkFile(r.ctx, r.dst, r.opts.Progress, untouched)
	if errors.Is(err, ErrDamaged) {
		r.now.state, err = damaged, nil
	}
	return err
}

// rawMetas reads the metas as they are. What lies behind the end of the file is
// nothing.
func (r *restoring) rawMetas(pageSize int) (raw [2][64]byte, err error) {
	for i := range raw {
		_, err := r.dst.ReadAt(raw[i][:], int64(i)*int64(pageSize)+16)
		if err != nil && err != io.EOF {
			return raw, ioError(r.dst.Name(), "read the file", err)
		}
	}
	return raw, nil
}

// empty tells that both meta pages hold nothing at all.
func (r *restoring) empty() (bool, error) {
	b := make([]byte, 2*r.from.PageSize)
	n, err := r.dst.ReadAt(b, 0)
	if err == io.EOF {
		return false, nil // a restore leaves no file as short as that
	}
	if err != nil {
		return false, ioError(r.dst.Name(), "read the file", err)
	}
	return bytes.Equal(b[:n], make([]byte, n)), nil
}

// unmoved tells that nobody wrote since look.
func (r *restoring) unmoved() (bool, error) {
	size := r.now.metas.PageSize
	if size == 0 { // no meta counts
		size = r.from.PageSize
	}
	raw, err := r.rawMetas(size)
	return raw == r.now.raw, err
}

// account makes sure that all that was committed since the backup was made was
// committed by us. It goes back from the database's last transaction, from
// journal to journal, to the state that the backup is of.
func (r *restoring) account() error {
	switch {
	case r.now.state == cutOff:
		return nil
	case r.opts.Force && r.now.state != sound:
		return nil
	case r.now.blank:
		return refused(r.dst.Name(), "both its metas are empty, and no journal tells of a restore that was cut off, so nobody can tell if the app has written since the backup; "+toForce)
	case r.now.state == unknown:
		return refused(r.dst.Name(), "neither of its metas counts, so nobody can tell if the app has written since the backup; "+toForce)
	}
	live := r.now.metas.Meta[r.now.metas.Live]
	t := trail{txid: live.TxID, meta: hex.EncodeToString(live.Raw[:])}
	if r.now.state == sound {
		bolt, err := openBolt(r.dst, r.now.metas, false, 0)
		if err != nil {
			return err
		}
		defer bolt.Close() // read-only: the lock stays with our descriptor
		v, err := newView(bolt, r.dst.Name(), r.now.metas)
		if err != nil {
			return err
		}
		v.release = func() {}
		defer v.Close()
		t.rows = v
		w := &Writer{db: &DB{file: r.dst, id: r.now.id}, bolt: bolt, ctx: r.ctx, metas: r.now.metas, id: r.now.id}
		t.is = func(backup string) (bool, error) { return r.isStill(w, backup) }
		if live.Raw == r.from.Meta[r.from.Live].Raw {
			if r.now.same, err = r.isStill(w, r.src.Name()); err != nil {
				return err
			}
		}
		if r.now.same || r.opts.Force {
			return nil
		}
	}
	known, err := t.reaches(r.ctx, r.journals, r.named)
	if err == nil && !known {
		err = refused(r.dst.Name(), "the app has written since the backup was made, and a restore would lose that; "+toForce)
	}
	return err
}

// isStill tells that the database is what a backup holds: a meta is the same
// in many files. The backup may have been moved, if it is the one to restore.
func (r *restoring) isStill(w *Writer, backup string) (bool, error) {
	f := r.src
	if filepath.Base(backup) != filepath.Base(r.src.Name()) {
		var err error
		if f, err = openFile(backup, false); err != nil {
			return false, nil
		}
		defer f.Close()
	}
	a, err := fileSize(f)
	if err != nil {
		return false, err
	}
	b, err := fileSize(r.dst)
	if err == nil {
		err = w.compareBackup(f, min(a, b))
	}
	if errors.Is(err, errDiffer) {
		return false, nil
	}
	return err == nil, err
}

// toForce says how to restore all the same.
const toForce = "nothing was changed: undo the repair's journal instead, or restore with --force"

// verify makes sure that the file is as the backup.
func (r *restoring) verify() error {
	size, err := fileSize(r.src)
	if err != nil {
		return err
	}
	err = compareData(r.always(), r.src, r.dst, size, nil)
	if errors.Is(err, errDiffer) {
		return &Error{Code: CodeDamaged, Path: r.dst.Name(),
			Msg: "does not read back as it was restored; its disk may be failing: restore " + r.src.Name() + " to another one"}
	}
	if err != nil {
		return ioError(r.dst.Name(), "read the restored file back", err)
	}
	return nil
}

// exists tells that there is something at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
