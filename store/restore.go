package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"boltmend/store/page"
)

// RestoreOptions of [Restore].
type RestoreOptions struct {
	// Journal is a journal that is neither beside the database nor beside the
	// backup, and may be the one that names the backup; "" is none.
	Journal string
	// BackupDir is where the database is backed up to as it is; "" is beside
	// it.
	BackupDir string
	// Force restores though what is in the database cannot be accounted for:
	// somebody else has written to it since the backup was made.
	Force bool
	// DryRun looks at everything and writes nothing.
	DryRun   bool
	LockWait time.Duration
	// Progress, if set, is told how far a page check, the backup and the
	// restore are.
	Progress Progress
}

// A RestoreResult says what a restore did.
type RestoreResult struct {
	// Database is the absolute path, through all links.
	Database string
	// Restored tells that the file was, or in a dry run would be, written to;
	// without it and without an error the file is as the backup already.
	Restored bool
	// Resumed tells that a restore that was cut off was gone on with.
	Resumed bool
	// Backup is the database as it was before, Journal what names it; "" if
	// none was made, since nothing of it was left, or nothing new in it.
	Backup, Journal string
	// Warnings are what the user should know, a line each.
	Warnings []string
}

// Restore makes a database what a backup of it is, byte by byte and in place:
// a process that waits for the lock would write into the old file if another
// took its name.
//
// The backup has to pass the page check, and a journal of this database has to
// name it. The database's last transaction has to be one that the journals
// count: otherwise somebody else has written since, and only Force restores.
// All this is looked at before anything is made. Then the database as it is is
// backed up, with a journal that names this backup, so that a restore can be
// taken back by another.
//
// While pages are written neither meta counts, so that nobody can open the file
// half restored. A run that is cut off then leaves both metas empty, which is
// how, with the journal of its backup, the same command knows to go on. From that point on ctx is not asked any
// more: the way to a usable file leads forward.
//
// Errors match ErrRefused, ErrDamaged (of the backup), ErrNotDatabase,
// ErrLocked, ErrNoSpace, ErrPermission, ErrUsage or ErrIO, or are those of the
// context.
func Restore(ctx context.Context, backup, db string, o RestoreOptions) (RestoreResult, error) {
	r := &restoring{ctx: ctx, opts: o}
	err := r.open(backup, db)
	if err == nil {
		err = r.run()
	}
	r.close()
	return r.res, err
}

// A restoring is one run of [Restore].
type restoring struct {
	ctx  context.Context
	opts RestoreOptions
	res  RestoreResult

	src, dst *os.File // the backup and the database, with a lock on each
	from     page.Metas
	journals []*Journal
	named    []*Journal // those that name the backup
	unread   error      // of a journal that could not be read
	now      presence
}

func (r *restoring) open(backup, db string) (err error) {
	o := Options{LockWait: r.opts.LockWait, Progress: r.opts.Progress, Context: r.ctx}
	if r.src, err = openLocked(backup, o); err != nil {
		return err
	}
	o.Write = !r.opts.DryRun
	if r.dst, err = openLocked(db, o); err != nil {
		return err
	}
	r.res.Database = r.dst.Name()
	a, err := r.src.Stat()
	if err != nil {
		return ioError(r.src.Name(), "look at the file", err)
	}
	b, err := r.dst.Stat()
	if err != nil {
		return ioError(r.dst.Name(), "look at the file", err)
	}
	if os.SameFile(a, b) {
		return usageError(r.dst.Name(), "the backup and the database are one file; name the backup first and the database behind it")
	}
	if !trusted(a, b) {
		return refused(r.src.Name(), "the backup belongs to another user than the database; nothing was changed")
	}
	if kind := networkFS(r.dst); kind != "" {
		r.warn(onNetwork(kind))
	}
	r.from, err = checkFile(r.ctx, r.src, r.opts.Progress, "it cannot be restored from, and nothing was changed")
	return err
}

// run looks, locks, backs up and writes, in this order.
func (r *restoring) run() error {
	if err := r.find(); err != nil {
		return err
	}
	if err := r.settle(); err != nil {
		return err
	}
	defer r.sweep()
	same, err := r.same()
	if err != nil || same {
		return err
	}
	r.res.Resumed = r.now.state == cutOff
	if err := r.checkSpace(); err != nil {
		return err
	}
	if r.opts.DryRun {
		r.res.Restored = true
		return nil
	}
	if r.keeps() {
		if err := r.backUp(); err != nil {
			return err
		}
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if err := r.overwrite(); err != nil {
		return err
	}
	r.res.Restored = true
	return r.verify()
}

// keeps tells that the database is something that is to be backed up.
func (r *restoring) keeps() bool { return r.now.state != cutOff && !r.now.same }

// settle looks at the database until what was seen is what is there under the
// exclusive lock. It is looked at under the shared one, since bbolt's own
// shared lock would be the end of ours.
func (r *restoring) settle() error {
	for range 5 {
		if err := r.look(); err != nil {
			return err
		}
		if err := r.account(); err != nil {
			return err
		}
		if r.opts.DryRun {
			return nil
		}
		if err := r.relock(true); err != nil {
			return err
		}
		if err := stillThere(r.dst); err != nil {
			return err
		}
		unmoved, err := r.unmoved()
		if err != nil || unmoved {
			return err
		}
		if err := r.relock(false); err != nil {
			return err
		}
	}
	return &Error{Code: CodeLocked, Path: r.dst.Name(), Msg: "another process writes all the time; stop it, and run again"}
}

// relock turns the lock on the database into the exclusive one, or back.
func (r *restoring) relock(exclusive bool) error {
	if !handover { // where no handle can turn its lock into another
		if err := unlock(r.dst); err != nil {
			return ioError(r.dst.Name(), "unlock the file", err)
		}
	}
	return lockFile(r.ctx, r.dst, r.dst.Name(), exclusive, r.opts.LockWait)
}

// same tells that there is nothing to do.
func (r *restoring) same() (bool, error) {
	if r.now.state != sound {
		return false, nil
	}
	a, err := fileSize(r.src)
	if err != nil {
		return false, err
	}
	b, err := fileSize(r.dst)
	if err != nil || a != b {
		return false, err
	}
	err = compareData(r.ctx, r.src, r.dst, a, nil)
	if errors.Is(err, errDiffer) {
		return false, nil
	}
	if err != nil {
		return false, ioError(r.src.Name(), "compare the backup with the database", err)
	}
	return true, nil
}

// sweep removes what this run, or one that was killed, left half made. The
// exclusive lock has to be held.
func (r *restoring) sweep() {
	if r.opts.DryRun {
		return
	}
	dirs := []string{filepath.Dir(r.dst.Name())}
	if r.opts.BackupDir != "" {
		dirs = append(dirs, r.opts.BackupDir)
	}
	for _, dir := range dirs {
		sweep(dir, filepath.Base(r.dst.Name())+namePart, tempEnd)
	}
}

func (r *restoring) warn(line string) { r.res.Warnings = append(r.res.Warnings, line) }

// refused is for a restore that would lose something.
func refused(path, msg string) error {
	return &Error{Code: CodeRefused, Path: path, Msg: msg}
}

// close gives both locks up.
func (r *restoring) close() {
	for _, j := range r.journals {
		j.Close()
	}
	for _, f := range []*os.File{r.src, r.dst} {
		if f != nil {
			f.Close() // everything that matters was synced
		}
	}
}
