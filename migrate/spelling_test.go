package migrate

import (
	"fmt"
	"strings"
	"testing"
)

// countedRows are lines of a conversation whose last row is a call.
func countedRows(key string, from, to int) string {
	var b strings.Builder
	for n := from; n < to; n++ {
		fmt.Fprintf(&b, key+` {"role":"user","content":"q%d"}`+"\n", n, n)
	}
	fmt.Fprintf(&b, key+" "+openCall+"}\n", to)
	return b.String()
}

// TestHexadecimal: the next key is hexadecimal where a letter shows that keys
// are, be it in a bucket beside theirs.
func TestHexadecimal(t *testing.T) {
	nine := countedRows("m/c/%08x", 1, 9)
	sound := func(key string) string {
		rows := countedRows(key, 1, 12)
		return rows[:strings.LastIndex(rows[:len(rows)-1], "\n")+1]
	}
	random := ""
	for _, id := range []string{"00003f9c", "7b77e0d2", "09c1aa04", "0ab210c7", "00f1d2e3"} {
		random += "m/ids/" + id + " {}\n"
	}
	for _, c := range []struct {
		name, text, layout string
		want               string // the last key that comes
	}{
		{"its own letters", countedRows("m/c/%08x", 4, 10), "", "m/c/0000000b"},
		{"capital ones", countedRows("m/c/%08X", 4, 10), "", "m/c/0000000B"},
		{"those of another value", nine + "m/c/0000000a {}\n", "", "m/c/0000000b"},
		{"those of another conversation", sound("m/a:%04x") + countedRows("m/c:%04x", 1, 9), "", "m/c:000a"},
		{"those of a bucket beside", nine + "m/c/meta {}\n" + sound("m/d/%08x") + "m/d/meta {}\n", "", "m/c/0000000a"},
		{"capital ones beside", nine + sound("m/d/%08X"), "", "m/c/0000000A"},
		{"decimals beside", nine + sound("m/d/%08d"), "", "m/c/00000010"},
		{"another width beside", nine + sound("m/d/%09x"), "", "m/c/00000010"},
		{"random ids beside", nine + random, "", "m/c/00000010"},
		{"many decimals", countedRows("m/c/%08d", 1, 29) + sound("m/d/%08x"), "", "m/c/00000030"},
		{"a layout file", nine, `{"bucket":"m/c","layout":"rows","key":"hex"}`, "m/c/0000000a"},
		{"a layout file, capital ones beside", nine + sound("m/d/%08X"), `{"bucket":"m/c","layout":"rows","key":"hex"}`, "m/c/0000000A"},
		{"a layout file that says padded", nine + sound("m/d/%08x"), `{"bucket":"m/c","layout":"rows","key":"padded"}`, "m/c/00000010"},
		{"a list of each conversation", `rows/019b7a00-0002-4abc-8def-000000000163 {"role":"user","content":"q"}
rows/519b7a00-0001-4abc-8def-000000000063 ` + openCall + `}
rows/219b7a00-0001-4abc-8def-000000000009 {"role":"user","content":"q"}
rows/319b7a00-0001-4abc-8def-000000000009 {"role":"user","content":"q"}
order/a/00000008 019b7a00-0002-4abc-8def-000000000163
order/a/00000009 519b7a00-0001-4abc-8def-000000000063
order/b/0000000a 219b7a00-0001-4abc-8def-000000000009
order/b/0000000b 319b7a00-0001-4abc-8def-000000000009
`, "", "order/a/0000000a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := madeOf(t, c.text)
			before := dump(t, path)
			opts := Options{NoBackup: true}
			if c.layout != "" {
				var err error
				if opts.Layouts, err = ReadLayout(strings.NewReader(layoutHead + c.layout)); err != nil {
					t.Fatal(err)
				}
			}
			got := do(t, Repair, path, opts)
			came := ""
			for _, line := range newLines(t, path, before) {
				if key, _, _ := strings.Cut(line, " "); !strings.HasPrefix(line, "rows") {
					came = key
				}
			}
			if came != c.want || got.sum.Fixed != 1 {
				t.Errorf("%s came, want %s\n%s", came, c.want, strings.Join(got.lines, "\n"))
			}
		})
	}
}

// TestRandomIDs: hexadecimal ids that are no counters order nothing.
func TestRandomIDs(t *testing.T) {
	path := madeOf(t, `m/c/0a3f9c21 {"role":"user","content":"q"}
m/c/0b77e0d2 `+itsReply+`}
m/c/0c1aa049 `+openCall+`}
`)
	if got := do(t, Scan, path, Options{}); got.sum.Poisoned > 0 || got.sum.Unrecognised != 1 || !strings.Contains(strings.Join(got.lines, ""), unknownOrder) {
		t.Errorf("%s", strings.Join(got.lines, "\n"))
	}
}
