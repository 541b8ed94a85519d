package oracle

import "testing"

func content(role, parts string) string { return `{"role":"` + role + `","parts":[` + parts + `]}` }

const (
	fc     = `{"functionCall":{"name":"f","args":{}}}`
	fcG    = `{"functionCall":{"name":"g","args":{}}}`
	fcA    = `{"functionCall":{"id":"a","name":"f","args":{}}}`
	fcB    = `{"functionCall":{"id":"b","name":"g"}}`
	fr     = `{"functionResponse":{"name":"f","response":{"output":1}}}`
	frG    = `{"functionResponse":{"name":"g","response":{}}}`
	frA    = `{"functionResponse":{"id":"a","name":"f","response":{}}}`
	frB    = `{"functionResponse":{"id":"b","name":"g","response":{}}}`
	part   = `{"text":"t"}`
	asked  = `{"role":"user","parts":[{"text":"q"}]}`
	spoken = `{"role":"model","parts":[{"text":"ok"}]}`
)

func TestGemini(t *testing.T) {
	const (
		count    = "is equal to the number of function call parts"
		comes    = "comes immediately after a function call turn"
		notEmpty = "must not be empty"
	)
	run(t, Gemini, []row{
		{"pair", `[` + asked + `,` + content("model", fc) + `,` + content("user", fr) + `,` + spoken + `]`, ""},
		{"pair by id", `[` + content("model", part+`,`+fcA+`,`+fcB) + `,` + content("function", frB+`,`+frA+`,`+part) + `]`, ""},
		{"role tool", `[` + content("model", fc) + `,` + content("tool", fr) + `]`, ""},
		{"snake", `[` + content("model", `{"function_call":{"name":"f","args":{}}}`) + `,` + content("user", `{"function_response":{"name":"f"}}`) + `]`, ""},
		{"go names", `[{"Role":"model","Parts":[{"FunctionCall":{"ID":"a","Name":"f","Args":{}}}]},{"Role":"user","Parts":[{"FunctionResponse":{"ID":"a","Name":"f"}}]}]`, ""},
		{"same name twice", `[` + content("model", fc+`,`+fc) + `,` + content("user", fr+`,`+fr) + `]`, ""},
		{"names in any order", `[` + content("model", fc+`,`+fcG) + `,` + content("user", frG+`,`+fr) + `]`, ""},
		{"one short", `[` + content("model", fc+`,`+fc) + `,` + content("user", fr) + `]`, count},
		{"one too many", `[` + content("model", fc) + `,` + content("user", fr+`,`+fr) + `]`, comes},
		{"another name", `[` + content("model", fc) + `,` + content("user", frG) + `]`, comes},
		{"id of no call, by name", `[` + content("model", fc) + `,` + content("user", frA) + `]`, ""},
		{"id of no call, name of one with an id", `[` + content("model", fcA) + `,` + content("user", `{"functionResponse":{"id":"x","name":"f"}}`) + `]`, comes},
		{"id goes first", `[` + content("model", fc+`,`+fcA) + `,` + content("user", frA+`,`+fr) + `]`, ""},
		{"id twice answered", `[` + content("model", fc+`,`+fcA) + `,` + content("user", frA+`,`+frA) + `]`, comes},
		{"no id, call has one", `[` + content("model", fcA) + `,` + content("user", fr) + `]`, ""},
		{"no name, no id", `[` + content("model", fc) + `,` + content("user", `{"functionResponse":{}}`) + `]`, ""},
		{"empty id, call has one", `[` + content("model", fcA) + `,` + content("user", `{"functionResponse":{"id":"","name":"f"}}`) + `]`, notEmpty},
		{"empty id, call has none", `[` + content("model", fc) + `,` + content("user", `{"functionResponse":{"id":"","name":"f"}}`) + `]`, ""},
		{"empty id of a call", `[` + content("model", `{"functionCall":{"id":"","name":"f"}}`) + `,` + content("user", fr) + `]`, notEmpty},
		{"null ids", `[` + content("model", `{"functionCall":{"id":null,"name":"f"}}`) + `,` + content("user", `{"functionResponse":{"id":null,"name":"f"}}`) + `]`, ""},
		{"blank name", `[` + content("model", fcA) + `,` + content("user", `{"functionResponse":{"id":"a","name":" "}}`) + `]`, notEmpty},
		{"missing", `[` + content("model", fc) + `,` + asked + `]`, count},
		{"missing at the end", `[` + content("model", fc) + `]`, count},
		{"user between", `[` + content("model", fc) + `,` + asked + `,` + content("user", fr) + `]`, count},
		{"empty content between", `[` + content("model", fc) + `,` + content("user", "") + `,` + content("user", fr) + `]`, count},
		{"split", `[` + content("model", fc+`,`+fcG) + `,` + content("user", fr) + `,` + content("user", frG) + `]`, count},
		{"text before", `[` + content("model", fc) + `,` + content("user", part+`,`+fr) + `]`, "before other parts"},
		{"orphan", `[` + asked + `,` + content("user", fr) + `]`, comes},
		{"orphan at the head", `[` + content("user", fr) + `]`, comes},
		{"before its call", `[` + content("user", fr) + `,` + content("model", fc) + `]`, comes},
		{"id twice in a turn", `[` + content("model", fcA+`,`+fcA) + `,` + content("user", frA+`,`+frA) + `]`, "unique within a turn"},
		{"id of an earlier turn", `[` + content("model", fcA) + `,` + content("user", frA) + `,` + content("model", fcA) + `,` + content("user", frA) + `]`, ""},
		{"call of a user", `[` + content("user", fc) + `]`, "role model"},
		{"response of a model", `[` + content("model", fc) + `,` + content("model", fr) + `]`, "not in contents of role model"},
		{"response of a system", `[` + content("model", fc) + `,` + content("system", fr) + `]`, "of role system"},
		{"args are text", `[` + content("model", `{"functionCall":{"name":"f","args":"{}"}}`) + `,` + content("user", fr) + `]`, "google.protobuf.Struct"},
		{"args are null", `[` + content("model", `{"functionCall":{"name":"f","args":null}}`) + `,` + content("user", fr) + `]`, ""},
		{"two calls in a row", `[` + content("model", fc) + `,` + content("model", fc) + `,` + content("user", fr+`,`+fr) + `]`, count},
		{"pending", `[` + content("model", `{"functionCall":{"name":"f","status":"running"}},`+fcG) + `,` + content("user", frG) + `]`, ""},
		{"pending, text behind", `[` + content("model", `{"functionCall":{"name":"f","status":"running"}},`+fcG) + `,` + content("user", frG+`,`+part) + `]`, count},
	})
	run(t, ForOpenTail("gemini"), []row{
		{"open", `[` + asked + `,` + content("model", fc+`,`+fcG) + `,` + content("user", fr) + `]`, ""},
		{"not the tail", `[` + content("model", fc) + `,` + asked + `]`, count},
	})
}
