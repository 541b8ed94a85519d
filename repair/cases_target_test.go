package repair_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boltmend/repair"

	"golang.org/x/tools/txtar"
)

// runTarget runs a case with the target and the fixes that it names, and wants
// the lint that it names: under the target if it has one, else by default.
func (c repairCase) runTarget(t *testing.T, in []byte, r repair.Result) {
	if c.has("with") {
		o := c.options()
		o.Target = repair.Provider(strings.TrimPrefix(c.directives["with"], "--target="))
		r = c.runWith(t, in, o, "with.json", "findings_with")
	}
	for code := range strings.FieldsSeq(c.directives["lint"]) {
		if !slices.ContainsFunc(r.Findings, func(f repair.Finding) bool { return string(f.Code) == code }) {
			t.Errorf("no finding %s: %v", code, r.Findings)
		}
	}
	if c.has("fix") {
		o := c.options()
		for code := range strings.FieldsSeq(c.directives["fix"]) {
			o.Fix = append(o.Fix, repair.Code(code))
		}
		c.runWith(t, in, o, "with_fix.json", "findings_fix")
	}
	if n, err := strconv.Atoi(c.directives["cut"]); err == nil {
		got, err := repair.Cut(in, n, c.options())
		if want := c.file("cut.json"); err != nil || !sameJSON(got, want) {
			t.Errorf("cut to %d: %v\ngot  %s\nwant %s", n, err, got, want)
		}
	}
}

// runWith repairs with other options; without a file that says what is wanted
// nothing may change.
func (c repairCase) runWith(t *testing.T, in []byte, o repair.Options, file, findings string) repair.Result {
	r := history(t, in, o)
	if want := c.file(file); want == nil && !bytes.Equal(r.JSON, in) || want != nil && !sameJSON(r.JSON, want) {
		t.Errorf("%s\ngot  %s\nwant %s", file, r.JSON, want)
		c.write(t, file, r.JSON)
	}
	c.checkFindings(t, findings, r)
	judge(t, c.dialect, r.JSON)
	if err := try(c.dialect, o, in, laws); err != nil {
		t.Errorf("options %+v\n%v", o, err)
	}
	return r
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9_.:|-]+$`)

// checkFindings compares what was found with a file of the case.
func (c repairCase) checkFindings(t *testing.T, file string, r repair.Result) {
	var b strings.Builder
	for _, f := range r.Findings {
		id := strings.Join(f.IDs, ",")
		if !plainID.MatchString(id) {
			id = strconv.Quote(id)
		}
		fmt.Fprintf(&b, "%d %s %s", f.Message, f.Code, id)
		if !f.Fixed {
			b.WriteString(" left")
		}
		b.WriteByte('\n')
	}
	got, want := b.String(), string(c.file(file))
	if got == want {
		return
	}
	if !*update {
		t.Errorf(file+"\ngot\n%swant\n%s", got, want)
		return
	}
	c.write(t, file, []byte(got))
}

// write rewrites a file of the case, if that is asked for.
func (c repairCase) write(t *testing.T, file string, text []byte) {
	if !*update {
		return
	}
	i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == file })
	if i < 0 {
		i = len(c.archive.Files)
		c.archive.Files = append(c.archive.Files, txtar.File{Name: file})
	}
	c.archive.Files[i].Data = text
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A message that says nothing stays where a target's template would refuse
// what comes to stand side by side, and goes where it would not.
func TestEmptyMessageKeepsOrderOfTarget(t *testing.T) {
	head := `[{"role":"user","content":"u"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"x","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"}`
	const empty, user, said = `,{"role":"assistant","content":""}`, `,{"role":"user","content":"u"}`, `,{"role":"assistant","content":"a"}`
	for _, tt := range []struct {
		to         repair.Provider
		in, wanted string
	}{
		{repair.ToMistral, empty + user + said, empty + user + said},
		{repair.ToMistral, said + user + empty + user, said + user + user},
		{repair.ToLlamaCpp, said + user + empty + user + said, said + user + empty + user + said},
		{repair.ToLlamaCpp, said + empty + user + said, said + user + said},
		{repair.ToOpenAI, said + user + empty + user, said + user + user},
		{"", empty + user, user},
	} {
		o := repair.Options{Dialect: "openai-chat", Target: tt.to, Fix: []repair.Code{repair.EmptyMessage}}
		in := []byte(head + tt.in + "]")
		r := history(t, in, o)
		// Ids change for Mistral: what stands behind the result does not.
		if _, tail, _ := strings.Cut(string(r.JSON), `"content":"r"}`); tail != tt.wanted+"]" {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.to, tt.in, tail, tt.wanted)
		}
		if err := try("openai-chat", o, in, laws); err != nil {
			t.Errorf("%s: %s: %v", tt.to, tt.in, err)
		}
	}
}

// Without a call no dialect can be told, but a plain chat is judged by those
// who take it as it is.
func TestTargetOfPlainChat(t *testing.T) {
	for _, tt := range []struct {
		to   repair.Provider
		in   string
		want repair.Code
	}{
		{repair.ToLlamaCpp, `[{"role":"user","content":"hello"},{"role":"user","content":"hello?"}]`, repair.RoleOrder},
		{repair.ToLlamaCpp, `[{"role":"user","content":"hello"},{"role":"assistant","content":"yes"}]`, ""},
		{repair.ToOpenAI, `[{"role":"user","content":"hello"},{"role":"user","content":"hello?"}]`, ""},
		{repair.ToOpenAI, `[{"role":"user","content":"hello"},{"role":"critic","content":"no"}]`, repair.TargetRole},
		{repair.ToMistral, `[{"role":"developer","content":"be kind"},{"role":"user","content":"hello"}]`, repair.TargetRole},
		{repair.ToOpenAI, `[{"role":"user","parts":[{"text":"hello"}]},{"role":"model","parts":[{"text":"yes"}]}]`, ""},
		{repair.ToAnthropic, `[{"role":"system","content":"be kind"},{"role":"user","content":"hello"}]`, ""},
	} {
		r := history(t, []byte(tt.in), repair.Options{Target: tt.to})
		got := repair.Code("")
		if len(r.Findings) > 0 {
			got = r.Findings[0].Code
		}
		if got != tt.want || len(r.Findings) > 1 || string(r.JSON) != tt.in {
			t.Errorf("%s: %s: %v, want %q", tt.to, tt.in, r.Findings, tt.want)
		}
	}
}

// Reasoning keeps what stands behind it in a history without calls as well.
func TestEmptyMessageBehindReasoning(t *testing.T) {
	const in = `[{"type":"message","role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"},{"type":"message","role":"assistant","content":""},{"type":"message","role":"assistant","content":""},{"type":"message","role":"user","content":"b"}]`
	const want = `[{"type":"message","role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"},{"type":"message","role":"assistant","content":""},{"type":"message","role":"user","content":"b"}]`
	for _, dialect := range []repair.Dialect{"", "openai-responses"} {
		r := history(t, []byte(in), repair.Options{Dialect: dialect, Fix: []repair.Code{repair.EmptyMessage}})
		if string(r.JSON) != want {
			t.Errorf("%q: got %s", dialect, r.JSON)
		}
	}
}
