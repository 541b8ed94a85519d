package repair_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boltmend/internal/oracle"
	"boltmend/repair"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the findings of the cases in testdata/repair")

// A repairCase is a file of testdata/repair; its README describes the form.
type repairCase struct {
	path, dialect string
	archive       *txtar.Archive
	directives    map[string]string
	marker        string
}

func readCases(t *testing.T) []repairCase {
	t.Helper()
	paths, err := filepath.Glob("../testdata/repair/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []repairCase
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := repairCase{path, filepath.Base(filepath.Dir(path)), a, map[string]string{}, repair.DefaultMarker}
		_, directives, _ := strings.Cut(string(a.Comment), "\n\n")
		for line := range strings.Lines(directives) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			c.directives[name] = value
		}
		cases = append(cases, c)
	}
	return cases
}

func (c repairCase) name() string {
	return c.dialect + "/" + strings.TrimSuffix(filepath.Base(c.path), ".txtar")
}

func (c repairCase) has(directive string) bool {
	_, ok := c.directives[directive]
	return ok
}

// file returns a file of the case, nil if it has none.
func (c repairCase) file(name string) []byte {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return bytes.ReplaceAll(f.Data, []byte("<MARKER>"), []byte(c.marker))
		}
	}
	return nil
}

func (c repairCase) options() repair.Options {
	o := repair.Options{Dialect: repair.Dialect(c.dialect), Marker: c.marker}
	if c.has("placeholder") {
		o.Placeholders = []string{c.directives["placeholder"]}
	}
	return o
}

func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		for name := range c.directives {
			switch name {
			case "case", "source", "same", "exact", "removed", "removed-arguments", "placeholder", "keep-tail", "keep-order",
				"with", "fix", "lint", "cut":
			default:
				t.Errorf("%s: unknown directive %q", c.path, name)
			}
		}
		t.Run(c.name(), func(t *testing.T) { c.run(t) })
	}
}

func (c repairCase) run(t *testing.T) {
	in := c.file("in.json")
	r := history(t, in, c.options())
	switch want := c.file("want.json"); {
	case c.has("same"):
		// What is only reported shows in the findings of the case.
		if !bytes.Equal(r.JSON, in) {
			t.Errorf("changed, with findings %v\ngot  %s\nwant %s", r.Findings, r.JSON, in)
		}
	case c.has("exact"):
		if !bytes.Equal(r.JSON, want) {
			t.Errorf("got  %s\nwant %s", r.JSON, want)
		}
	case !sameJSON(r.JSON, want) && !sameJSON(r.JSON, c.file("alt.json")):
		t.Errorf("got  %s\nwant %s", r.JSON, want)
	}
	c.checkRemoved(t, r)
	c.checkFindings(t, "findings", r)
	judge(t, c.dialect, r.JSON)
	c.runTarget(t, in, r)

	o := c.options()
	o.Marker = "[arrêté]" // a marker of the user's takes the place of the default one everywhere
	m := c
	m.marker = o.Marker
	if want := m.file("want.json"); want != nil && !sameJSON(history(t, m.file("in.json"), o).JSON, want) {
		t.Errorf("with marker %s\ngot  %s\nwant %s", o.Marker, history(t, m.file("in.json"), o).JSON, want)
	}
	c.runOptions(t, in)
}

func (c repairCase) runOptions(t *testing.T, in []byte) {
	if c.directives["keep-tail"] == "same" {
		o := c.options()
		o.KeepTail = true
		if r := history(t, in, o); !bytes.Equal(r.JSON, in) || slices.ContainsFunc(r.Findings, isPoison) {
			t.Errorf("with KeepTail: changed, with findings %v\n%s", r.Findings, r.JSON)
		}
	}
	if c.directives["keep-order"] == "same" {
		o := c.options()
		o.KeepOrder = true
		if r := history(t, in, o); !bytes.Equal(r.JSON, in) {
			t.Errorf("with KeepOrder: changed\n%s", r.JSON)
		}
	}
	if want := c.file("keep_tail.json"); want != nil {
		o := c.options()
		o.KeepTail = true
		if r := history(t, in, o); !sameJSON(r.JSON, want) {
			t.Errorf("with KeepTail\ngot  %s\nwant %s", r.JSON, want)
		}
	}
	if want := c.file("drop_turn.json"); want != nil {
		o := c.options()
		o.OnMissing = repair.DropTurn
		if r := history(t, in, o); !sameJSON(r.JSON, want) {
			t.Errorf("with DropTurn\ngot  %s\nwant %s", r.JSON, want)
		}
	}
	for k := range 24 + 12 {
		n := uint8(k)
		if k >= 24 {
			n = uint8((k-24)*19 + 24)
		}
		o := optionsOf(n)
		o.Placeholders = c.options().Placeholders
		if err := try(c.dialect, o, in, laws); err != nil {
			t.Fatalf("options %+v\n%v", o, err)
		}
	}
}

// history repairs a clone of src and checks what holds for every repair: src
// stays as it is, and a second repair finds nothing left to do.
func history(t *testing.T, src []byte, o repair.Options) repair.Result {
	t.Helper()
	in := bytes.Clone(src)
	r, err := repair.History(in, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if !bytes.Equal(in, src) {
		t.Fatalf("input was written to\n%s", src)
	}
	if r.Changed() != !bytes.Equal(r.JSON, src) {
		t.Errorf("Changed is %v\n%s\n%s", r.Changed(), src, r.JSON)
	}
	again, err := repair.History(r.JSON, o)
	if err != nil || !bytes.Equal(again.JSON, r.JSON) {
		t.Errorf("second repair: %v\n%s\n%s", err, r.JSON, again.JSON)
	}
	for _, f := range again.Findings {
		if f.Fixed {
			t.Errorf("second repair finds %v\n%s", f, r.JSON)
		}
	}
	return r
}

func judge(t *testing.T, dialect string, src []byte) {
	t.Helper()
	if err := oracle.For(dialect)(src); err != nil {
		t.Errorf("the provider would refuse: %v\n%s", err, src)
	}
}

func (c repairCase) checkRemoved(t *testing.T, r repair.Result) {
	for directive, kind := range map[string]string{"removed": "result", "removed-arguments": "arguments"} {
		if !c.has(directive) {
			continue
		}
		n := 0
		for _, x := range r.Removed {
			if x.Kind == kind {
				n++
			}
		}
		if strconv.Itoa(n) != c.directives[directive] {
			t.Errorf("removed %d of kind %s, want %s", n, kind, c.directives[directive])
		}
	}
}

// TestCaseForms wants the same repair however the text is spaced, and with
// the dialect found by its marks.
func TestCaseForms(t *testing.T) {
	for _, c := range readCases(t) {
		in := c.file("in.json")
		var compact, pretty bytes.Buffer
		if err := json.Compact(&compact, in); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		if err := json.Indent(&pretty, in, "", "\t"); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		crlf := bytes.ReplaceAll(pretty.Bytes(), []byte("\n"), []byte("\r\n"))
		t.Run(c.name(), func(t *testing.T) {
			want := history(t, in, c.options())
			for _, form := range [][]byte{compact.Bytes(), pretty.Bytes(), crlf} {
				got := history(t, form, c.options())
				if !sameJSON(got.JSON, want.JSON) || !reflect.DeepEqual(got.Findings, want.Findings) {
					t.Errorf("another form, another repair\ngot  %s\nwant %s", got.JSON, want.JSON)
				}
			}
			o := c.options()
			o.Dialect = ""
			if got := history(t, in, o); want.Calls+want.Results > 0 && (string(got.Dialect) != c.dialect || !bytes.Equal(got.JSON, want.JSON)) {
				t.Errorf("taken for %q\ngot  %s\nwant %s", got.Dialect, got.JSON, want.JSON)
			}
		})
	}
}

// sameJSON compares as decoded. Numbers keep their spelling.
func sameJSON(a, b []byte) bool {
	if a == nil || b == nil {
		return false
	}
	return reflect.DeepEqual(decoded(a), decoded(b))
}

func decoded(src []byte) any {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	return v
}
