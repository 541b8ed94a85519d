package store

import (
	"context"
	"errors"
	"fmt"
	"os"

	bolterrors "go.etcd.io/bbolt/errors"

	"boltmend/store/page"
)

// Progress is told how far a phase is: "check", "backup", "apply", "compact".
// done and total are bytes.
type Progress func(phase string, done, total int64)

func (p Progress) phase(name string) func(done, total int64) {
	if p == nil {
		return nil
	}
	return func(done, total int64) { p(name, done, total) }
}

// CheckPages runs the page check alone, under the shared lock, and calls
// report for each problem. bbolt never sees the file. Damage is no error here:
// the result counts it.
func CheckPages(path string, o Options, maxProblems int, report func(page.Problem)) (page.Result, error) {
	f, err := openLocked(path, o)
	if err != nil {
		return page.Result{}, err
	}
	defer f.Close()
	size, err := fileSize(f)
	if err != nil {
		return page.Result{}, err
	}
	res, err := page.Check(o.context(), f, size, page.Options{
		Progress:    o.Progress.phase("check"),
		MaxProblems: maxProblems,
	}, report)
	return res, checkError(f.Name(), size, res.Metas, err)
}

// checkFile runs the page check by pread and returns the metas of a sound
// file. The first error of a damaged one is what the Error says, and then the
// hint.
func checkFile(ctx context.Context, f *os.File, progress Progress, hint string) (page.Metas, error) {
	size, err := fileSize(f)
	if err != nil {
		return page.Metas{}, err
	}
	first := ""
	res, err := page.Check(ctx, f, size, page.Options{Progress: progress.phase("check")}, func(p page.Problem) {
		if first == "" && p.Severity == page.Error {
			first = p.String()
		}
	})
	if err != nil {
		return res.Metas, checkError(f.Name(), size, res.Metas, err)
	}
	if res.Errors == 0 {
		return res.Metas, nil
	}
	if res.Errors > 1 {
		first += fmt.Sprintf(" (and %d more)", res.Errors-1)
	}
	return res.Metas, &Error{Code: CodeDamaged, Path: f.Name(), Msg: "database is damaged: " + first + "; " + hint}
}

// untouched is the hint before anything was written.
const untouched = "nothing was written; put a backup in its place"

// checkError says in our words why a page check could not be done.
func checkError(path string, size int64, m page.Metas, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, page.ErrNotDatabase):
		msg := "is " + err.Error()
		if size >= 2*1024 && m.Meta[0].Raw == [64]byte{} && m.Meta[1].Raw == [64]byte{} {
			msg = "both meta pages are empty: a restore was cut off, which can be run again, or this is not a bbolt database"
		}
		return &Error{Code: CodeNotDatabase, Path: path, Msg: msg, Err: err}
	case errors.Is(err, page.ErrDamaged):
		return &Error{Code: CodeDamaged, Path: path, Msg: "database is damaged: " + err.Error(), Err: err}
	}
	return ioError(path, "read the file", err)
}

// readMetas reads both metas by pread.
func readMetas(f *os.File) (page.Metas, error) {
	size, err := fileSize(f)
	if err != nil {
		return page.Metas{}, err
	}
	m, err := page.ReadMetas(f, size)
	return m, checkError(f.Name(), size, m, err)
}

func fileSize(f *os.File) (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, ioError(f.Name(), "look at the file", err)
	}
	return st.Size(), nil
}

func isBoltTimeout(err error) bool { return errors.Is(err, bolterrors.ErrTimeout) }
