package migrate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

const aUser = `{"role":"user","content":"q"}`

// notes wants the records of a database that count as unrecognised, each with a
// piece of its reason, and no others.
func notes(t *testing.T, name, text string, want ...string) {
	t.Helper()
	path := madeOf(t, text+"\n")
	for _, c := range []command{Scan, Repair} {
		got := do(t, c, path, Options{})
		var found []string
		for _, l := range got.lines {
			var n Note
			if err := json.Unmarshal([]byte(l), &n); err == nil && n.Kind == "unrecognised" {
				found = append(found, n.Ref+" "+n.Reason)
			}
		}
		ok := len(found) == len(want) && got.sum.Unrecognised == len(want)
		for i := 0; ok && i < len(want); i++ {
			ref, why, _ := strings.Cut(want[i], " ")
			ok = strings.HasPrefix(found[i], ref+" ") && strings.Contains(found[i], why)
		}
		if !ok {
			t.Errorf("%s: got %q (%d), want %q", name, found, got.sum.Unrecognised, want)
		}
	}
}

// TestOtherSpellings: calls that no dialect spells so count as unrecognised, also
// among messages that look plain; settings, and calls with their results, do not.
func TestOtherSpellings(t *testing.T) {
	const call = `{"type":"tool_call","tool_call":{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}}`
	for name, c := range map[string]struct{ text, want string }{
		"langchaingo": {`s/a [{"role":"human","text":"q"},{"role":"ai","parts":[` + call + `]},{"role":"human","text":"n"}]`, "s/a tool_call"},
		"langchaingo in rows": {"s/a/%00%00%00%01 {\"role\":\"human\",\"text\":\"q\"}\ns/a/%00%00%00%02 {\"role\":\"ai\",\"parts\":[" + call + "]}\n" +
			`s/b/%00%00%00%01 ` + openCall + "}\ns/b/%00%00%00%02 " + itsReply + "}", "s/a/@a tool_call"},
		"a result alone":   {`s/a [` + aUser + `,{"role":"ai","parts":[{"type":"tool_response","tool_response":{"tool_call_id":"c1","name":"f","content":"r"}}]}]`, "s/a tool_response"},
		"genkit":           {`s/a {"messages":[` + aUser + `,{"role":"model","content":[{"toolRequest":{"name":"f","ref":"c1","input":{}}}]}]}`, "s/a toolRequest"},
		"genkit, a result": {`s/a {"messages":[` + aUser + `,{"role":"model","content":[{"toolResponse":{"name":"f","ref":"c1","output":{}}}]}]}`, "s/a toolResponse"},
		"snake case":       {`s/a {"messages":[` + aUser + `,{"role":"model","content":[{"tool_request":{"name":"f","ref":"c1","input":{}}}]}]}`, "s/a tool_request"},
		"lists":            {`s/a {"messages":[` + aUser + `,{"role":"assistant","content":"","toolRequests":[{"id":"c1","name":"f"}]}]}`, "s/a toolRequests"},
		"lists of results": {`s/a {"messages":[` + aUser + `,{"role":"tool_results","tool_results":[{"call":"c1","outputs":[]}]}]}`, "s/a tool_results"},
		"structs":          {`s/a [` + aUser + `,{"role":"assistant","content":[{"OfToolUse":{"id":"t1","name":"f","input":{}}}]}]`, "s/a OfToolUse"},
		"a list of calls":  {`s/a [{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]`, "s/a function"},
		"YAML":             {`s/a quoted "messages:\n- role: assistant\n  tool_calls:\n  - id: c1\n"`, "s/a as YAML does"},
		"as a string":      {`s/a {"messages":[` + aUser + `,{"role":"model","function_call":"{\"name\":\"f\"}"}]}`, "s/a function_call"},

		"own result":     {`s/a [` + aUser + `,{"role":"ai","parts":[{"type":"tool_call","tool_call":{"name":"f","result":"r"},"result":"r"}]}]`, ""},
		"request, reply": {`s/a [` + aUser + `,{"role":"model","content":[{"toolRequest":{"name":"f"},"toolResponse":{"name":"f","output":"r"}}]}]`, ""},
		"a setting":      {`s/a {"models":[{"id":"m","tool_call":true,"tool_calls":true,"function_call":"auto"}]}`, ""},
		"tools":          {`s/a {"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]}`, ""},
		"prose":          {`s/a quoted "You can call tools: tool_calls: and tool_use are known.\n"`, ""},
		"results by id":  {`s/a {"toolResults":{"c1":{"toolName":"f"}}}`, ""},
		"a blank":        {`s/a {"tool_call":null,"toolRequest":{}}`, ""},
	} {
		if c.want == "" {
			notes(t, name, c.text)
		} else {
			notes(t, name, c.text, c.want)
		}
	}
}

// TestBesideConversation: messages beside a conversation that was judged count,
// and what the app keeps about its calls does not.
func TestBesideConversation(t *testing.T) {
	judged := `"messages":[` + aUser + `,` + openCall + `},` + itsReply + `}]`
	for name, c := range map[string]struct {
		beside string
		counts bool
	}{
		"a map of messages":      {`"branches":{"b":{"0":` + aUser + `,"1":` + openCall + `}}}`, true},
		"blocks":                 {`"branches":{"b":{"1":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]}}}`, true},
		"items":                  {`"items":{"1":{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}}`, true},
		"another list":           {`"old":[{"role":"ai","parts":[{"type":"tool_call","tool_call":{"id":"c1"}}]}]`, true},
		"by id":                  {`"toolResults":{"c1":{"toolName":"f","toolCallId":"c1","success":true}},"toolCalls":{"c1":{"tool_call_id":"c1"}}`, false},
		"a log":                  {`"log":[{"role":"assistant","content":[{"toolRequest":{"name":"f"}}]}]`, false},
		"a preview":              {`"last_message":` + openCall + `}`, false},
		"numbers":                {`"stats":{"tool_calls":3}`, false},
		"a call and its results": {`"steps":{"0":{"role":"assistant","tool_calls":[{"name":"f","result":"r"}]}}`, false},
	} {
		text := `s/a {` + judged + `,` + c.beside + `}`
		if c.counts {
			notes(t, name, text, "s/a beside the conversation")
		} else {
			notes(t, name, text)
		}
	}
}

// TestRowsElsewhere: rows that hold their message where most do not are neither
// judged nor passed over in silence, and may hold what others lack.
func TestRowsElsewhere(t *testing.T) {
	const wrapped = `{"kind":"message","payload":`
	stray := "m/c/00000001 " + aUser + "\nm/c/00000002 " + openCall + "}\nm/c/00000003 {\"role\":\"assistant\",\"content\":\"a\"}\n"
	notes(t, "whole", stray+"m/c/00000004 "+wrapped+aUser+"}\nm/c/00000005 "+wrapped+openCall+"}}\nm/c/00000006 "+wrapped+itsReply+"}}\nm/c/00000007 "+wrapped+aUser+"}",
		"m/c/00000001 does not lie", "m/c/00000002 does not lie", "m/c/00000003 does not lie")
	notes(t, "in doubt", stray+"m/c/00000004 "+wrapped+aUser+"}\nm/c/00000005 "+wrapped+itsReply+"}}\nm/c/00000006 "+wrapped+aUser+"}\nm/c/00000007 "+wrapped+aUser+"}",
		"m/c/@c m/c/00000002")
	nobodys := `m/01 {"role":"user","content":"q","session_id":"s1"}
m/02 ` + openCall + `,"session_id":"s1"}
m/03 {"role":"user","content":"q","session_id":"s2"}
m/04 ` + wrapped + `{"role":"tool","tool_call_id":"c1","content":"4","session_id":"s1"}}`
	notes(t, "of nobody", nobodys, "m/@m session_id")
	choice := BucketLayout{Bucket: "m", Layout: rowsField, Key: "padded", Conversation: "session_id"}
	got := do(t, Scan, madeOf(t, nobodys+"\n"), Options{Layouts: []BucketLayout{choice}})
	if all := strings.Join(got.lines, "\n"); got.sum.Unrecognised != 2 || !strings.Contains(all, isStray) || got.sum.Poisoned > 0 {
		t.Errorf("of nobody, by a layout file: %s", all)
	}
	notes(t, "nothing of calls", "m/c/00000001 {\"kind\":\"title\",\"title\":{\"role\":\"system\"}}\nm/c/00000002 "+wrapped+openCall+"}}\nm/c/00000003 "+wrapped+itsReply+"}}")
}

// inText is a document that has a text in a string.
func inText(text string) string {
	b, _ := json.Marshal(map[string]string{"d": text})
	return string(b)
}

// TestTooDeep: what is wrapped too often to be opened is said.
func TestTooDeep(t *testing.T) {
	base64ed := func(s string) string { return inText(base64.StdEncoding.EncodeToString([]byte(s))) }
	for name, wrap := range map[string]func(string) string{"string": inText, "base64": base64ed} {
		text := `{"messages":[` + aUser + `,` + openCall + `}]}`
		for range 4 {
			text = wrap(text)
		}
		notes(t, name, "s/a "+text, "s/a #/d/d/d/d is wrapped more than three deep")
		notes(t, name+", twice more", "s/a "+wrap(wrap(text)), "s/a #/d/d/d/d is wrapped more than three deep")
	}
	text := `{"messages":[` + aUser + `,` + openCall + `}]}`
	notes(t, "mixed", "s/a "+quotedLine(gzipped(t, base64ed(gzipped(t, inText(text))))), "s/a #/d/d is wrapped more than three deep")
	notes(t, "other text", "s/a "+inText(inText(inText(inText(`{"theme":"dark"}`)))))
}

// TestNotOpened: forms that are not opened are looked into.
func TestNotOpened(t *testing.T) {
	text := `{"messages":[` + aUser + `,` + openCall + `}]}`
	written := func(open func(io.Writer) io.WriteCloser) string {
		var b bytes.Buffer
		w := open(&b)
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	zlibbed := written(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	deflated := written(func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 9); return z })
	var wide, marked []byte
	for _, c := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(c), byte(c>>8))
		marked = append(marked, byte(c>>8), byte(c))
	}
	for name, value := range map[string]string{
		"zlib": zlibbed, "deflate": deflated, "utf-16": string(wide), "utf-16 ": "\xfe\xff" + string(marked),
		"hex": hex.EncodeToString([]byte(text)), "base64+zlib": base64.StdEncoding.EncodeToString([]byte(zlibbed)),
	} {
		notes(t, name, "s/a "+quotedLine(value), "s/a stored as "+strings.TrimSpace(name)+", which is not opened, and speaks of tool_call")
	}
	notes(t, "hex in JSON", "s/a "+inText(hex.EncodeToString([]byte(text))), "s/a #/d is stored as hex")
	notes(t, "zlib in JSON", "s/a "+inText(base64.StdEncoding.EncodeToString([]byte(zlibbed))), "s/a #/d is stored as base64+zlib")
	text = `{"theme":"dark","role":"admin","padding":"padding padding padding"}`
	notes(t, "other zlib", "s/a "+quotedLine(written(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })))
}

func quotedLine(value string) string { return fmt.Sprintf("quoted %q", value) }
