package cli

import (
	"testing"

	"boltmend/migrate"
)

func TestShow(t *testing.T) {
	events := []migrate.Event{
		&migrate.Message{Ref: "chat/x#/m", Message: 0, Op: " ", JSON: []byte("{\"role\": \"user\",\n\"content\":\"\x7f\u009b\"}")},
		&migrate.Message{Ref: "chat/x#/m", Message: 1, Op: "-", JSON: []byte(`{"type":"message","message":{"role":"assistant"}}`),
			Findings: []migrate.Finding{missing("call a"), missing("")}},
		&migrate.Message{Ref: "chat/x#/m", Message: -1, Op: "+", JSON: []byte(`{"role":5,"type":"tool"}`)},
		&migrate.Message{Ref: "chat/x#/m", Message: 12, Op: " ", JSON: []byte(`[1, 2`)},
		&migrate.Summary{},
	}
	out, _, _ := runFake(t, events, "show", "chat.db", "chat/x", "--diff")
	wantText(t, "show", out, `
chat/x#/m
      0  user       {"role":"user","content":"\u007f\u009b"}
-     1  assistant  {"type":"message","message":{"role":"assistant"}}
         ^ 1 call without a result (call a)
         ^ 1 call without a result
+        tool       {"role":5,"type":"tool"}
     12  ?          [1, 2
`)
	out, _, _ = runFake(t, events[:1], "show", "chat.db", "chat/x")
	wantText(t, "show", out, `
chat/x#/m
    0  user       {"role":"user","content":"\u007f\u009b"}
`)
}
