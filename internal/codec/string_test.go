package codec

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"boltmend/internal/jsonedit"
)

func parse(t testing.TB, s string) *jsonedit.Doc {
	t.Helper()
	d, err := jsonedit.Parse([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return d
}

func quote(t testing.TB, s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestStrings(t *testing.T) {
	doc := `{"{}": 1, "text":"[hello]", "e30=" : null, "args":"{\"a\":1}", "n":["\n [1]", "\u007b\u0022a\u0022:2}", 5, "{"],
"b":"` + b64(`{"c":"ÿ?"}`) + `","u":"` + base64.RawURLEncoding.EncodeToString([]byte(`[{"c":"?>~"}]`)) + `","w":"Wed",
"z":"` + strings.ReplaceAll(b64(zs(`{"d":1}`)), "/", `\/`) + `","l":"{\"a\":1}\n{\"b\":2}\n","j":"` + b64("[1]\n[2]") + `",
"g":"` + b64(gz("no json"))[:20] + `","t":"` + b64("plain text, long enough") + `"}`
	type found struct{ text, layers string }
	want := []found{
		{`{"a":1}`, "string"}, {"\n [1]", "string"}, {`{"a":2}`, "string"},
		{`{"c":"ÿ?"}`, "base64"}, {`[{"c":"?>~"}]`, "base64"}, {`{"d":1}`, "base64+zstd"},
		{`[{"a":1},{"b":2}]`, "string+lines"}, {`[[1],[2]]`, "base64+lines"},
	}
	d := parse(t, doc)
	i := 0
	for r, u := range new(Codec).Strings(d, Options{}) {
		if i >= len(want) || u.Err != nil || (found{string(u.Text), u.String()}) != want[i] {
			t.Fatalf("%d: %q %q, %v", i, u.Text, u.String(), u.Err)
		}
		same, err := u.Rewrap(u.Text)
		if err != nil || !bytes.Equal(same, d.Raw(r)) {
			t.Errorf("%d: unchanged: %s, %v", i, same, err)
		}
		made, err := u.Rewrap([]byte(`[{"x":"<é>"}]`))
		if err != nil {
			t.Errorf("%d: rewrap: %v", i, err)
			continue
		}
		var text string
		if err := json.Unmarshal(made, &text); err != nil {
			t.Errorf("%d: %s: %v", i, made, err)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d strings, want %d", i, len(want))
	}
}

// TestExample: the file of facts that this was written for, taken apart, changed and read back as its app does.
func TestExample(t *testing.T) {
	doc := `{"session_id":"s1","messages":` + quote(t, `[{"role":"user","content":"go"}]`) + `,"state_b64":"` +
		b64(`{"messages":[{"role":"tool","content":"orphan"}]}`) + `"}`
	d := parse(t, doc)
	var e jsonedit.Edit
	for r, u := range new(Codec).Strings(d, Options{}) {
		made, err := u.Rewrap([]byte(`{"done":true}`))
		if err != nil {
			t.Fatal(err)
		}
		e.Replace(r, made)
	}
	var app struct {
		Messages string
		State    []byte `json:"state_b64"`
	}
	if err := json.Unmarshal(e.Bytes(d), &app); err != nil || app.Messages != `{"done":true}` || string(app.State) != `{"done":true}` {
		t.Errorf("%+v, %v", app, err)
	}
}

// TestNestedStrings: a string in a string in a string, opened and closed step by step.
func TestNestedStrings(t *testing.T) {
	text := `{"content":"<go> \"é\" \\"}`
	for range 3 {
		text = `{"s":` + quote(t, text) + `}`
	}
	var c Codec
	var deep func(s string, depth int) string
	deep = func(s string, depth int) string {
		d := parse(t, s)
		var e jsonedit.Edit
		for r, u := range c.Strings(d, Options{}) {
			if depth += u.Depth(); depth > MaxDepth {
				t.Fatal("too deep")
			}
			made, err := u.Rewrap([]byte(deep(string(u.Text), depth)))
			if err != nil {
				t.Fatal(err)
			}
			e.Replace(r, made)
		}
		return strings.Replace(string(e.Bytes(d)), "<go>", "<go> on & on", 1)
	}
	got := deep(text, 0)
	want := `{"content":"<go> on & on \"é\" \\"}`
	for range 3 {
		want = `{"s":` + quote(t, want) + `}`
	}
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// encoders are the ways in which others spell a string.
var encoders = map[string]func(s string) string{
	"go": func(s string) string { b, _ := json.Marshal(s); return string(b) },
	"go, no html": func(s string) string {
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		e.Encode(s)
		return strings.TrimSuffix(out.String(), "\n")
	},
	"javascript": func(s string) string { return string(jsonedit.Quote(s)) },
	"python":     func(s string) string { return spell(s, "\x7f", "", false) },
	"php":        func(s string) string { return spell(s, "", "/", false) },
	".net":       func(s string) string { return spell(s, "\"<>&'+`\x7f", "", true) },
}

// spell escapes all that is not ASCII and what is in unicode as \u000a, what is in short as \/.
func spell(s, unicodes, shorts string, capitals bool) string {
	st := style{wide: unicode, separators: unicode, capitals: capitals}
	st.conclude()
	for _, c := range unicodes {
		st.ascii[c] = unicode
	}
	for _, c := range shorts {
		st.ascii[c] = short
	}
	return `"` + string(st.appendText(nil, []byte(s))) + `"`
}

// TestStyle: whatever is put into a string is spelled as its own encoder would have spelled it, if the old
// string shows what kind of characters there are.
func TestStyle(t *testing.T) {
	pieces := []string{"<", ">", "&", "é", "漢", "😀", "\u2028", "/", `\\`, `\"`, "'", "+", "`", "\x7f", "a", "b c", "\\n", "\\u003c"}
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, spell := range encoders {
		for range 300 {
			middle := func() string {
				var s strings.Builder
				for range rnd.IntN(12) {
					s.WriteString(pieces[rnd.IntN(len(pieces))])
				}
				return s.String()
			}
			shows := "<é/😀'\u2028"
			old := `{"shows":"` + shows + `","a":"` + middle() + "\",\n\"z\":\"" + middle() + `"}`
			text := `{"shows":"` + shows + `","a":"` + middle() + "\",\n\t\"q\":1,\"z\":\"" + middle() + `"}`
			d := parse(t, spell(old))
			u, ok := new(Codec).InString(d, 0, Options{})
			if !ok || string(u.Text) != old {
				t.Fatalf("%s: %s: %q", name, d.Src(), u.Text)
			}
			made, err := u.Rewrap([]byte(text))
			if err != nil || string(made) != spell(text) {
				t.Fatalf("%s: %v\n got %s\nwant %s", name, err, made, spell(text))
			}
		}
	}
}

// TestStyleUnseen: what the old string does not show is spelled with as few escapes as may be.
func TestStyleUnseen(t *testing.T) {
	for _, c := range []struct{ old, text, want string }{
		{`"{\"a\":1}"`, `{"a":"<é\n/"}`, `"{\"a\":\"<é\\n/\"}"`},
		{`"{\"a\":\"\u003c\"}"`, `{"a":"<>&` + "\u2028" + `"}`, `"{\"a\":\"\u003c\u003e\u0026\u2028\"}"`},
		{`"{\"a\":\"\u00e9\"}"`, `{"a":"é😀<"}`, `"{\"a\":\"\u00e9\ud83d\ude00<\"}"`},
		{`"{\u0022a\u0022:1}"`, `{"a":"<'"}`, `"{\u0022a\u0022:\u0022\u003c\u0027\u0022}"`},
		{`"\u007B\"a\":[]}"`, `{"a":[{}]}`, `"\u007B\"a\":[\u007B}]}"`},
		{`"[\"\/\"]"`, `["/","/"]`, `"[\"\/\",\"\/\"]"`},
		// What is not valid stays.
		{"\"{\\\"a\\\":\\\"\xff\\ud83d\\\",\\\"b\\\":1}\"", "{\"a\":\"\xff\xed\xa0\xbd\",\"b\":2}",
			"\"{\\\"a\\\":\\\"\xff\\ud83d\\\",\\\"b\\\":2}\""},
		{"\"[\\\"\\ud800\\\"]\"", "[\"x\xed\xa0\x81\"]", "\"[\\\"x\\ud801\\\"]\""},
	} {
		d := parse(t, c.old)
		u, ok := new(Codec).InString(d, 0, Options{})
		if !ok {
			t.Fatalf("%s: no JSON", c.old)
		}
		made, err := u.Rewrap([]byte(c.text))
		if err != nil || string(made) != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.old, err, made, c.want)
		}
	}
}

func TestBase64Variants(t *testing.T) {
	with, without := `{"a":"?>~"}`, `{"a":"bc"}` // with and without characters of one alphabet alone
	for _, c := range []struct {
		name string
		enc  *base64.Encoding
		old  string
		text string
		err  error
	}{
		{"std", base64.StdEncoding, with, with + " ", nil},
		{"std that shows nothing", base64.StdEncoding, `{"a":"bcd"} `, with + with[:0] + " ", nil},
		{"url", base64.URLEncoding, `{"a":"bc?>~"}`, `{"a":"?>~?>~"}`, nil},
		{"raw std", base64.RawStdEncoding, `{"a":"bc?>~"}`, `{"a":"?>~?>~"} `, nil},
		{"raw url", base64.RawURLEncoding, `{"a":"bc?>~"}`, `{"a":"?>~?>~"} `, nil},
		{"raw, alphabet not shown nor needed", base64.RawURLEncoding, without, `{"a":"bcdefg"}`, nil},
		{"raw, alphabet not shown", base64.RawURLEncoding, without, `{"a":"???>>>~~~"}`, ErrAmbiguous},
		{"url, padding not shown", base64.RawURLEncoding, `{"a":"?>~?"}`, `{"a":"?>~"}`, ErrAmbiguous},
		{"url, padding not shown nor needed", base64.RawURLEncoding, `{"a":"?>~?"}`, `{"a":"x>~?"}`, nil},
	} {
		d := parse(t, `"`+c.enc.EncodeToString([]byte(c.old))+`"`)
		u, ok := new(Codec).InString(d, 0, Options{})
		if !ok || string(u.Text) != c.old {
			t.Errorf("%s: %s: %q", c.name, d.Src(), u.Text)
			continue
		}
		made, err := u.Rewrap([]byte(c.text))
		if !errors.Is(err, c.err) || err == nil && string(made) != `"`+c.enc.EncodeToString([]byte(c.text))+`"` {
			t.Errorf("%s: %s -> %s, %v, want %v", c.name, d.Src(), made, err, c.err)
		}
	}
	for _, bad := range []string{"eyJhIjoxfR==", "eyJhIjoxfQ=", "eyJhIjox\nfQ==", "eyJhIjoxfQ==x", "+_eyJh", "eyJhIjoxfQ===", ""} {
		if _, _, ok := decodeBase64([]byte(bad)); ok {
			t.Errorf("%q was taken", bad)
		}
	}
}

// TestQuoteAll holds unquote and the styles against encoding/json.
func TestQuoteAll(t *testing.T) {
	var all []byte
	for c := range rune(0x3000) {
		all = utf8.AppendRune(all, c)
	}
	text := string(all) + "😀\U0010ffff"
	for name, spell := range encoders {
		made := spell(text)
		var got string
		if err := json.Unmarshal([]byte(made), &got); err != nil || got != text {
			t.Errorf("%s: %v", name, err)
		}
		if got := unquote(nil, []byte(made[1:len(made)-1])); string(got) != text {
			t.Errorf("%s: unquote differs", name)
		}
	}
}
