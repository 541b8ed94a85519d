package apps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"boltmend/internal/hostile"
	"boltmend/repair"
)

// TestHostile spreads hostile histories over every layout and codec. What a
// repair of the database makes of them is what a repair of the bare history
// makes, and undo gives back what was there.
func TestHostile(t *testing.T) {
	for _, dialect := range dialects {
		all := hostiles(t, dialect, 60)
		for _, l := range slices.Concat(layouts, codecs) {
			t.Run(dialect+"/"+l.label, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "hostile.db")
				used := spread(t, path, l, all)
				if len(used) < 30 {
					t.Errorf("only %d histories", len(used))
				}
				before := dump(t, path)
				r := repaired(t, path)
				wrong := 0
				view(t, path, func(tx *bbolt.Tx) error {
					for _, f := range used {
						got := l.get(t, tx, f.conv)
						if sameMessages(got, f.wants[0]) {
							continue
						}
						if wrong++; wrong <= 2 {
							t.Errorf("%s (%s): %s\n  in   %s", f.name, f.conv, firstDifference(t, got, f.wants[0]), listOf(f.messages))
						}
					}
					return nil
				})
				if wrong > 0 {
					t.Errorf("%d of %d histories are not repaired as the bare history is", wrong, len(used))
				}
				undone(t, path, r, before)
			})
		}
	}
}

// hostiles makes hostile histories whose elements are messages, with what a
// repair of the bare history makes of them.
func hostiles(t *testing.T, dialect string, n int) (all []fault) {
	for seed := uint64(1); len(all) < n; seed++ {
		f := fault{name: fmt.Sprintf("%s of seed %d", dialect, seed), conv: fmt.Sprintf("conv%04d", len(all))}
		var list []json.RawMessage
		if err := json.Unmarshal(hostile.New(seed, dialect).Hostile(), &list); err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			var line bytes.Buffer
			if isMessage(m) && json.Compact(&line, m) == nil {
				f.messages = append(f.messages, line.String())
			}
		}
		if f = f.timeless(t); !f.proven() {
			continue
		}
		res, err := repair.History([]byte(listOf(f.messages)), repair.Options{})
		if err != nil || string(res.Dialect) != dialect || res.Reason != "" {
			continue
		}
		f.wants = [][]any{decodedAny(t, string(res.JSON)).([]any)}
		all = append(all, f)
	}
	return all
}

// isMessage reports whether an element is one by its role.
func isMessage(element []byte) bool {
	var o map[string]any
	if json.Unmarshal(element, &o) != nil {
		return false
	}
	for name, v := range o {
		if role, ok := v.(string); ok && folded(name) == "role" && role != "" {
			return true
		}
	}
	return false
}

// firstDifference is the first message that is not as wanted.
func firstDifference(t *testing.T, got, want []any) string {
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = string(encode(t, got[i]))
		}
		if i < len(want) {
			w = string(encode(t, want[i]))
		}
		if i >= len(got) || i >= len(want) || !sameMessages(got[i:i+1], want[i:i+1]) {
			return fmt.Sprintf("%d messages, want %d; message %d\n  got  %s\n  want %s", len(got), len(want), i, g, w)
		}
	}
	return "the same"
}

// sameMessages compares messages. A made-up one may have more members: those
// that all rows of its conversation have.
func sameMessages(got, want []any) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range want {
		g, _ := got[i].(map[string]any)
		w, _ := want[i].(map[string]any)
		if w == nil || !strings.Contains(fmt.Sprint(w), marker) {
			if !reflect.DeepEqual(got[i], want[i]) {
				return false
			}
			continue
		}
		for name, v := range w {
			if !reflect.DeepEqual(g[name], v) {
				return false
			}
		}
	}
	return true
}
