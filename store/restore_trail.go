package store

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// Among the options of the journal that a restore keeps are the path of the
// backup, percent-encoded, and its newest meta, in hex.
const (
	restoredFrom = "restored_from"
	restoredMeta = "restored_meta"
)

// A trail goes back over what was done to a database, journal by journal, the
// latest first, and so from its state to the state that a backup is of. Neither
// the number of a transaction nor a meta proves by itself whose it is: after a
// restore the same numbers come again. What was done last has to explain what
// is there, then what was done before that, and so on.
type trail struct {
	txid uint64
	meta string // of the state, in hex
	// rows are those of the database as it is, nil if they cannot be read;
	// back is what they were before the journals so far.
	rows lookup
	back putBack
	lost bool // rows are of another state, and prove nothing
	// is tells that the database as it is, is what a backup holds; nil if that
	// cannot be known.
	is func(backup string) (bool, error)
}

// reaches reports whether the trail over all journals of the database comes to
// the beginning of one of the ends.
func (t *trail) reaches(ctx context.Context, journals, ends []*Journal) (bool, error) {
	journals = slices.Clone(journals)
	slices.SortStableFunc(journals, func(a, b *Journal) int { return strings.Compare(b.Header.Time, a.Header.Time) })
	for _, j := range journals {
		ok, err := t.over(ctx, j)
		if err != nil || !ok {
			return false, err
		}
		if slices.Contains(ends, j) {
			return true, nil
		}
	}
	return false, nil
}

// over goes back to where a journal began. It reports false if this is not
// what the journal's run has left: then somebody else has written since.
func (t *trail) over(ctx context.Context, j *Journal) (ok bool, err error) {
	is := t.is
	t.is = nil
	switch {
	case t.meta != "" && t.meta == j.Header.Options[restoredMeta]:
		t.lost = true
		if is != nil {
			from, bad := DecodeName(j.Header.Options[restoredFrom])
			if bad != nil {
				return false, nil
			}
			if ok, err = is(string(from)); err != nil || !ok {
				return false, err
			}
		}
	case t.txid == j.Header.TxID:
		// It has committed nothing.
		if is == nil || j.Header.Backup == "" || t.meta != j.Header.live() {
			return t.meta == j.Header.live(), nil
		}
		return is(j.Header.Backup)
	default:
		i := slices.IndexFunc(j.Batches, func(b JournalBatch) bool { return b.TxID == t.txid })
		if i < 0 {
			return false, nil
		}
		if ok, err = t.overBatches(ctx, j, i); err != nil || !ok {
			return false, err
		}
	}
	t.txid, t.meta = j.Header.TxID, j.Header.live()
	return true, nil
}

// overBatches makes sure that the records are as the batches up to the i-th
// left them, and takes them for put back. That is for the last batch, of which
// the journal of a killed run does not say if it was committed: its
// transaction may be the app's.
func (t *trail) overBatches(ctx context.Context, j *Journal, i int) (ok bool, err error) {
	switch {
	case t.lost:
		return j.Complete || i < len(j.Batches)-1, nil
	case t.rows == nil:
		return true, nil // more cannot be said of a damaged file
	}
	for rec, err := range j.records(false) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return false, err
		}
		if rec.Batch > j.Batches[i].Number {
			continue
		}
		state, edits, err := undoRecord(t.rows, rec, &t.back)
		if err != nil || state != Restored {
			return false, err
		}
		t.back.add(rec, edits)
	}
	return true, nil
}

// txidOf is the transaction of a meta in hex, 0 if it is none.
func txidOf(meta string) uint64 {
	raw, err := hex.DecodeString(meta)
	if err != nil || len(raw) != 64 {
		return 0
	}
	return binary.NativeEndian.Uint64(raw[48:])
}

// live is the meta of a journal's beginning that counted, in hex.
func (h *JournalHeader) live() string {
	for _, s := range []string{h.Meta0, h.Meta1} {
		if txidOf(s) == h.TxID {
			return s
		}
	}
	return ""
}
