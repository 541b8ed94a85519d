package hostile

import (
	"bytes"
	"encoding/json"
	"testing"

	"boltmend/internal/oracle"
)

func TestHealthy(t *testing.T) {
	for _, d := range Dialects() {
		for seed := range uint64(1000) {
			h := New(seed, d).Healthy()
			if err := oracle.For(d)(h); err != nil {
				t.Fatalf("%s %d: %v\n%s", d, seed, err, h)
			}
		}
	}
}

// TestHostile wants valid JSON of every length that most providers would
// refuse, and tells how many.
func TestHostile(t *testing.T) {
	for _, d := range Dialects() {
		const n = 1000
		refused, longest := 0, 0
		for seed := range uint64(n) {
			h := New(seed, d).Hostile()
			var list []json.RawMessage
			if err := json.Unmarshal(h, &list); err != nil {
				t.Fatalf("%s %d: %v\n%s", d, seed, err, h)
			}
			longest = max(longest, len(list))
			if oracle.For(d)(h) != nil {
				refused++
			}
		}
		t.Logf("%s: %d of %d refused, up to %d messages", d, refused, n, longest)
		if refused < n/2 || refused == n {
			t.Errorf("%s: %d of %d refused", d, refused, n)
		}
		if longest < 50 {
			t.Errorf("%s: at most %d messages", d, longest)
		}
	}
}

func TestSameSeedSameHistory(t *testing.T) {
	for _, d := range Dialects() {
		for seed := range uint64(100) {
			a, b := New(seed, d), New(seed, d)
			if !bytes.Equal(a.Healthy(), b.Healthy()) || !bytes.Equal(a.Hostile(), b.Hostile()) {
				t.Fatalf("%s %d: two histories", d, seed)
			}
		}
	}
}
