package store

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Journals lists the journals beside a database, the newest first, which is
// the order to undo them in. The database itself need not exist any more.
func Journals(db string) ([]string, error) {
	full, err := resolve(db)
	if err != nil {
		if full, err = filepath.Abs(db); err != nil {
			return nil, ioError(db, "find the folder", err)
		}
	}
	return journalsIn(filepath.Dir(full), filepath.Base(full))
}

// journalsIn lists those of the databases of this name that lie in a folder.
func journalsIn(dir, base string) ([]string, error) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, ioError(dir, "list the folder", err)
	}
	type found struct {
		path    string
		txid, i uint64
	}
	var all []found
	for _, e := range names {
		if !e.Type().IsRegular() {
			continue
		}
		if txid, i, err := parseJournalName(e.Name(), base); err == nil {
			all = append(all, found{filepath.Join(dir, e.Name()), txid, i})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		if a.txid != b.txid {
			return cmp.Compare(b.txid, a.txid)
		}
		return cmp.Compare(b.i, a.i)
	})
	var paths []string
	for _, f := range all {
		paths = append(paths, f.path)
	}
	return paths, nil
}

// parseJournalName reads the numbers of <base>.boltmend-<txid>[-<i>].journal.
func parseJournalName(name, base string) (txid, i uint64, err error) {
	mid, ok := strings.CutPrefix(name, base+namePart)
	if ok {
		mid, ok = strings.CutSuffix(mid, journalEnd)
	}
	if !ok {
		return 0, 0, errors.New("not a journal's name")
	}
	id, count, more := strings.Cut(mid, "-")
	if more {
		if i, err = strconv.ParseUint(count, 10, 32); err != nil {
			return 0, 0, err
		}
	}
	txid, err = strconv.ParseUint(id, 10, 64)
	return txid, i, err
}
