package repair_test

import (
	"errors"
	"fmt"

	"boltmend/repair"
)

// Before a request is sent: what would the provider refuse? Nothing is
// changed, so an app can refuse to send, or repair first.
func ExampleCheck() {
	history := []byte(`[
		{"role": "user", "content": "tidy up"},
		{"role": "assistant", "content": null, "tool_calls": [
			{"id": "call_a", "type": "function", "function": {"name": "ls", "arguments": "{}"}},
			{"id": "call_b", "type": "function", "function": {"name": "rm", "arguments": "{}"}}]},
		{"role": "user", "content": "wait"}
	]`)
	findings, err := repair.Check(history, repair.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range findings {
		fmt.Println(f)
	}
	// Output:
	// message 1: 2 calls without a result: call_a, call_b
}

// When the user presses stop: the assistant message has all its calls, and
// only some of the tools have run. What was built so far is repaired before
// anything else sees it.
func ExampleHistory_stop() {
	built := []byte(`[` +
		`{"role":"user","content":"tidy up"},` +
		`{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"call_a","type":"function","function":{"name":"ls","arguments":"{}"}},` +
		`{"id":"call_b","type":"function","function":{"name":"rm","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"call_a","content":"a.txt"}]`)
	res, err := repair.History(built, repair.Options{Marker: "en"})
	if err != nil {
		fmt.Println(err)
		return
	}
	added := res.JSON[len(built)-1:]
	fmt.Printf("changed: %v, added: %s\n", res.Changed(), added)
	// Output:
	// changed: true, added: ,{"role":"tool","tool_call_id":"call_b","content":"[interrupted]"}]
}

// When the conversation is stored: what goes to disk is sound, whatever
// happened before. A sound history comes back byte for byte. What a repair
// takes out is handed over, so that it can be kept elsewhere.
func ExampleHistory_persist() {
	put := func(value []byte) { fmt.Printf("%s\n", value) } // the app's own write

	history := []byte(`[{"role":"user","content":[` +
		`{"type":"tool_result","tool_use_id":"toolu_old","content":"cut off"},` +
		`{"type":"text","text":"hello"}]}]`)
	res, err := repair.History(history, repair.Options{Dialect: repair.Anthropic})
	if err != nil {
		put(history) // no history at all: not for the repair to judge
		return
	}
	put(res.JSON)
	for _, r := range res.Removed {
		fmt.Printf("removed as %s: %s\n", r.Code, r.Text)
	}
	// Output:
	// [{"role":"user","content":[{"type":"text","text":"hello"}]}]
	// removed as orphan-result: {"type":"tool_result","tool_use_id":"toolu_old","content":"cut off"}
}

// The other way to treat a call without a result: the whole turn goes, with
// the results that it did get.
func ExampleOptions_dropTurn() {
	history := []byte(`[{"role":"user","content":"tidy up"},` +
		`{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"call_a","type":"function","function":{"name":"ls","arguments":"{}"}},` +
		`{"id":"call_b","type":"function","function":{"name":"rm","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"call_a","content":"a.txt"}]`)
	res, err := repair.History(history, repair.Options{OnMissing: repair.DropTurn})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", res.JSON)
	for _, r := range res.Removed {
		fmt.Println("removed:", r.Kind, "of message", r.Message)
	}
	// Output:
	// [{"role":"user","content":"tidy up"}]
	// removed: result of message 2
	// removed: message of message 1
}

// To save context: the last messages, without parting a call from its result.
// Three messages would begin at a result, so it is two.
func ExampleCut() {
	history := []byte(`[{"role":"system","content":"be brief"},` +
		`{"role":"user","content":"list"},` +
		`{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"call_a","type":"function","function":{"name":"ls","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"call_a","content":"a.txt"},` +
		`{"role":"assistant","content":"One file."},` +
		`{"role":"user","content":"thanks"}]`)
	short, err := repair.Cut(history, 3, repair.Options{})
	if errors.Is(err, repair.ErrPoisoned) {
		fmt.Println("repair it first")
		return
	}
	fmt.Printf("%s\n", short)
	// Output:
	// [{"role":"system","content":"be brief"},{"role":"assistant","content":"One file."},{"role":"user","content":"thanks"}]
}

// A finding says itself in words, with the ids as they are stored.
func ExampleFinding_String() {
	f := repair.Finding{Code: repair.MissingResult, Message: 7, IDs: []string{"call_a", "call_b"}}
	fmt.Println(f.String())
	fmt.Println(f.Group(), f.Code)
	// Output:
	// message 7: 2 calls without a result: call_a, call_b
	// pairing missing-result
}
