package migrate

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

const layoutHead = `{"format":"boltmend-layout","version":1}` + "\n"

// TestLayoutFileIsRefused: what is wrong is said with its line.
func TestLayoutFileIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "line 1: the file is empty"},
		{"{}", "line 1: not"},
		{`{"format":"boltmend-layout","version":2}`, "line 1: not"},
		{layoutHead + `{"bucket":"a"}`, `line 2: unknown layout ""`},
		{layoutHead + `{"bucket":"a","layout":"rows"}`, `line 2: unknown key ""`},
		{layoutHead + `{"bucket":"[","layout":"document"}`, `line 2: bucket "["`},
		{layoutHead + `{"bucket":"a","layout":"document","key":"be64"}`, "line 2: layout \"document\" has no key"},
		{layoutHead + `{"bucket":"a","layout":"rows-composite","key":"ulid"}`, "line 2: rows-composite needs a separator"},
		{layoutHead + `{"bucket":"a","layout":"rows","key":"ulid","separator":":"}`, "line 2: a separator goes"},
		{layoutHead + `{"bucket":"a","layout":"rows-indexed","key":"uuid"}`, "line 2: an index goes"},
		{layoutHead + `{"bucket":"a","layout":"rows-field","key":"uuid"}`, "line 2: rows-field needs"},
		{layoutHead + `{"bucket":"a","layout":"document","dialect":"klingon"}`, "line 2: unknown dialect"},
		{layoutHead + "\n" + `{"bucket":"a","layout":"none","extra":1}`, "line 3: not the JSON object"},
		{layoutHead + `{"bucket":"a","layout":"none"}{"bucket":"b"}`, "line 2: more than one"},
		{layoutHead + strings.Repeat("x", maxLayoutLine+1), "line 2: "},
	} {
		if _, err := ReadLayout(strings.NewReader(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.80q: %v, want %s", c.text, err, c.want)
		}
	}
}

// FuzzLayoutFile: any text is refused with its line, or reads the same once it
// was written again.
func FuzzLayoutFile(f *testing.F) {
	f.Add(layoutHead + `{"bucket":"a/*","layout":"rows-composite","key":"be64"}` + "\n" + `{"bucket":"**","layout":"none"}`)
	f.Add(layoutHead + `{"bucket":"m","layout":"rows-indexed","key":"uuid","index":"o","message":"payload"}`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ReadLayout(strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("refused without a line: %v", err)
			}
			return
		}
		var b bytes.Buffer
		if err := WriteLayout(&b, all); err != nil {
			t.Fatal(err)
		}
		again, err := ReadLayout(&b)
		if err != nil || !reflect.DeepEqual(all, again) {
			t.Errorf("%+v, then %+v, %v", all, again, err)
		}
		for i := range all {
			all[i].layout()
		}
	})
}

// TestBomb: a value that would grow beyond the bound gets one line, and the
// others go on.
func TestBomb(t *testing.T) {
	path := rawDB(t, map[string]string{"a": gzipped(t, "["+strings.Repeat(" ", 1<<20)+"]"), "b": poisonedDoc})
	got := do(t, Scan, path, Options{MaxValue: 64 << 10})
	if got.sum.Unreadable != 1 || got.sum.Poisoned != 1 || !strings.Contains(strings.Join(got.lines, ""), "more than 65536 bytes when decompressed") {
		t.Errorf("%+v", got)
	}
}

// TestLayoutFileParts: the place in keys and in entries of an index is found
// though it has the separator in it.
func TestLayoutFileParts(t *testing.T) {
	for _, c := range []struct{ name, layout, text, want string }{
		{"times behind a colon", `"rows-composite","key":"rfc3339","separator":":"`, `m/msg:a:2026-01-01T00:00:01Z {"role":"user","content":"q"}
m/msg:b:2026-01-01T00:00:02Z ` + openCall + `}`, "m/msg:b:2026-01-01T00:00:03Z"},
		{"the first colon", `"rows-composite","key":"rfc3339","separator":":","separator_first":true`, `m/a:2026-01-01T00:00:01Z {"role":"user","content":"q"}
m/b:2026-01-01T00:00:02Z ` + openCall + `}`, "m/b:2026-01-01T00:00:03Z"},
		{"times behind two", `"rows-composite","key":"rfc3339","separator":"::"`, `m/a::2026-01-01T00:00:01Z {"role":"user","content":"q"}
m/b::2026-01-01T00:00:02Z ` + openCall + `}`, "m/b::2026-01-01T00:00:03Z"},
		{"UUIDs behind a dash", `"rows-composite","key":"uuid7","separator":"-"`, `m/c-1-019b7a00-0001-7abc-8def-000000000063 {"role":"user","content":"q"}
m/c-2-019b7a00-0002-7abc-8def-000000000163 ` + openCall + `}`, "m/c-2-019b7a00-0002-7abc-8def-000000000164"},
		{"times in an index", `"rows-indexed","key":"uuid","index":"order","index_separator":":"`, `m/319b7a00-0001-4abc-8def-000000000063 {"role":"user","content":"q"}
m/219b7a00-0002-4abc-8def-000000000163 ` + openCall + `}
order/a:1:2026-01-01T00:00:01Z 319b7a00-0001-4abc-8def-000000000063
order/a:1:2026-01-01T00:00:02Z 219b7a00-0002-4abc-8def-000000000163`, "order/a:1:2026-01-01T00:00:03Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := madeOf(t, c.text+"\n")
			before := dump(t, path)
			all, err := ReadLayout(strings.NewReader(layoutHead + `{"bucket":"m","layout":` + c.layout + "}"))
			if err != nil {
				t.Fatal(err)
			}
			got := do(t, Repair, path, Options{NoBackup: true, Layouts: all})
			came := newLines(t, path, before)
			if len(came) == 0 || !strings.HasPrefix(came[len(came)-1], c.want+" ") || got.sum.Fixed != 1 {
				t.Errorf("%v came, want %s\n%s", came, c.want, strings.Join(got.lines, "\n"))
			}
		})
	}
}

// TestKeyOrderIsChosen: a layout file that says that keys are opaque, and of
// nothing else that it orders the rows, chooses the order of keys.
func TestKeyOrderIsChosen(t *testing.T) {
	const (
		user  = ` {"role":"user","content":"q"}`
		noKey = "how the app makes keys is not known"
	)
	for _, c := range []struct{ name, layout, text, left string }{
		{"a bucket each", `"m/*","layout":"rows","key":"opaque"`, "m/c/ax" + user + "\nm/c/by " + openCall + "}\nm/c/cz" + user, noKey},
		{"no new row", `"m/*","layout":"rows","key":"opaque"`, "m/c/ax" + user + "\nm/c/by " + openCall + "}\nm/c/cz" + user + "\nm/c/dw " + itsReply + "}", ""},
		{"one bucket", `"m","layout":"rows-composite","key":"opaque","separator":"~"`, "m/c~ax" + user + "\nm/c~by " + openCall + "}\nm/c~cz" + user, noKey},
		{"a member", `"m","layout":"rows-field","key":"opaque","conversation":"s"`, "m/ax" + user[:len(user)-1] + `,"s":"1"}` + "\nm/by " + openCall + `,"s":"1"}`, noKey},
	} {
		text := c.text + "\n"
		all, err := ReadLayout(strings.NewReader(layoutHead + `{"bucket":` + c.layout + "}"))
		if err != nil {
			t.Fatal(err)
		}
		got := do(t, Repair, madeOf(t, text), Options{NoBackup: true, Layouts: all})
		said := strings.Join(got.lines, "\n")
		if got.sum.Poisoned != 1 || got.sum.Unrecognised > 0 || (got.sum.Fixed == 1) != (c.left == "") || !strings.Contains(said, c.left) {
			t.Errorf("%s: %s", c.name, said)
		}
		if plain := do(t, Scan, madeOf(t, text), Options{}); plain.sum.Poisoned > 0 || plain.sum.Unrecognised != 1 {
			t.Errorf("%s, without the file: %s", c.name, strings.Join(plain.lines, "\n"))
		}
		for _, b := range saved(madeOf(t, text)) {
			t.Errorf("%s: what is not known is saved: %+v", c.name, b)
		}
	}
	all := []BucketLayout{{Bucket: "m", Layout: rows, Key: "uuid"}}
	ids := madeOf(t, "m/319b7a00-0001-4abc-8def-000000000063"+user+"\nm/219b7a00-0001-4abc-8def-000000000063 "+openCall+"}\n")
	if got := do(t, Scan, ids, Options{Layouts: all}); got.sum.Poisoned > 0 || !strings.Contains(strings.Join(got.lines, ""), unknownOrder) {
		t.Errorf("ids: %s", strings.Join(got.lines, "\n"))
	}
}

// TestNoSuchIndex: an index that is not there is the fault of the layout file.
func TestNoSuchIndex(t *testing.T) {
	for _, index := range []string{"none", "none/*"} {
		opts := Options{Layouts: []BucketLayout{{Bucket: "m", Layout: rowsIndexed, Key: "opaque", Index: index}}}
		for name, c := range map[string]command{"scan": Scan, "repair": Repair, "inspect": Inspect} {
			path := madeOf(t, "m/a "+openCall+"}\n")
			got := do(t, c, path, opts)
			if said := strings.Join(got.lines, "\n"); got.sum.Exit != exitUsage || !strings.Contains(said, "bucket m that index "+index+" orders it: no such bucket") {
				t.Errorf("%s: %s", name, said)
			}
		}
	}
}
