package apps

import (
	"slices"
	"strings"
	"testing"

	"boltmend/migrate"
)

// TestRowWithoutOrder: a row that the order does not name is invisible to the
// app. Nobody can know its place, so it is said and left.
func TestRowWithoutOrder(t *testing.T) {
	path := copyOf(t, "rows_indexed")
	for _, c := range []command{migrate.Scan, migrate.Repair} {
		if r := run(t, c, path, migrate.Options{}); !strings.Contains(r.String(), "c9d1-z") {
			t.Errorf("nothing is said of the row\n%s", r)
		}
	}
}

// TestReportOnly: what must not be written is reported, with the reason.
func TestReportOnly(t *testing.T) {
	path := copyOf(t, "report_only")
	for _, c := range []command{migrate.Scan, migrate.Repair} {
		r := run(t, c, path, migrate.Options{})
		var missing []string
		for _, bucket := range []string{"cache", "checkpoints", "ledger", "tree"} {
			if !slices.ContainsFunc(r.histories, func(h *migrate.History) bool {
				return h.Bucket[0] == bucket && h.State == migrate.ReportOnly && h.Reason != "" && len(h.Findings) > 0
			}) {
				missing = append(missing, bucket)
			}
		}
		if missing != nil {
			t.Errorf("of %v no finding is reported with a reason for leaving it\n%s", missing, r)
		}
	}
	r := run(t, migrate.Inspect, path, migrate.Options{})
	for bucket, word := range map[string]string{"gobs": "gob", "sealed": "", "ledger/s1": "digest"} {
		if !slices.ContainsFunc(r.buckets, func(b *migrate.Bucket) bool {
			return b.Ref == bucket && b.Reason != "" && strings.Contains(b.Reason+b.Codec, word)
		}) {
			t.Errorf("%s: inspect gives no reason with the word %q\n%s", bucket, word, r)
		}
	}
}
