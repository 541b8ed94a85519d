package repair

import (
	"reflect"
	"slices"
	"testing"

	"boltmend/internal/hostile"
	"boltmend/internal/jsonedit"
)

const plainChat = `[
 {"role":"system","content":"be brief"},
 {"role":"user","content":"say \"hi\"","seen":true},
 {"role":"assistant","content":null,"tool_calls":[
  {"id":"call_0","type":"function","function":{"name":"read","arguments":"{\"path\": \"/a\"}"}},
  {"id":"call_1","type":"function","function":{"name":"read","arguments":"{}"}}]},
 {"role":"tool","content":"one","tool_call_id":"call_0"},
 {"role":"tool","content":"two","tool_call_id":"call_1"},
 {"role":"assistant","content":"done"},
 {"role":"user","content":"again"},
 {"role":"assistant","content":"","tool_calls":[
  {"id":"call_0","type":"function","function":{"name":"write","arguments":"{\"n\": [1.5e3]}"}}]},
 {"role":"tool","tool_call_id":"call_0","content":"three"}
]`

// proves tells whether the short way took a text, after holding what it says
// against the long way.
func proves(t *testing.T, src []byte) bool {
	t.Helper()
	doc, err := jsonedit.Parse(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	var short Judge
	found, ok := short.Detect(doc, 0)
	if !short.proven {
		return false
	}
	long := Judge{thorough: true}
	if want, isHistory := long.Detect(doc, 0); !ok || !isHistory || found != want {
		t.Fatalf("detected %+v %v, the long way %+v %v\n%s", found, ok, want, isHistory, src)
	}
	got, err := short.Opened(0, &Options{})
	want, err2 := long.Opened(0, &Options{})
	if len(want.Findings) == 0 {
		want.Findings = nil // empty where the planner looked
	}
	if err != nil || err2 != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("judged %+v %v, the long way %+v %v\n%s", got, err, want, err2, src)
	}
	if got, want := slices.Collect(short.CallIDs()), slices.Collect(long.CallIDs()); !slices.Equal(got, want) {
		t.Fatalf("calls %q, the long way %q\n%s", got, want, src)
	}
	if got, want := short.CallingMessages(), long.CallingMessages(); got != want {
		t.Fatalf("%d messages call, the long way %d\n%s", got, want, src)
	}
	for _, id := range []string{"", "call_0", "call_1", "call_2", "x"} {
		if short.Holds(id) != long.Holds(id) {
			t.Fatalf("holds %q: %v, the long way %v\n%s", id, short.Holds(id), long.Holds(id), src)
		}
	}
	return true
}

// TestProof changes a plain chat in one place, in every way and at every
// place, and again in a second one.
func TestProof(t *testing.T) {
	if !proves(t, []byte(plainChat)) {
		t.Fatal("a plain chat is not seen to be one")
	}
	proven, all := 0, 0
	for _, once := range variants(t, []byte(plainChat)) {
		all++
		if proves(t, once) {
			proven++
		}
		if all%9 > 0 {
			continue
		}
		for i, twice := range variants(t, once) {
			if i%5 == all%5 && proves(t, twice) {
				proven++
			}
		}
	}
	if proven < 50 || proven > all*20 {
		t.Errorf("%d of %d variants are proven", proven, all)
	}
}

// These look plain and are not, and no single change of a plain chat makes
// them.
func TestNotPlain(t *testing.T) {
	calls := func(calls string, ids ...string) []byte {
		src := `[{"role":"assistant","content":"","tool_calls":[` + calls + `]}`
		for _, id := range ids {
			src += `,{"role":"tool","content":"x","tool_call_id":"` + id + `"}`
		}
		return []byte(src + `]`)
	}
	call := func(id string) string {
		return `{"id":"` + id + `","type":"function","function":{"name":"n","arguments":"{}"}}`
	}
	if !proves(t, calls(call("a")+","+call("b"), "a", "b")) {
		t.Fatal("two calls with their results are plain")
	}
	for name, src := range map[string][]byte{
		"no answer at the end":    calls(call("a")),
		"one id twice in a turn":  calls(call("a")+","+call("a"), "a", "a"),
		"the same by an escape":   calls(call("a")+","+call(`\u0061`), "a", `\u0061`),
		"one answer too many":     calls(call("a"), "a", "tool"),
		"empty id":                calls(call(""), ""),
		"empty list":              calls(""),
		"a result and no call":    []byte(`[{"role":"tool","content":"x","tool_call_id":"a"}]`),
		"no message":              []byte(`[]`),
		"no array":                []byte(`{"role":"user","content":"x"}`),
		"an element that is none": []byte(`[{"role":"user","content":"x"},0]`),
	} {
		if proves(t, src) {
			t.Errorf("%s is seen to be plain:\n%s", name, src)
		}
	}
}

// variants replaces, removes and doubles each value and each name of a text.
func variants(t *testing.T, src []byte) (all [][]byte) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	put := func(from, to int, text string) {
		all = append(all, slices.Concat(src[:from], []byte(text), src[to:]))
	}
	names := []string{
		"role", "content", "tool_calls", "tool_call_id", "id", "name", "type", "status", "parentId", "branch",
		"Role", "toolCalls", `r\u006fle`, "parts", "local_only", "tool_name", "function_call", "new",
	}
	values := []string{
		"null", "false", "1", `""`, `"x"`, `"call_0"`, `"call\u005f0"`, `"tool"`, `"user"`, `"assistant"`, `"function"`,
		`"developer"`, `"Assistant"`, `"pending"`, `"{"`, "[]", "{}", `[{}]`, `[{"type":"text","text":"x"}]`,
	}
	isKey := map[jsonedit.Ref]bool{}
	for r := jsonedit.Ref(0); r < doc.Nodes(); r++ {
		for key := range doc.Members(r) {
			isKey[key] = true
			start, _ := doc.Span(key)
			_, end := doc.Span(key + 1)
			put(start, end, `"new":0`)
			put(start, start, string(src[start:end])+",")
			for _, name := range names {
				put(start, start, `"`+name+`":"x",`)
			}
		}
		for e := range doc.Elems(r) {
			start, end := doc.Span(e)
			put(start, start, string(src[start:end])+",")
		}
	}
	for r := jsonedit.Ref(0); r < doc.Nodes(); r++ {
		start, end := doc.Span(r)
		list := values
		if isKey[r] {
			list = nil
			for _, name := range names {
				list = append(list, `"`+name+`"`)
			}
		}
		for _, text := range list {
			put(start, end, text)
		}
	}
	return all
}

// The histories of the generator are taken or left, but never otherwise.
func TestProofOfGenerated(t *testing.T) {
	proven := 0
	for _, name := range hostile.Dialects() {
		for seed := range uint64(300) {
			g := hostile.New(seed, name)
			if proves(t, g.Hostile()) || proves(t, g.Healthy()) {
				proven++
			}
		}
	}
	if proven == 0 {
		t.Error("no generated history is plain")
	}
}
