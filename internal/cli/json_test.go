package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"boltmend/migrate"
)

func TestJSON(t *testing.T) {
	h := poisoned("chat/a%26b", migrate.Fixable, missing("call_a"))
	h.Bucket, h.Key, h.Path, h.Layout, h.Dialect = []string{"chat"}, "a%26b", "/messages", "document", "openai-chat"
	events := []migrate.Event{
		h,
		&migrate.Change{Type: "change", Database: "chat.db", Ref: "chat/a%26b", Old: "00", New: "01"},
		&migrate.Note{Type: "note", Database: "chat.db", Ref: "chat/x", Kind: "unreadable", Reason: "<deep>"},
		&migrate.Bucket{Type: "bucket", Database: "chat.db", Ref: "chat"},
		&migrate.Message{Type: "message", Ref: "chat/x", Op: " ", JSON: json.RawMessage(`{"n": 1.50e+02, "s": "<&>"}`)},
		&migrate.Undone{Type: "undo", Database: "chat.db", Ref: "chat/x", State: "left"},
		&migrate.Error{Type: "error", Database: "chat.db", Code: migrate.CodeIO, Message: "cannot read the file: input/output error"},
		&migrate.Summary{Type: "summary", Database: "chat.db", Verdict: migrate.VerdictError, Exit: 3},
	}
	out, errs, code := runFake(t, events, "scan", "--quiet", "--json", "chat.db")
	wantText(t, "json", out, `
{"type":"history","database":"chat.db","ref":"chat/a%26b","bucket":["chat"],"key":"a%26b","path":"/messages","layout":"document","dialect":"openai-chat","messages":0,"calls":0,"results":0,"findings":[{"code":"missing-result","group":"pairing","message":0,"id":"call_a","name":"","fixed":false}],"state":"fixable"}
{"type":"change","database":"chat.db","ref":"chat/a%26b","old":"00","new":"01"}
{"type":"note","database":"chat.db","ref":"chat/x","kind":"unreadable","reason":"<deep>"}
{"type":"bucket","database":"chat.db","bucket":[],"ref":"chat","keys":0,"buckets":0,"bytes":0,"codec":"","layout":"","dialects":[],"histories":0,"unrecognised":0,"unreadable":0,"evidence":"","reason":""}
{"type":"message","database":"","ref":"chat/x","message":0,"op":" ","json":{"n":1.50e+02,"s":"<&>"},"findings":[]}
{"type":"undo","database":"chat.db","ref":"chat/x","state":"left"}
{"type":"error","database":"chat.db","code":"io","message":"cannot read the file: input/output error"}
{"type":"summary","database":"chat.db","verdict":"error","histories":0,"poisoned":0,"findings":{},"fixed":0,"remaining":0,"lint":0,"report_only":0,"unrecognised":0,"unreadable":0,"live":false,"dry_run":false,"backup":"","journal":"","exit":3}
`)
	if errs != "boltmend: chat.db: cannot read the file: input/output error\n" || code != 3 {
		t.Errorf("stderr %q, exit %d", errs, code)
	}
}

// A message as deep as a value may hold is one line, and one that is deeper is
// no reason to stop.
func TestJSONDeep(t *testing.T) {
	for levels, want := range map[int]string{9999: `{"type":"message"`, 10001: `{"type":"error"`} {
		deep := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		out, _, _ := runFake(t, []migrate.Event{
			&migrate.Message{Type: "message", JSON: json.RawMessage(deep)},
			&migrate.Summary{Type: "summary"},
		}, "show", "--json", "chat.db", "chat/x")
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%d levels: no JSON: %.100s", levels, line)
			}
		}
		if !strings.HasPrefix(out, want) || !strings.Contains(out, `{"type":"summary"`) {
			t.Errorf("%d levels: got %.200s", levels, out)
		}
	}
}
