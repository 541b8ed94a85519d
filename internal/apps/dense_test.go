package apps

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
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
	{denseCount.layout("count", "rows-composite", "seq"), func(t *testing.T, tx *bbolt.Tx, conv string) (*bbolt.Bucket, string) {
		b := bucket(t, tx, "packed")
		return b, conv + "/" + fmt.Sprintf("%08d", len(keys(b, conv+"/")))
	}},
}

var denseSequence = rows{
	bucket: nested("dense"), prefix: noPrefix, before: noMembers, behind: noMembers, check: nothingToCheck,
	key:      func(i int) string { return string(binary.BigEndian.AppendUint64(nil, uint64(i+1))) },
	sequence: func(n int) int { return n },
}

var denseCount = func() rows {
	r := compositePadded
	r.bucket, r.key = flat("packed"), func(i int) string { return fmt.Sprintf("%08d", i) }
	r.before, r.check = noMembers, nothingToCheck
	return r
}()

// TestDense: where there is no room, a conversation is repaired as long as no
// key has to move, or left and reported. In either case the app's next key is
// free.
func TestDense(t *testing.T) {
	for _, d := range dense {
		for _, dialect := range dialects {
			t.Run(d.label+"/"+dialect, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "dense.db")
				var used []fault
				quickly(t, path, func(tx *bbolt.Tx) {
					for _, f := range faults(t, dialect) {
						if f.fits(t, d.layout) {
							f = f.timeless(t)
							d.put(t, tx, f.conv, f.messages)
							used = append(used, f)
						}
					}
				})
				before := dump(t, path)
				r := repaired(t, path)
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
				if fixed == 0 || left == 0 {
					t.Errorf("%d conversations repaired, %d left: both were expected", fixed, left)
				}
				undone(t, path, r, before)
			})
		}
	}
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
