package oracle

import "testing"

func event(author, role, parts string) string {
	return `{"author":"` + author + `","content":` + content(role, parts) + `}`
}

func TestADK(t *testing.T) {
	const (
		open  = "no function response for"
		alone = "No function call event found"
	)
	ask := event("user", "user", part)
	long := `{"author":"bot","longRunningToolIds":["a"],"content":` + content("model", fcA) + `}`
	run(t, ADK, []row{
		{"pair", `[` + ask + `,` + event("bot", "model", fcA) + `,` + event("bot", "user", frA) + `]`, ""},
		{"set", `[` + event("bot", "model", fcA+`,`+fcB) + `,` + ask + `,` + event("bot", "user", part+`,`+frB) + `,` + event("bot", "model", part) + `,` + event("bot", "user", frA) + `]`, ""},
		{"interim and final", `[` + event("bot", "model", fcA) + `,` + event("bot", "user", frA) + `,` + event("bot", "model", part) + `,` + event("user", "user", frA) + `]`, ""},
		{"missing", `[` + event("bot", "model", fcA) + `,` + ask + `]`, open},
		{"missing at the end", `[` + event("bot", "model", fcA) + `]`, open},
		{"long running at the end", `[` + ask + `,` + long + `]`, ""},
		{"long running, passed over", `[` + long + `,` + ask + `]`, open},
		{"long running, an event without content behind", `[` + long + `,{"author":"bot","actions":{}}]`, ""},
		{"orphan", `[` + ask + `,` + event("user", "user", frA) + `]`, alone},
		{"before its call", `[` + event("bot", "user", frA) + `,` + event("bot", "model", fcA) + `]`, alone},
		{"no id", `[` + event("bot", "model", fc) + `,` + event("bot", "user", fr) + `]`, alone},
		{"call without id", `[` + event("bot", "model", fc) + `]`, "without an id"},
		{"id twice in an event", `[` + event("bot", "model", fcA+`,`+fcA) + `,` + event("bot", "user", frA+`,`+frA) + `]`, "duplicate"},
		{"id in two turns", `[` + event("bot", "model", fcA) + `,` + event("bot", "user", frA) + `,` + event("bot", "model", fcA) + `,` + event("bot", "user", frA) + `]`, ""},
		{"id in two turns, first open", `[` + event("bot", "model", fcA) + `,` + ask + `,` + event("bot", "model", fcA) + `,` + event("bot", "user", frA) + `]`, open},
		{"id in two turns side by side", `[` + event("bot", "model", fcA) + `,` + event("bot", "model", fcA) + `,` + event("bot", "user", frA) + `,` + event("bot", "user", frA) + `]`, ""},
		{"id of two open turns", `[` + event("bot", "model", fcA) + `,` + ask + `,` + event("bot", "model", fcA) + `,` + ask + `,` + event("bot", "model", fcB) + `,` + event("bot", "user", frB+`,`+frA) + `]`, "several function calls"},
		{"id of two open turns, both late", `[` + event("bot", "model", fcA) + `,` + ask + `,` + event("bot", "model", fcA) + `,` + ask + `,` + event("bot", "model", fcB) + `,` + event("bot", "user", frB+`,`+frA+`,`+frA) + `]`, ""},
		{"args are text", `[` + event("bot", "model", `{"functionCall":{"id":"a","args":"x"}}`) + `,` + event("bot", "user", frA) + `]`, "expected an object"},
		{"blank name", `[` + event("bot", "model", fcA) + `,` + event("bot", "user", `{"functionResponse":{"id":"a","name":""}}`) + `]`, "must not be empty"},
		{"go names", `[{"Author":"bot","Content":{"role":"model","parts":[` + fcA + `]},"LongRunningToolIDs":["a"]}]`, ""},
		{"no content", `[` + event("bot", "model", fcA) + `,{"author":"bot","actions":{}},` + event("bot", "user", frA) + `]`, ""},
		{"no events", `[null,{},{"type":"meta"},{"author":7}]`, ""},
		{"branches", `[{"author":"b","branch":"r.b","content":` + content("model", fcA) + `},{"author":"c","branch":"r.c","content":` + content("user", frA) + `}]`, open},
		{"answered from no branch", `[{"author":"b","branch":"r.b","content":` + content("model", fcA) + `},` + event("bot", "user", frA) + `]`, ""},
		{"two branches ask, answered from none", `[{"author":"b","branch":"r.b","content":` + content("model", fcA) + `},{"author":"c","branch":"r.c","content":` + content("model", fcA) + `},` + event("bot", "user", frA) + `]`, open},
		{"no branch asks too", `[{"author":"b","branch":"r.b","content":` + content("model", fcA) + `},` + event("bot", "model", fcA) + `,` + event("bot", "user", frA) + `]`, open},
	})
	run(t, ForOpenTail("adk"), []row{
		{"open", `[` + ask + `,` + event("bot", "model", fcA+`,`+fcB) + `,` + event("bot", "user", frA) + `]`, ""},
		{"response to an earlier call behind", `[` + event("bot", "model", fcA) + `,` + ask + `,` + event("bot", "model", fcB) + `,` + event("bot", "user", frA) + `]`, ""},
		{"two events side by side", `[` + ask + `,` + event("bot", "model", fcA) + `,` + event("bot", "model", fcB) + `]`, ""},
		{"not the tail", `[` + event("bot", "model", fcA) + `,` + ask + `]`, open},
	})
}
