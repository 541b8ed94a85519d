package migrate

import (
	"strings"
	"testing"

	"boltmend/repair"
)

// TestRowsOfOtherKinds: what a row of another kind holds is no message, however
// much it looks like one, and stays.
func TestRowsOfOtherKinds(t *testing.T) {
	path := madeOf(t, `m/c/00000001 {"kind":"message","payload":{"role":"user","content":"q"}}
m/c/00000002 {"kind":"message","payload":`+openCall+`}}
m/c/00000003 {"kind":"audit","payload":`+itsReply+`}}
m/c/00000004 {"kind":"message","payload":{"role":"user","content":"an image"}}
m/c/00000005 {"kind":"message","payload":`+itsReply+`}}
`)
	got := do(t, Repair, path, Options{})
	if got.sum.Fixed != 1 || got.sum.Findings[string(repair.InterleavedMessage)] != 1 || got.sum.Unrecognised > 0 {
		t.Errorf("%s", strings.Join(got.lines, "\n"))
	}
	if after := dump(t, path); !strings.Contains(after, `00000003 {"kind":"audit","payload":`+itsReply+`}}`) ||
		!strings.Contains(after, `00000005 {"kind":"message","payload":{"role":"user","content":"an image"}}`) {
		t.Errorf("the rows are now\n%s", after)
	}
}

// TestPrefixOfAllKeys: what stands in front of all keys names no conversation
// where a member does.
func TestPrefixOfAllKeys(t *testing.T) {
	path := madeOf(t, `m/msg:00000001 {"session_id":"a","role":"user","content":"q"}
m/msg:00000002 {"session_id":"a",`+openCall[1:]+`}
m/msg:00000003 {"session_id":"b","role":"user","content":"q"}
m/msg:00000004 {"session_id":"a",`+itsReply[1:]+`}
m/msg:00000005 {"session_id":"b",`+openCall[1:]+`}
`)
	got := do(t, Repair, path, Options{})
	if got.sum.Histories != 2 || got.sum.Fixed != 1 {
		t.Errorf("%s", strings.Join(got.lines, "\n"))
	}
	if after := dump(t, path); !strings.Contains(after, `m/msg:00000006 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","session_id":"b"}`) {
		t.Errorf("the rows are now\n%s", after)
	}
}

// TestLinks: a row that another one names keeps its key.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		left       bool
	}{
		{"names one that would move", `m/c/01 ` + openCall + `}
m/c/02 {"role":"user","content":"an image"}
m/c/03 ` + itsReply + `}
m/c/04 {"role":"user","content":"this one","reply_to":"02"}`, true},
		{"names one that stays", `m/c/01 ` + openCall + `}
m/c/02 {"role":"user","content":"an image"}
m/c/03 ` + itsReply + `}
m/c/04 {"role":"user","content":"this one","reply_to":"01"}`, false},
		{"a chain", `m/c/01 {"role":"user","content":"q"}
m/c/02 {"prev_id":"01",` + openCall[1:] + `}
m/c/05 {"role":"user","content":"well?","prev_id":"02"}`, true},
	} {
		path := madeOf(t, c.text+"\n")
		before := dump(t, path)
		got := do(t, Repair, path, Options{})
		if left := dump(t, path) == before; left != c.left || (got.sum.Remaining == 1) != c.left {
			t.Errorf("%s: %s", c.name, strings.Join(got.lines, "\n"))
		}
	}
}

// TestLintThatIsLeft: fixes of lint that rows have no room for do not keep a
// conversation from being repaired.
func TestLintThatIsLeft(t *testing.T) {
	path := madeOf(t, `m/c/01 {"role":"user","content":"q"}
m/c/02 {"role":"assistant","content":""}
m/c/03 {"role":"assistant","content":"hm"}
m/c/04 `+openCall+"}\n")
	got := do(t, Repair, path, Options{Repair: repair.Options{Fix: []repair.Code{repair.EmptyMessage}}})
	if got.sum.Fixed != 1 || got.sum.Remaining != 0 || got.sum.Lint != 1 || !strings.Contains(strings.Join(got.lines, "\n"), "its lint is left: the app may count its rows") {
		t.Errorf("%s", strings.Join(got.lines, "\n"))
	}
}

// TestListsThatCannotFollow: a conversation is left where a list of its rows has
// no room for a new one, or lists them in a way that is not understood; the
// others of its bucket are repaired.
func TestListsThatCannotFollow(t *testing.T) {
	for _, c := range []struct{ name, list string }{
		{"no room between two seconds", `by_time/2026-01-01T00:00:01Z 01ARZ3NDEKTSV4RRFFQ69G51A0
by_time/2026-01-01T00:00:02Z 01ARZ3NDEKTSV4RRFFQ69G52A0
by_time/2026-01-01T00:00:03Z 01ARZ3NDEKTSV4RRFFQ69G53A0`},
		{"another order", `sessions/a {"id":"a","message_ids":["01ARZ3NDEKTSV4RRFFQ69G52A0","01ARZ3NDEKTSV4RRFFQ69G51A0","01ARZ3NDEKTSV4RRFFQ69G53A0"]}`},
	} {
		path := madeOf(t, `m/01ARZ3NDEKTSV4RRFFQ69G51A0 {"session_id":"a","role":"user","content":"q"}
m/01ARZ3NDEKTSV4RRFFQ69G52A0 {"session_id":"a",`+openCall[1:]+`}
m/01ARZ3NDEKTSV4RRFFQ69G53A0 {"session_id":"a","role":"user","content":"well?"}
m/01ARZ3NDEKTSV4RRFFQ69G54A0 {"session_id":"b","role":"user","content":"q"}
m/01ARZ3NDEKTSV4RRFFQ69G55A0 {"session_id":"b",`+openCall[1:]+`}
m/01ARZ3NDEKTSV4RRFFQ69G56A0 {"session_id":"b","role":"user","content":"well?"}
`+c.list+"\n")
		got := do(t, Repair, path, Options{})
		if got.sum.Fixed != 1 || got.sum.Remaining != 1 || !strings.Contains(strings.Join(got.lines, "\n"), errList.Error()) {
			t.Errorf("%s: %s", c.name, strings.Join(got.lines, "\n"))
		}
		if after := dump(t, path); strings.Count(after, "[interrompu]") != 1 {
			t.Errorf("%s: the rows are now\n%s", c.name, after)
		}
	}
}

// TestSharedCounter: conversations that share a bucket share the number of its
// next row too, which follows each of them, and undo takes all of it back.
func TestSharedCounter(t *testing.T) {
	path := madeOf(t, `m/%00%00%00%00%00%00%00%01 {"session_id":"a",`+openCall[1:]+`}
m/%00%00%00%00%00%00%00%02 {"session_id":"b",`+openCall[1:]+`}
m/%00%00%00%00%00%00%00%03 {"session_id":"c","role":"user","content":"q"}
meta/next_id 4
sessions/a {"id":"a","last_message_id":1,"message_ids":[1]}
sessions/b {"id":"b","last_message_id":2,"last_read_id":2}
`)
	before := dump(t, path)
	got := do(t, Repair, path, Options{})
	after := dump(t, path)
	for _, want := range []string{
		`%00%04 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","session_id":"a"}`,
		`%00%05 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","session_id":"b"}`,
		"meta/next_id 6\n", `"last_message_id":4`, `"last_message_id":5,"last_read_id":2`,
	} {
		if !strings.Contains(after, want) {
			t.Errorf("no %s in\n%s", want, after)
		}
	}
	if undo := Undo(t.Context(), got.sum.Journal, path, Options{}, func(Event) {}); undo.Exit != 0 || dump(t, path) != before {
		t.Errorf("undo ends with %d, the rows are now\n%s", undo.Exit, dump(t, path))
	}
}

// TestOneFreeKey: a key that is free between the rows of two conversations goes
// to one of them.
func TestOneFreeKey(t *testing.T) {
	path := madeOf(t, `m/%00%00%00%00%00%00%00%01 {"session_id":"a",`+openCall[1:]+`}
m/%00%00%00%00%00%00%00%02 {"session_id":"b",`+openCall[1:]+`}
m/%00%00%00%00%00%00%00%04 {"session_id":"a","role":"user","content":"well?"}
m/%00%00%00%00%00%00%00%05 {"session_id":"b","role":"user","content":"well?"}
`)
	if got := do(t, Repair, path, Options{}); got.sum.Fixed != 1 || got.sum.Remaining != 1 || got.sum.Exit != 1 {
		t.Errorf("%s", strings.Join(got.lines, "\n"))
	}
}

// TestSameKeysBeside: the rows of another conversation that have the same keys,
// and all the same short message, are no list of rows.
func TestSameKeysBeside(t *testing.T) {
	for _, c := range []struct{ name, last string }{
		{"a row comes", openCall},
		{"a row goes", itsReply},
	} {
		path := madeOf(t, `m/c/00000001 {"role":"user","content":"hi"}
m/c/00000002 `+c.last+`}
m/d/00000001 {"role":"user","content":"hi"}
m/d/00000002 {"role":"user","content":"hi"}
`)
		got := do(t, Repair, path, Options{NoBackup: true})
		if after := dump(t, path); got.sum.Fixed != 1 || strings.Count(after, "m/d/0") != 2 {
			t.Errorf("%s: the rows are now\n%s\n%s", c.name, after, strings.Join(got.lines, "\n"))
		}
	}
}
