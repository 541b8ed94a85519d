package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planOf writes a plan of some records and returns its path and its text.
func planOf(t testing.TB, records ...PlanRecord) (path, text string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "my.plan")
	w, err := CreatePlan(path, Identity{Path: "/srv/a.db", TxID: 7}, map[string]string{"marker": `"x"`})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	wantFiles(t, filepath.Dir(path), "my.plan.boltmend-plan.tmp")
	got, err := w.Close()
	if err != nil || got != path {
		t.Fatalf("%s, %v", got, err)
	}
	wantFiles(t, filepath.Dir(path), "my.plan")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, string(b)
}

func someRecords() (all []PlanRecord) {
	for i := range 5 {
		all = append(all, PlanRecord{Ref: fmt.Sprintf("b/%d", i), Old: digest32(byte(i)), New: digest32(byte(i + 100))})
	}
	return all
}

func digest32(b byte) (d [32]byte) {
	return [32]byte(bytes.Repeat([]byte{b}, 32))
}

func TestPlan(t *testing.T) {
	for _, want := range [][]PlanRecord{nil, someRecords()} {
		path, _ := planOf(t, want...)
		if st, err := os.Stat(path); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("mode %v, %v", st.Mode(), err)
		}
		p, err := ReadPlan(path)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if p.Records != len(want) || p.Header.TxID != 7 || p.Header.Database != "/srv/a.db" || p.Header.Options["marker"] != `"x"` {
			t.Errorf("plan is %+v", p)
		}
		var got []PlanRecord
		for rec, err := range p.All() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rec)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestPlanReplacesNothing(t *testing.T) {
	path, text := planOf(t, someRecords()...)
	_, err := CreatePlan(path, Identity{}, nil)
	wantError(t, err, CodeUsage, ErrExists, "move it away")
	// It came while the plan was written.
	other := filepath.Join(t.TempDir(), "x")
	w, err := CreatePlan(other, Identity{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = w.Close()
	wantError(t, err, CodeUsage, ErrExists, "move it away")
	wantFiles(t, filepath.Dir(other), "x")
	if b, _ := os.ReadFile(path); string(b) != text {
		t.Error("the plan has changed")
	}
	_, err = CreatePlan(filepath.Join(t.TempDir(), "no", "x"), Identity{}, nil)
	wantError(t, err, CodeIO, ErrIO)
}

// reline makes a line of a plan check out again after it was edited.
func reline(t testing.TB, n int, body string) string {
	t.Helper()
	line := fmt.Sprintf(`{"n":%d,%s`, n, body)
	return line + fmt.Sprintf(`,"crc":"%08x"}`+"\n", crcOf([]byte(line)))
}

func TestPlanIsAllThereOrRefused(t *testing.T) {
	_, text := planOf(t, someRecords()...)
	lines := strings.SplitAfter(text, "\n")
	hash := strings.Repeat("ab", 32)
	header := `"type":"header","format":"boltmend-plan","version":1,"options":{}`
	end := func(n int) string { return reline(t, n, fmt.Sprintf(`"type":"end","records":%d`, n-1)) }
	for name, c := range map[string]struct{ text, says string }{
		"nothing":            {" ", "first line"},
		"no plan":            {"hello\n", "first line"},
		"a journal":          {reline(t, 0, `"type":"header","format":"boltmend-journal","version":1`), "first line"},
		"another version":    {reline(t, 0, `"type":"header","format":"boltmend-plan","version":2`), "version 2"},
		"no end":             {strings.Join(lines[:6], ""), "behind record 5"},
		"header only":        {lines[0], "behind record 0"},
		"cut in a line":      {text[:len(text)-30], "behind record 5"},
		"a line is missing":  {lines[0] + strings.Join(lines[2:], ""), "behind record 0"},
		"a line twice":       {lines[0] + lines[1] + strings.Join(lines[1:], ""), "behind record 1"},
		"lines changed":      {lines[0] + lines[2] + lines[1] + strings.Join(lines[3:], ""), "behind record 0"},
		"a hash edited":      {strings.Replace(text, "0101", "0102", 1), "behind record 1"},
		"more behind":        {text + "x", "its end"},
		"two plans":          {text + text, "its end"},
		"end of another":     {strings.Join(lines[:6], "") + reline(t, 6, `"type":"end","records":4`), "its end"},
		"short hash":         {reline(t, 0, header) + reline(t, 1, `"type":"record","ref":"a/b","old":"ab","new":"`+hash+`"`) + end(2), "record 1"},
		"no hex":             {reline(t, 0, header) + reline(t, 1, `"type":"record","ref":"a/b","old":"`+hash[1:]+`x","new":"`+hash+`"`) + end(2), "record 1"},
		"no ref":             {reline(t, 0, header) + reline(t, 1, `"type":"record","ref":"","old":"`+hash+`","new":"`+hash+`"`) + end(2), "record 1"},
		"a line of a row":    {reline(t, 0, header) + reline(t, 1, `"type":"row","ref":"a/b","old":"`+hash+`","new":"`+hash+`"`) + end(2), "record 1"},
		"a list for a text":  {reline(t, 0, header) + reline(t, 1, `"type":"record","ref":["a/b"],"old":"`+hash+`","new":"`+hash+`"`) + end(2), "record 1"},
		"a value with it":    {reline(t, 0, header) + reline(t, 1, `"type":"record","ref":"a/b","old":"`+hash+`","new":"`+hash+`","data":"AAAA"`) + end(2), "record 1"},
		"an endless line":    {lines[0] + strings.Repeat("x", maxLine+1), "behind record 0"},
		"options of a kind":  {reline(t, 0, `"type":"header","format":"boltmend-plan","version":1,"options":{"a":1}`), "first line"},
		"a huge number of n": {reline(t, 0, `"type":"header","format":"boltmend-plan","version":99999999999999999999`), "first line"},
	} {
		path := filepath.Join(t.TempDir(), "x.plan")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadPlan(path)
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeUsage || !strings.Contains(e.Msg, c.says) || !strings.Contains(e.Msg, "--save-plan") || strings.Contains(e.Msg, "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "no")} {
		_, err := ReadPlan(path)
		wantError(t, err, CodeUsage, ErrUsage)
	}
}

func TestPlanTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.plan")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, maxPlan+1); err != nil {
		t.Skip(err)
	}
	_, err := ReadPlan(path)
	wantError(t, err, CodeUsage, ErrUsage, "at most")

	w, err := CreatePlan(filepath.Join(t.TempDir(), "y"), Identity{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ref := strings.Repeat("x", 4<<20)
	for i := 0; err == nil && i < maxPlan/len(ref)+2; i++ {
		err = w.Add(PlanRecord{Ref: ref})
	}
	wantError(t, err, CodeUsage, ErrUsage, "--bucket")
	wantFiles(t, filepath.Dir(w.w.path))
}

// FuzzPlan: whatever a plan file holds, it is refused or read to its end twice
// with the same result, and what is read can be written again.
func FuzzPlan(f *testing.F) {
	_, text := planOf(f, someRecords()...)
	f.Add([]byte(text))
	f.Add([]byte(reline(f, 0, `"type":"header","format":"boltmend-plan","version":1`) + reline(f, 1, `"type":"end","records":0`)))
	f.Add([]byte(strings.Replace(text, "b/1", "%zz", 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, fix := range []bool{false, true} {
			if fix {
				b = checkOut(b)
			}
			p, err := readPlan(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				if !errors.Is(err, errPlan) {
					t.Fatalf("error is %v", err)
				}
				continue
			}
			n := 0
			for rec, err := range p.All() {
				if err != nil || rec.Ref == "" {
					t.Fatalf("record %d: %+v, %v", n, rec, err)
				}
				n++
			}
			if n != p.Records {
				t.Fatalf("%d records, said %d", n, p.Records)
			}
		}
	})
}

// checkOut gives each line its number and checksum, so that fuzzing comes
// behind them.
func checkOut(b []byte) []byte {
	var out []byte
	for n, line := range bytes.SplitAfter(b, []byte("\n")) {
		_, body, ok := bytes.Cut(line, []byte(`"type":`))
		if i := bytes.LastIndex(body, []byte(`,"crc":`)); ok && i >= 0 {
			line = fmt.Appendf(nil, `{"n":%d,"type":%s`, n, body[:i])
			line = fmt.Appendf(line, `,"crc":"%08x"}`+"\n", crcOf(line))
		}
		out = append(out, line...)
	}
	return out
}
