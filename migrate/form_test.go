package migrate

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestRowsOfEachForm: what a repair puts in where a result is missing, and as
// what the rows were read.
func TestRowsOfEachForm(t *testing.T) {
	for _, c := range []struct {
		name, layout, text string
		want               []string // lines that come
	}{
		{"UUIDs of version 7", "rows", `m/c/019b7a00-0001-7abc-8def-000000000063 {"role":"user","content":"q"}
m/c/019b7a00-0002-7abc-8def-000000000163 ` + openCall + `}
m/c/019b7a00-0003-7abc-8def-000000000009 {"role":"user","content":"q"}`,
			[]string{`m/c/019b7a00-0002-7abc-8def-000000000164 {"role":"tool","tool_call_id":"c1","content":"[interrompu]"}`}},
		{"and a time", "rows", `m/c/019b7a00-0001-7abc-8def-000000000063 {"role":"user","content":"q","created_at":"2026-01-01T00:00:01Z"}
m/c/019b7a00-0002-7abc-8def-000000000163 ` + openCall + `,"created_at":"2026-01-01T00:00:02Z"}
m/c/019b7a00-0003-7abc-8def-000000000009 {"role":"user","content":"q","created_at":"2026-01-01T00:00:03Z"}`,
			[]string{`m/c/019b7a00-0002-7abc-8def-000000000164 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","created_at":"2026-01-01T00:00:02.000000001Z"}`}},
		{"and a number, which is how the app reads", "rows-field", `m/019b7a00-0003-7abc-8def-000000000063 {"role":"user","content":"q","sid":"s","seq":10}
m/019b7a00-0002-7abc-8def-000000000163 ` + openCall + `,"sid":"s","seq":20}
m/019b7a00-0001-7abc-8def-000000000009 {"role":"user","content":"q","sid":"s","seq":30}`,
			[]string{`m/019b7a00-0002-7abc-8def-000000000164 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","sid":"s","seq":21}`}},
		{"and a number without room", "rows-field", `m/019b7a00-0003-7abc-8def-000000000063 {"role":"user","content":"q","sid":"s","seq":1}
m/019b7a00-0002-7abc-8def-000000000163 ` + openCall + `,"sid":"s","seq":2}
m/019b7a00-0001-7abc-8def-000000000009 {"role":"user","content":"q","sid":"s","seq":3}`, nil},
		{"and a number that is no place", "rows", `m/c/019b7a00-0001-7abc-8def-000000000063 {"role":"user","content":"q","seq":7}
m/c/019b7a00-0002-7abc-8def-000000000163 ` + openCall + `,"seq":7}`,
			[]string{`m/c/019b7a00-0002-7abc-8def-000000000164 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","seq":7}`}},
		{"and a list of all", "rows-indexed", `m/019b7a00-0003-7abc-8def-000000000063 {"role":"user","content":"q"}
m/019b7a00-0002-7abc-8def-000000000163 ` + openCall + `}
m/019b7a00-0001-7abc-8def-000000000009 {"role":"user","content":"q"}
order/00000010 019b7a00-0003-7abc-8def-000000000063
order/00000020 019b7a00-0002-7abc-8def-000000000163
order/00000030 019b7a00-0001-7abc-8def-000000000009`,
			[]string{`m/019b7a00-0002-7abc-8def-000000000164 {"role":"tool","tool_call_id":"c1","content":"[interrompu]"}`,
				`order/00000021 019b7a00-0002-7abc-8def-000000000164`}},
		{"times with colons behind a colon", "rows-composite", `m/msg:a:2026-01-01T00:00:01Z {"role":"user","content":"q"}
m/msg:b:2026-01-01T00:00:02Z {"role":"user","content":"q"}
m/msg:a:2026-01-01T00:00:03.5Z ` + openCall + `}
m/msg:b:2026-01-01T00:00:04Z ` + itsReply + `}
m/msg:a:2026-01-01T00:00:05Z {"role":"user","content":"q"}
m/msg:b:2026-01-01T00:00:03Z ` + openCall + `}`,
			[]string{`m/msg:a:2026-01-01T00:00:03.6Z {"role":"tool","tool_call_id":"c1","content":"[interrompu]"}`}},
		{"times with an offset", "rows-composite", `m/a:2026-01-01T00:00:01+02:00 {"role":"user","content":"q"}
m/b:2026-01-01T00:00:02+02:00 ` + openCall + `}`,
			[]string{`m/b:2026-01-01T00:00:03%2B02:00 {"role":"tool","tool_call_id":"c1","content":"[interrompu]"}`}},
		{"times behind a dash", "rows-composite", `m/c-1-2026-01-01T00:00:01Z {"role":"user","content":"q"}
m/c-2-2026-01-01T00:00:02Z ` + openCall + `}`,
			[]string{`m/c-2-2026-01-01T00:00:03Z {"role":"tool","tool_call_id":"c1","content":"[interrompu]"}`}},
		{"times behind a dot", "rows-composite", `m/c.1.2026-01-01T00:00:01.000Z {"role":"user","content":"q"}
m/c.2.2026-01-01T00:00:02.000Z ` + openCall + `}`,
			[]string{`m/c.2.2026-01-01T00:00:02.001Z {"role":"tool","tool_call_id":"c1","content":"[interrompu]"}`}},
		{"UUIDs behind a dash", "rows-composite", `m/c-1-519b7a00-0001-4abc-8def-000000000063 {"role":"user","content":"q","ts":10}
m/c-2-419b7a00-0001-4abc-8def-000000000163 {"role":"user","content":"q","ts":20}
m/c-1-319b7a00-0001-4abc-8def-000000000163 ` + openCall + `,"ts":30}
m/c-2-219b7a00-0001-4abc-8def-000000000163 {"role":"assistant","content":"a","ts":40}`,
			[]string{`m/c-1-58967c8c-ef87-8df1-bd48-64971faef656 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","ts":31}`}},
		{"what all keys begin with", "rows-field", `m/msg:00000001 {"role":"user","content":"q","session_id":"a"}
m/msg:00000002 {"role":"user","content":"q","session_id":"b"}
m/msg:00000003 ` + openCall + `,"session_id":"a"}
m/msg:00000004 ` + openCall + `,"session_id":"b"}
m/msg:00000005 ` + itsReply + `,"session_id":"a"}`,
			[]string{`m/msg:00000006 {"role":"tool","tool_call_id":"c1","content":"[interrompu]","session_id":"b"}`}},
		{"a time before the id", "rows", `m/c/2026-01-01T00:00:01Z-519b7a00-0001-4abc-8def-000000000063 {"role":"user","content":"q"}
m/c/2026-01-01T00:00:02Z-419b7a00-0001-4abc-8def-000000000063 ` + openCall + `}
m/c/2026-01-01T01:00:03Z-319b7a00-0001-4abc-8def-000000000063 {"role":"user","content":"q"}
m/c/2026-01-01T01:00:04Z-219b7a00-0001-4abc-8def-000000000063 ` + itsReply + `}`,
			[]string{`m/c/2026-01-01T01:00:03Z-319b7a00-0001-4abc-8def-000000000063 ` + itsReply + `}`,
				`m/c/2026-01-01T01:00:04Z-219b7a00-0001-4abc-8def-000000000063 {"role":"user","content":"q"}`}},
		{"a number before the time", "rows", `m/c/00000001:2026-01-01T00:00:01Z {"role":"user","content":"q"}
m/c/00000002:2026-01-01T00:00:02Z ` + openCall + `}
m/c/00000003:2026-01-01T00:00:03Z {"role":"user","content":"q"}
m/c/00000004:2026-01-01T00:00:04Z ` + itsReply + `}`,
			[]string{`m/c/00000003:2026-01-01T00:00:03Z ` + itsReply + `}`, `m/c/00000004:2026-01-01T00:00:04Z {"role":"user","content":"q"}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := madeOf(t, c.text+"\n")
			before := dump(t, path)
			got := do(t, Repair, path, Options{NoBackup: true})
			if came := newLines(t, path, before); !slices.Equal(came, c.want) || got.sum.Poisoned != 1 || got.sum.Unrecognised > 0 ||
				!strings.Contains(strings.Join(got.lines, "\n"), `"layout":"`+c.layout+`"`) {
				t.Errorf("came:\n%s\nwant:\n%s\n%s", strings.Join(came, "\n"), strings.Join(c.want, "\n"), strings.Join(got.lines, "\n"))
			}
			savedIsTheSame(t, c.text, c.want)
		})
	}
}

// savedIsTheSame: what was found, saved and given back, leads to the same repair.
func savedIsTheSame(t *testing.T, text string, want []string) {
	path := madeOf(t, text+"\n")
	before := dump(t, path)
	opts := Options{NoBackup: true, Layouts: saved(path)}
	got := do(t, Repair, path, opts)
	if came := newLines(t, path, before); !slices.Equal(came, want) {
		t.Errorf("with %+v came:\n%s\n%s", opts.Layouts, strings.Join(came, "\n"), strings.Join(got.lines, "\n"))
	}
}

// saved are the lines of a layout file about a database.
func saved(path string) (all []BucketLayout) {
	Inspect(context.Background(), path, Options{}, func(e Event) {
		if b, ok := e.(*Bucket); ok && b.How != nil {
			all = append(all, *b.How)
		}
	})
	return all
}

// newLines are the lines of a database that were not there before.
func newLines(t *testing.T, path, before string) []string {
	old := strings.Split(before, "\n")
	return slices.DeleteFunc(strings.Split(dump(t, path), "\n"), func(line string) bool { return slices.Contains(old, line) })
}
