package apps

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"boltmend/migrate"
)

// dense are layouts in which one key follows on the other, so that there is no
// room between two rows, with the app's rule for the next key.
var dense = []struct {
	layout
	next func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string)
}{
	{denseSequence.layout("sequence", "rows"), func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string) {
		b := bucket(t, tx, "dense", conv)
		return b, string(binary.BigEndian.AppendUint64(nil, b.Sequence()+1))
	}},
	{denseHex.layout("hexadecimal sequence", "rows"), func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string) {
		b := bucket(t, tx, "hexed", conv)
		return b, fmt.Sprintf("%08x", b.Sequence()+1)
	}},
	{denseCount.layout("count", "rows-composite", "seq"), func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string) {
		b := bucket(t, tx, "packed")
		return b, conv + "/" + fmt.Sprintf("%08d", len(keys(b, conv+"/")))
	}},
	{denseLast.layout("one past the last", "rows-composite", "seq"), func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string) {
		b := bucket(t, tx, "numbered")
		return b, onePast(t, b, conv+"/", 8)
	}},
	{layout{label: "order", name: "rows-indexed", adds: []string{"id", "sessionId"}, put: indexed{"tight", 1, ""}.put, get: indexed{"tight", 1, ""}.get},
		func(t *testing.T, tx *bbolt.Tx, _ string) (*bbolt.Bucket, string) {
			b := bucket(t, tx, "tight-order")
			return b, onePast(t, b, "", 19)
		}},
	{layout{label: "order of each", name: "rows-indexed", adds: []string{"id"}, put: indexed{"each", 1, "/"}.put, get: indexed{"each", 1, "/"}.get},
		func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string) {
			b := bucket(t, tx, "each-order", conv)
			return b, fmt.Sprintf("%019d", len(keys(b, ""))+1)
		}},
	{layout{label: "order by name", name: "rows-indexed", adds: []string{"id"}, put: indexed{"by", 1, ":"}.put, get: indexed{"by", 1, ":"}.get},
		func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string) {
			b := bucket(t, tx, "by-order")
			return b, fmt.Sprintf("%s:%019d", conv, len(keys(b, conv+":"))+1)
		}},
}

var denseSequence = rows{
	bucket: nested("dense"), prefix: noPrefix, before: noMembers, behind: noMembers, check: nothingToCheck,
	key:      func(i int) string { return string(binary.BigEndian.AppendUint64(nil, uint64(i+1))) },
	sequence: func(n int) int { return n },
}

// denseHex begins where a conversation soon gets to the first letter. Shorter
// ones are known by the others.
var denseHex = rows{
	bucket: nested("hexed"), prefix: noPrefix, before: noMembers, behind: noMembers, check: nothingToCheck,
	key:      func(i int) string { return fmt.Sprintf("%08x", i+8) },
	sequence: func(n int) int { return n + 7 },
}

// denseCount says nothing of its number in the row, denseLast does.
var denseCount, denseLast = func() (rows, rows) {
	count, last := compositePadded, compositePadded
	count.bucket, count.key = flat("packed"), func(i int) string { return fmt.Sprintf("%08d", i) }
	count.before, count.check = noMembers, nothingToCheck
	last.bucket, last.key = flat("numbered"), func(i int) string { return fmt.Sprintf("%08d", i+1) }
	return count, last
}()

// onePast is the number behind the last key with a prefix.
func onePast(t *testing.T, b *bbolt.Bucket, prefix string, width int) string {
	all := keys(b, prefix)
	if len(all) == 0 {
		return prefix
	}
	n, err := strconv.Atoi(strings.TrimPrefix(all[len(all)-1], prefix))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s%0*d", prefix, width, n+1)
}

// TestDense: where there is no room, a conversation is repaired as long as no
// key has to move, or left and reported; if keys may move, all are repaired.
// In each case the app's next key is free.
func TestDense(t *testing.T) {
	for _, d := range dense {
		for _, dialect := range dialects {
			for _, shift := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/%v", d.label, dialect, shift), func(t *testing.T) {
					t.Parallel()
					path := filepath.Join(t.TempDir(), "dense.db")
					used := spread(t, path, d.layout, faults(t, dialect))
					before := dump(t, path)
					r := run(t, migrate.Repair, path, migrate.Options{NoBackup: true, ShiftRows: shift})
					said := map[string]*migrate.History{}
					for _, h := range r.histories {
						said[convOf(h.Ref)] = h
					}
					fixed, left := 0, 0
					view(t, path, func(tx *bbolt.Tx) error {
						for _, f := range used {
							if whole := f.wholeOrLeft(t, d.get(t, tx, f.conv), said[f.conv]); whole && f.codes != nil {
								fixed++
							} else if !whole {
								left++
							}
							if b, key := d.next(t, tx, f.conv); b.Get([]byte(key)) != nil {
								t.Errorf("%s (%s): the app's next key %q is in use", f.name, f.conv, key)
							}
						}
						return nil
					})
					if fixed == 0 || (left == 0) != shift {
						t.Errorf("%d conversations repaired, %d left\n%s", fixed, left, leftOf(r))
					}
					undone(t, path, r, before)
				})
			}
		}
	}
}

// leftOf lists what is left and why.
func leftOf(r *report) string {
	var b strings.Builder
	for _, h := range r.histories {
		if h.Reason != "" {
			fmt.Fprintf(&b, "%s: %s: %s\n", h.Ref, h.State, h.Reason)
		}
	}
	return b.String()
}

// spread makes a database of the faults that fit a layout.
func spread(t *testing.T, path string, l layout, all []fault) (used []fault) {
	quickly(t, path, func(tx *bbolt.Tx) {
		for _, f := range all {
			if f.fits(t, l) {
				if l.name != "document" {
					f = f.timeless(t)
				}
				l.put(t, tx, f.conv, f.messages)
				used = append(used, f)
			}
		}
	})
	return used
}

// wholeOrLeft reports whether a conversation is as wanted. If not, that must
// be said, and nothing must be gone but what is reported as fixed.
func (f fault) wholeOrLeft(t *testing.T, got []any, said *migrate.History) bool {
	if slices.ContainsFunc(f.wants, func(want []any) bool { return reflect.DeepEqual(got, want) || len(got)+len(want) == 0 }) {
		return true
	}
	if said == nil || said.State != migrate.Left && said.State != migrate.ReportOnly || said.Reason == "" {
		t.Errorf("%s (%s): not repaired, and not said to be left\n  got  %s\n  want %s\n  said %+v", f.name, f.conv, encode(t, got), encode(t, f.wants[0]), said)
		return false
	}
	if !slices.ContainsFunc(said.Findings, func(f migrate.Finding) bool { return f.Fixed }) {
		for i, m := range f.messages {
			if i >= len(got) || !reflect.DeepEqual(got[i], decodedAny(t, m)) || len(got) != len(f.messages) {
				t.Errorf("%s (%s): nothing is said to be fixed, and it has changed\n  got  %s\n  want %s", f.name, f.conv, encode(t, got), listOf(f.messages))
				break
			}
		}
	}
	return false
}

// TestShift renumbers where it may. Of ULIDs that follow one another it says
// that they cannot be.
func TestShift(t *testing.T) {
	path := copyOf(t, "rows_no_room")
	before := dump(t, path)
	wanted, err := os.ReadFile(filepath.Join(stores, "rows_no_room.shift.want.txt"))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, migrate.Repair, path, migrate.Options{NoBackup: true, ShiftRows: true})
	for _, fault := range compare(dump(t, path), string(wanted), before) {
		t.Error(fault)
	}
	if r.sum.Exit != 1 || r.sum.Fixed != 2 || r.sum.Remaining != 1 || !strings.Contains(leftOf(r), "turns/@turn:b1#") {
		t.Errorf("%+v\n%s", r.sum, leftOf(r))
	}
	undone(t, path, r, before)
}
