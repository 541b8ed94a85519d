package migrate

import (
	"strings"
	"testing"
)

const (
	openCall = `{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]`
	itsReply = `{"role":"tool","tool_call_id":"c1","content":"4"`
)

// TestDoubt: rows that cannot be put together for certain are not written, and
// no finding is made of them.
func TestDoubt(t *testing.T) {
	for _, c := range []struct{ name, text, why string }{
		{"a row without its conversation",
			`m/%00%00%00%00%00%00%00%01 {"role":"user","content":"q"}
m/%00%00%00%00%00%00%00%02 ` + openCall + `,"session_id":"a"}
m/%00%00%00%00%00%00%00%03 {"role":"user","content":"q","session_id":"b"}
m/%00%00%00%00%00%00%00%04 ` + itsReply + `,"session_id":"a"}`, "(session_id)"},
		{"a member of another name",
			`m/%00%00%00%00%00%00%00%01 {"role":"user","content":"q","user_id":"a"}
m/%00%00%00%00%00%00%00%02 ` + openCall + `,"user_id":"a"}
m/%00%00%00%00%00%00%00%03 {"role":"user","content":"q","user_id":"b"}
m/%00%00%00%00%00%00%00%04 ` + itsReply + `,"user_id":"a"}`, "(user_id)"},
		{"keys in no order",
			`m/Zk3 {"role":"user","content":"q"}
m/aB9 ` + itsReply + `}
m/xQ1 ` + openCall + `}`, unknownOrder},
		{"a stray key",
			`m/a%2F00000000 {"role":"user","content":"q"}
m/a%2F00000001 ` + openCall + `}
m/b%2F00000000 {"role":"user","content":"q"}
m/draft {"role":"user","content":"later"}`, unknownOrder},
		{"a member that is no usual name",
			`m/%00%00%00%00%00%00%00%01 {"phone":"170","role":"user","content":"q"}
m/%00%00%00%00%00%00%00%02 {"phone":"170",` + openCall[1:] + `}
m/%00%00%00%00%00%00%00%03 {"phone":"171","role":"user","content":"q"}
m/%00%00%00%00%00%00%00%04 {"phone":"170",` + itsReply[1:] + `}
m/%00%00%00%00%00%00%00%05 {"phone":"171","role":"assistant","content":"a"}`, "(phone)"},
		{"a member of an object",
			`m/all/%00%00%00%00%00%00%00%01 {"meta":{"chat":"a"},"message":{"role":"user","content":"q"}}
m/all/%00%00%00%00%00%00%00%02 {"meta":{"chat":"a"},"message":` + openCall + `}}
m/all/%00%00%00%00%00%00%00%03 {"meta":{"chat":"b"},"message":{"role":"user","content":"q"}}
m/all/%00%00%00%00%00%00%00%04 {"meta":{"chat":"a"},"message":` + itsReply + `}}
m/all/%00%00%00%00%00%00%00%05 {"meta":{"chat":"b"},"message":{"role":"assistant","content":"a"}}`, "(meta.chat)"},
		{"the newest first",
			`m/c/00000001 {"at":"2026-01-01T00:00:03Z",` + itsReply[1:] + `}
m/c/00000002 {"at":"2026-01-01T00:00:02Z",` + openCall[1:] + `}
m/c/00000003 {"at":"2026-01-01T00:00:01Z","role":"user","content":"q"}`, "times go back"},
		{"a row that holds its message elsewhere",
			`m/c/00000001 {"message":{"role":"user","content":"q"}}
m/c/00000002 {"message":` + openCall + `}}
m/c/00000003 {"result":` + itsReply + `}}`, "was not understood"},
	} {
		path := madeOf(t, c.text+"\n")
		before := dump(t, path)
		got := do(t, Repair, path, Options{})
		if got.sum.Poisoned > 0 || got.sum.Unrecognised != 1 || !strings.Contains(strings.Join(got.lines, "\n"), c.why) {
			t.Errorf("%s: %s", c.name, strings.Join(got.lines, "\n"))
		}
		if dump(t, path) != before {
			t.Errorf("%s: it was written", c.name)
		}
	}
}

// TestRowsApart: calls in one bucket and their results in another are whole,
// though neither is.
func TestRowsApart(t *testing.T) {
	path := madeOf(t, `messages/c1/00000010 {"role":"user","content":"q"}
messages/c1/00000020 `+openCall+`}
messages/c1/00000030 {"role":"assistant","content":"done"}
results/c1/00000020 `+itsReply+"}\n")
	before := dump(t, path)
	got := do(t, Repair, path, Options{})
	if got.sum.Fixed > 0 || got.sum.ReportOnly != 2 || dump(t, path) != before {
		t.Errorf("%s", strings.Join(got.lines, "\n"))
	}
}

// TestSharedSequence: the next key comes from the sequence that the app counts
// by, which may be of a bucket for several conversations.
func TestSharedSequence(t *testing.T) {
	for _, c := range []struct{ text, row, seq string }{
		{"m/a:00000003 {\"role\":\"user\",\"content\":\"q\"}\nm/a:00000004 " + openCall + "}\nm/b:00000005 {\"role\":\"user\",\"content\":\"q\"}\nsequence m 5\n",
			"m/a:00000006 ", "sequence m 6"},
		{"m/a/%00%00%00%00%00%00%00%03 {\"role\":\"user\",\"content\":\"q\"}\nm/a/%00%00%00%00%00%00%00%04 " + openCall + "}\nm/b/%00%00%00%00%00%00%00%05 {\"role\":\"user\",\"content\":\"q\"}\nsequence m 5\n",
			"m/a/%00%00%00%00%00%00%00%06 ", "sequence m 6"},
	} {
		path := madeOf(t, c.text)
		do(t, Repair, path, Options{})
		if got := dump(t, path); !strings.Contains(got, c.row) || !strings.Contains(got, c.seq) {
			t.Errorf("%s", got)
		}
	}
}

// TestSequenceOfSeveral: conversations that count by one sequence, be it of
// their bucket, of the one around or of the index, each get a number of their
// own, in a dry run as in the repair.
func TestSequenceOfSeveral(t *testing.T) {
	ask := `{"role":"user","content":"q"}`
	for name, text := range map[string]string{
		"composite": "m/a:00000001 " + ask + "\nm/a:00000002 " + openCall + "}\nm/b:00000003 " + ask + "\nm/b:00000004 " + openCall + "}\nsequence m 4\n",
		"around":    "m/a/00000001 " + ask + "\nm/a/00000002 " + openCall + "}\nm/b/00000003 " + ask + "\nm/b/00000004 " + openCall + "}\nsequence m 4\n",
		"index": "m/7f2c0e5a-0000-4000-8000-000000000001 " + openCall + `,"sid":"a"}` + "\nm/1f2c0e5a-0000-4000-8000-000000000002 " + openCall + `,"sid":"b"}` +
			"\no/0000000001 7f2c0e5a-0000-4000-8000-000000000001\no/0000000002 1f2c0e5a-0000-4000-8000-000000000002\nsequence o 2\n",
	} {
		path := madeOf(t, text)
		got := do(t, Repair, path, Options{})
		if got.sum.Verdict != VerdictRepaired || got.sum.Fixed != 2 {
			t.Errorf("%s: %s", name, strings.Join(got.lines, "\n"))
		}
		want := map[string]string{"composite": "sequence m 6", "around": "sequence m 6", "index": "sequence o 4"}[name]
		if after := dump(t, path); !strings.Contains(after, want) {
			t.Errorf("%s: %s", name, after)
		}
	}
}
