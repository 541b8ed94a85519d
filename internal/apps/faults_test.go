package apps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
	"golang.org/x/tools/txtar"

	"boltmend/internal/oracle"
)

// A fault is a case of testdata/repair: a history with something wrong, and
// what a repair makes of it.
type fault struct {
	conv, name string
	messages   []string
	wants      [][]any // any of them will do
	codes      []string
}

// dialects are those that TestEveryFault spreads.
var dialects = []string{"openai-chat", "anthropic", "pi"}

// TestEveryFault spreads the cases of testdata/repair over databases of every
// layout, all of one dialect in one database, repairs it, and reads the
// conversations back as the app does.
func TestEveryFault(t *testing.T) {
	for _, dialect := range dialects {
		all := faults(t, dialect)
		for _, l := range slices.Concat(layouts, codecs) {
			t.Run(dialect+"/"+l.label, func(t *testing.T) { everyFault(t, l, dialect, all) })
		}
	}
}

func everyFault(t *testing.T, l layout, dialect string, all []fault) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "faults.db")
	used := spread(t, path, l, all)
	everyCode(t, dialect, used)
	before := dump(t, path)
	r := repaired(t, path)
	said := map[string][]string{}
	for _, h := range r.histories {
		if h.Layout != l.name || h.Dialect != dialect && h.Dialect != "" {
			t.Errorf("%s is said to be %s, %s", h.Ref, h.Layout, h.Dialect)
		}
		for _, f := range h.Findings {
			conv := convOf(h.Ref)
			said[conv] = append(said[conv], f.Code)
		}
	}
	view(t, path, func(tx *bbolt.Tx) error {
		for _, f := range used {
			f.test(t, l.get(t, tx, f.conv), dialect, said[f.conv])
		}
		return nil
	})
	undone(t, path, r, before)
}

// codes are the pairing findings of each dialect, and bad arguments.
var codes = map[string]string{
	"openai-chat": "ambiguous-result bad-arguments blank-tool-name displaced-result duplicate-call-id duplicate-result early-result " +
		"empty-call-id empty-calls empty-result-id interleaved-message missing-result orphan-result out-of-order-result wrong-role-call",
	"anthropic": "ambiguous-result bad-arguments displaced-result duplicate-call-id duplicate-result early-result " +
		"empty-call-id empty-result-id interleaved-message missing-result orphan-result out-of-order-result result-not-first " +
		"server-orphan split-results wrong-role-call",
	"pi": "aborted-result ambiguous-result bad-arguments blank-tool-name displaced-result duplicate-call-id duplicate-result early-result " +
		"empty-call-id empty-result-id interleaved-message missing-result orphan-result out-of-order-result wrong-role-call",
}

// everyCode wants a case of each finding.
func everyCode(t *testing.T, dialect string, used []fault) {
	for _, code := range strings.Fields(codes[dialect]) {
		if !slices.ContainsFunc(used, func(f fault) bool { return slices.Contains(f.codes, code) }) {
			t.Errorf("no case of %s", code)
		}
	}
}

// convOf is the conversation that a ref names.
func convOf(ref string) string {
	i := strings.LastIndex(ref, "conv")
	if i < 0 || len(ref) < i+8 {
		return ref
	}
	return ref[i : i+8]
}

// test compares a conversation as read back with the case.
func (f fault) test(t *testing.T, messages []any, dialect string, codes []string) {
	matches := func(want []any) bool { return reflect.DeepEqual(messages, want) || len(messages)+len(want) == 0 }
	text := encode(t, messages)
	if messages == nil {
		text = []byte("[]")
	}
	if !slices.ContainsFunc(f.wants, matches) {
		t.Errorf("%s (%s)\n  got  %s\n  want %s\n  said %v", f.name, f.conv, text, encode(t, f.wants[0]), codes)
		return
	}
	if err := oracle.For(dialect)(text); err != nil {
		t.Errorf("%s (%s): the provider would refuse: %v\n%s", f.name, f.conv, err, text)
	}
	if slices.Sort(codes); !slices.Equal(codes, f.codes) {
		t.Errorf("%s (%s): findings %v, want %v", f.name, f.conv, codes, f.codes)
	}
}

// fits reports whether a fault can be spread over a layout: in rows every
// element is a message, and none has a member that the layout gives a meaning
// to.
func (f fault) fits(t *testing.T, l layout) bool {
	if l.name == "document" && !l.objects {
		return true
	}
	if l.objects && (len(f.messages) < 2 || len(f.wants[0]) == 0) { // one line is a message and no list
		return false
	}
	for _, m := range f.messages {
		if !strings.HasPrefix(m, "{") {
			return false
		}
		o := object(t, []byte(m))
		if o["role"] == nil && o["Role"] == nil {
			return false
		}
		for name := range o {
			if slices.ContainsFunc(l.adds, func(added string) bool { return folded(added) == folded(name) }) {
				return false
			}
		}
	}
	return true
}

// timeless is a fault whose messages have no times: a new row takes its time
// from its place, and not from its call.
func (f fault) timeless(t *testing.T) fault {
	f.messages, f.wants = slices.Clone(f.messages), slices.Clone(f.wants)
	for i, m := range f.messages {
		if o, ok := decodedAny(t, m).(map[string]any); ok && withoutTime(o) {
			f.messages[i] = string(encode(t, o))
		}
	}
	for i := range f.wants {
		f.wants[i], _ = decodedAny(t, string(encode(t, f.wants[i]))).([]any)
		for _, m := range f.wants[i] {
			if o, ok := m.(map[string]any); ok {
				withoutTime(o)
			}
		}
	}
	return f
}

func withoutTime(o map[string]any) (had bool) {
	for name := range o {
		switch folded(name) {
		case "timestamp", "ts", "createdat":
			delete(o, name)
			had = true
		}
	}
	return had
}

func decodedAny(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// faults reads the cases of a dialect that need no options.
func faults(t *testing.T, dialect string) (all []fault) {
	paths, err := filepath.Glob("../../testdata/repair/" + dialect + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(a.Comment), "\nplaceholder: ") {
			f := faultOf(t, strings.TrimSuffix(filepath.Base(path), ".txtar"), a)
			f.conv = fmt.Sprintf("conv%04d", len(all))
			if !f.proven() {
				f.prove(t)
			}
			all = append(all, f)
		}
	}
	return all
}

func faultOf(t *testing.T, name string, a *txtar.Archive) fault {
	f := fault{name: name}
	for _, file := range a.Files {
		text := bytes.ReplaceAll(file.Data, []byte("<MARKER>"), []byte(marker))
		switch file.Name {
		case "in.json":
			var list []json.RawMessage
			if err := json.Unmarshal(text, &list); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, m := range list {
				f.messages = append(f.messages, string(m))
			}
			if strings.Contains(string(a.Comment), "\nsame") {
				f.wants = append(f.wants, decodedAny(t, string(text)).([]any))
			}
		case "want.json", "alt.json":
			f.wants = append(f.wants, decodedAny(t, string(text)).([]any))
		case "findings":
			for line := range strings.Lines(string(text)) {
				f.codes = append(f.codes, strings.Fields(line)[1])
			}
			slices.Sort(f.codes)
		}
	}
	return f
}

// proven reports whether some call or result can be nothing else.
func (f fault) proven() bool {
	for _, m := range f.messages {
		for _, proof := range []string{`"function"`, `"tool_call_id"`, `tool_use"`, `tool_result"`, `"toolCall"`, `"toolCallId"`, `"Role":"tool"`} {
			if strings.Contains(m, proof) {
				return true
			}
		}
	}
	return false
}

// prove puts an exchange behind a history that shows what its calls are.
func (f *fault) prove(t *testing.T) {
	exchange := []string{
		`{"role":"user","content":"and then?"}`,
		`{"role":"assistant","tool_calls":[{"id":"call_proof","type":"function","function":{"name":"look","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":"call_proof","content":"seen"}`,
	}
	if len(f.messages) > 0 && strings.Contains(f.messages[0], `"Role"`) { // of a Go struct without tags
		exchange = []string{
			`{"Role":"user","Content":"and then?"}`,
			`{"Role":"assistant","ToolCalls":[{"ID":"call_proof","Name":"look","Arguments":"e30="}]}`,
			`{"Role":"tool","ToolCallID":"call_proof","Content":"seen"}`,
		}
	}
	for _, m := range exchange {
		f.messages = append(f.messages, m)
		for i := range f.wants {
			f.wants[i] = append(f.wants[i], decodedAny(t, m))
		}
	}
}

// quickly makes a database without syncing it.
func quickly(t *testing.T, path string, do func(*bbolt.Tx)) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, NoFreelistSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(func(tx *bbolt.Tx) error { do(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}
