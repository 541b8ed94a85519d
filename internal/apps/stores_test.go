package apps

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boltmend/migrate"
)

// A store is a database of testdata/stores and what a repair says of it.
type store struct {
	name string
	exit int
	// findings counts them by code, "left" those that are not fixed.
	findings map[string]int
	// histories are "ref layout dialect state" of those with findings.
	histories []string
	same      bool // nothing is written
}

var known = []store{
	{name: "document_singleton", findings: map[string]int{"missing-result": 1, "interleaved-message": 1}, histories: []string{
		"chat/conversation#/messages document openai-chat fixed",
		"chathist/1789990000000000001#/messages document openai-chat fixed"}},
	{name: "document_array", findings: map[string]int{"missing-result": 2}, histories: []string{
		"conversations/resp_01# document openai-chat fixed",
		"conversations/resp_02# document openai-chat fixed"}},
	{name: "document_split", exit: anyExit, same: true},
	{name: "document_anthropic", findings: map[string]int{"missing-result": 3}, histories: []string{
		"conversations/20260110T090000-77aa#/rawMessages document anthropic fixed",
		"conversations/20260110T093000-77ab#/rawMessages document anthropic fixed",
		"conversations/20260110T094500-77ac#/rawMessages document anthropic fixed"}},
	{name: "document_grouped", findings: map[string]int{"missing-result": 1}, histories: []string{
		"copilot_conversations/default%2Fu1%2F7c1d#/messages document grouped fixed"}},
	{name: "document_gemini", findings: map[string]int{"missing-result": 1, "orphan-result": 1}, histories: []string{
		"conversations/5511900000001# document gemini fixed"}},
	{name: "document_responses", findings: map[string]int{"orphan-result": 1}, histories: []string{
		"api_responses_v1/resp_9#/data/conversation_history document openai-chat fixed"}},
	{name: "rows_sequence", findings: map[string]int{"missing-result": 2, "early-result": 1}, histories: []string{
		"messages/%00%00%00%00%00%00%00%2A/@%00%00%00%00%00%00%00%2A# rows openai-chat fixed",
		"messages/%00%00%00%00%00%00%00%2C/@%00%00%00%00%00%00%00%2C# rows openai-chat fixed",
		"messages-s1/@messages-s1# rows openai-chat fixed"}},
	{name: "rows_composite", findings: map[string]int{"missing-result": 2, "orphan-result": 1}, histories: []string{
		"messages/@c1# rows-composite openai-chat fixed",
		"messages/@c2# rows-composite openai-chat fixed",
		"turns/@turn:a1# rows-composite openai-chat fixed"}},
	{name: "rows_indexed", exit: anyExit, same: true},
	{name: "rows_ordered", findings: map[string]int{"missing-result": 1, "orphan-result": 1}},
	{name: "rows_field", findings: map[string]int{"missing-result": 1, "orphan-result": 1}, histories: []string{
		"agent_messages/@s1# rows-field openai-chat fixed",
		"agent_messages/@s2# rows-field openai-chat fixed"}},
	{name: "rows_events", findings: map[string]int{"missing-result": 2}, histories: []string{
		"events/@r1# rows-composite openai-chat fixed",
		"events/@r2# rows-composite openai-chat fixed"}},
	{name: "rows_no_room", exit: 1, same: true, findings: map[string]int{"missing-result": 2, "orphan-result": 1, "left": 3}, histories: []string{
		"dense/%00%00%00%01/@%00%00%00%01# rows openai-chat left",
		"packed/@d1# rows-composite openai-chat left",
		"turns/@turn:b1# rows-composite openai-chat left"}},
	{name: "document_untagged", findings: map[string]int{"missing-result": 2}, histories: []string{
		"threads/c8#/Turns document openai-chat fixed",
		"threads/c9#/Turns document openai-chat fixed"}},
	{name: "document_wrapped", findings: map[string]int{"missing-result": 1, "orphan-result": 1}, histories: []string{
		"kv/s1#/messages document openai-chat fixed",
		"kv/s1#/state_b64/messages document openai-chat fixed"}},
	{name: "compressed", findings: map[string]int{"missing-result": 4}, histories: []string{
		"lines/l1# document openai-chat fixed",
		"packed/g1#/messages document openai-chat fixed",
		"packed/z1#/messages document openai-chat fixed",
		"versioned/v1#/messages document openai-chat fixed"}},
	{name: "report_only", exit: 1, same: true},
	{name: "decoys", findings: map[string]int{}, same: true},
}

// anyExit is for stores that DESIGN wants to be left, in whatever way it is
// said.
const anyExit = -1

// TestStores repairs each database of testdata/stores that has a want file
// beside it, and undoes it again.
func TestStores(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(stores, "*.want.txt"))
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, ".shift.want.txt") })
	if err != nil || len(files) != len(known) {
		t.Errorf("%d want files, %d stores are known: %v", len(files), len(known), err)
	}
	for _, s := range known {
		t.Run(s.name, func(t *testing.T) { s.test(t) })
	}
}

func (s store) test(t *testing.T) {
	path := copyOf(t, s.name)
	before := dump(t, path)
	wanted, err := os.ReadFile(filepath.Join(stores, s.name+".want.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var r *report
	if s.same {
		unwritten(t, path, func() { r = repaired(t, path) })
	} else {
		r = repaired(t, path)
	}
	for _, fault := range compare(dump(t, path), string(wanted), before) {
		t.Error(fault)
	}
	s.said(t, r)
	unwritten(t, path, func() {
		if again := repaired(t, path); again.sum.Fixed > 0 || len(again.changed) > 0 {
			t.Errorf("a second repair fixes something\n%s", again)
		}
	})
	undone(t, path, r, before)
}

// said compares the report.
func (s store) said(t *testing.T, r *report) {
	if s.exit != anyExit && r.sum.Exit != s.exit {
		t.Errorf("exit %d, want %d", r.sum.Exit, s.exit)
	}
	if s.same && r.sum.Fixed > 0 {
		t.Errorf("%d findings are called fixed", r.sum.Fixed)
	}
	if s.findings != nil {
		got := maps.Clone(r.sum.Findings)
		if r.sum.Remaining > 0 {
			got["left"] = r.sum.Remaining
		}
		if !maps.Equal(got, s.findings) {
			t.Errorf("findings %v, want %v", got, s.findings)
		}
	}
	if s.histories == nil {
		return
	}
	var got []string
	for _, h := range r.histories {
		got = append(got, fmt.Sprintf("%s %s %s %s", h.Ref, h.Layout, h.Dialect, h.State))
		if h.State == migrate.Left && h.Reason == "" {
			t.Errorf("%s is left without a reason", h.Ref)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, slices.Sorted(slices.Values(s.histories))) {
		t.Errorf("histories\n  got  %s\n  want %s", strings.Join(got, "\n       "), strings.Join(s.histories, "\n       "))
	}
}

// TestStoresAreMade compares each database with the text that it is made
// from.
func TestStoresAreMade(t *testing.T) {
	for _, s := range known {
		text, err := os.ReadFile(filepath.Join(stores, s.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		got, want := dump(t, filepath.Join(stores, s.name+".db")), dump(t, made(t, string(text)))
		if got != want {
			t.Errorf("%s.db is not made from %s.txt: go generate ./internal/dbtext\n%s", s.name, s.name, differences(got, want))
		}
	}
}

// TestInspectStores: inspect says of every bucket what it is, and prints no
// stored text.
func TestInspectStores(t *testing.T) {
	for _, s := range known {
		path := copyOf(t, s.name)
		var r *report
		unwritten(t, path, func() { r = run(t, migrate.Inspect, path, migrate.Options{}) })
		out := r.String()
		for _, secret := range []string{"do-not-print", "good morning", "hammer", "canary"} {
			if strings.Contains(out, secret) {
				t.Errorf("%s: inspect prints %q", s.name, secret)
			}
		}
		for _, line := range s.histories {
			words := strings.Fields(line)
			if bucket := bucketOf(words[0]); !says(r, bucket, words[1], words[2]) {
				t.Errorf("%s: inspect does not say that %s holds %s, %s\n%s", s.name, bucket, words[1], words[2], out)
			}
		}
	}
}

// bucketOf is the bucket of a ref of a history.
func bucketOf(ref string) string {
	record, _, _ := strings.Cut(ref, "#")
	bucket, _, rows := strings.Cut(record, "/@")
	if !rows {
		bucket = record[:strings.LastIndexByte(record, '/')]
	}
	return bucket
}

// says reports whether the line of a bucket, or of the bucket around it, has a
// layout and a dialect.
func says(r *report, bucket, layout, dialect string) bool {
	parent := bucket[:max(0, strings.LastIndexByte(bucket, '/'))]
	return slices.ContainsFunc(r.buckets, func(b *migrate.Bucket) bool {
		return (b.Ref == bucket || b.Ref == parent) && b.Layout == layout && slices.Contains(b.Dialects, dialect)
	})
}
