package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"boltmend/repair"
)

// Every code is explained, and nothing else.
func TestEveryCodeIsExplained(t *testing.T) {
	codes := repair.Codes()
	for _, of := range []map[repair.Code]explanation{explainedPairing, explainedLint} {
		for code := range of {
			if !slices.Contains(codes, code) {
				t.Errorf("%s is explained and unknown", code)
			}
		}
	}
	if n := len(explainedPairing) + len(explainedLint); n != len(codes) {
		t.Errorf("%d codes, %d explained", len(codes), n)
	}
	for _, e := range explanations() {
		if e.What == "" || e.Repair == "" || e.Dialect == "" && e.Code != string(repair.BrokenJSON) {
			t.Errorf("%s is explained in part", e.Code)
		}
	}
}

// What explain shows is what the repair does.
func TestExamplesAreTrue(t *testing.T) {
	for _, e := range explanations() {
		code := repair.Code(e.Code)
		if code == repair.BrokenJSON {
			var value []string
			if err := json.Unmarshal(e.Before, &value); err != nil || json.Valid([]byte(value[0])) {
				t.Errorf("%s: %v, %q", code, err, value)
			}
			continue
		}
		opts := repair.Options{Dialect: repair.Dialect(e.Dialect)}
		switch flag, value, _ := strings.Cut(e.Options, " "); flag {
		case "--target":
			opts.Target = repair.Provider(value)
		case "--fix":
			opts.Fix = []repair.Code{repair.Code(value)}
		}
		r, err := repair.History(e.Before, opts)
		if err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		if got, want := compact(r.JSON), compact(e.After); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", code, got, want)
		}
		if !slices.ContainsFunc(r.Findings, func(f repair.Finding) bool { return f.Code == code }) {
			t.Errorf("%s: the example has %v", code, r.Findings)
		}
		again, err := repair.Check(e.After, opts)
		if left := !slices.ContainsFunc(r.Findings, func(f repair.Finding) bool { return f.Fixed }); err != nil || len(again) > 0 != left {
			t.Errorf("%s: after the repair: %v, %v", code, again, err)
		}
	}
}

func TestExplain(t *testing.T) {
	out, errs, code := runFake(t, nil, "explain", "missing-result")
	wantText(t, "explain", out, `
missing-result (pairing)

what:
  A tool was called and no result was stored: the turn was stopped, the
  app was closed, or the tool never came back.

errors of providers:
  An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'
  (insufficient tool messages following tool_calls message)
  `+"`tool_use` ids were found without `tool_result` blocks immediately after"+`
  No tool output found for function call
  Expected toolResult blocks at messages.N.content for the following Ids

repair:
  Puts in a result that holds the marker, in call order and flagged as an
  error where the dialect can. --on-missing drop-turn removes the turn
  instead.

example (openai-chat):
  before:
    {"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
    {"role":"user","content":"go on"}
  after:
    {"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
    {"role":"tool","tool_call_id":"call_a","content":"[interrompu]"}
    {"role":"user","content":"go on"}
`)
	if errs != "" || code != 0 {
		t.Errorf("stderr %q, exit %d", errs, code)
	}
	out, _, _ = runFake(t, nil, "explain")
	if n := strings.Count(out, "\n"); n != len(repair.Codes()) {
		t.Errorf("%d lines for %d codes:\n%s", n, len(repair.Codes()), out)
	}
	out, _, _ = runFake(t, nil, "explain", "--json")
	dec := json.NewDecoder(strings.NewReader(out))
	for _, code := range repair.Codes() {
		var e explanation
		if err := dec.Decode(&e); err != nil || e.Type != "explain" || e.Code != string(code) || e.Group != string(code.Group()) || e.Errors == nil {
			t.Errorf("%s: %v, %+v", code, err, e)
		}
	}
}
