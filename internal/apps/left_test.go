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

// TestUnrecognised: nothing found is never said of a database that mentions
// calls which nobody understood.
func TestUnrecognised(t *testing.T) {
	for name, text := range map[string]string{
		"flat calls without a result anywhere": `chats/a [{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"x","name":"f","arguments":"{}"}]},{"role":"user","content":"n"}]`,
		"the same in rows": `rows/c1/%00%00%00%01 {"role":"user","content":"q"}
rows/c1/%00%00%00%02 {"role":"assistant","tool_calls":[{"id":"x","name":"f","arguments":"{}"}]}
rows/c1/%00%00%00%03 {"role":"user","content":"n"}`,
		"calls of an unknown kind": `turns/1 {"turn":{"text":"q","tool_calls":[{"ref":"x","run":"f"}]}}`,
		"MessagePack":              `packs/1 quoted "\x81\xa8messages\x92\x82\xa4role\xa4user\xa7content\xa1q\x82\xa4role\xa9assistant\xaatool_calls\x91\x82\xa2id\xa1x\xa4name\xa1f"`,
	} {
		path := made(t, text+"\n")
		unwritten(t, path, func() {
			r := run(t, migrate.Repair, path, migrate.Options{})
			if judged := len(r.histories) > 0 && r.sum.Remaining > 0; r.sum.Fixed > 0 || !judged && r.sum.Unrecognised == 0 {
				t.Errorf("%s: %d fixed, %d unrecognised\n%s", name, r.sum.Fixed, r.sum.Unrecognised, r)
			}
			for _, l := range r.lines {
				if strings.Contains(l, `"unrecognised","reason":""`) {
					t.Errorf("%s: no reason: %s", name, l)
				}
			}
		})
	}
}

// TestNoOrder: where nothing says in which order messages are read, as of the
// last message of each user, nothing is written.
func TestNoOrder(t *testing.T) {
	path := made(t, `last/alice {"role":"assistant","content":"","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]}
last/bob {"role":"user","content":"hello"}
last/carol {"role":"tool","content":"r","tool_call_id":"call_7"}
`)
	unwritten(t, path, func() {
		if r := run(t, migrate.Repair, path, migrate.Options{}); r.sum.Fixed > 0 || len(r.changed) > 0 {
			t.Errorf("written\n%s", r)
		}
	})
}
