package jsonedit

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// items reads a list of elements: a number is the element of that index in arr, anything else is new text.
func items(t *testing.T, d *Doc, arr Ref, list string) []Item {
	t.Helper()
	var kids []Ref
	for c := range d.Elems(arr) {
		kids = append(kids, c)
	}
	var all []Item
	for _, f := range strings.Fields(list) {
		if i, err := strconv.Atoi(f); err == nil {
			all = append(all, Item{Ref: kids[i]})
		} else {
			all = append(all, Item{Raw: []byte(f)})
		}
	}
	return all
}

func TestSetElems(t *testing.T) {
	const (
		compact = `["a","b","c"]`
		pretty  = "[\n  \"a\",\n  \"b\",\n  \"c\"\n]\n"
		crlf    = "[\r\n\t\"a\",\r\n\t\"b\"\r\n]\r\n"
		uneven  = "[ 1 , 2,3,\n4 ,5  ]"
	)
	for _, c := range []struct{ name, src, list, want string }{
		{"nothing changes", uneven, "0 1 2 3 4", uneven},
		{"nothing changes, pretty", pretty, "0 1 2", pretty},
		{"nothing changes, empty", "[ \n]", "", "[ \n]"},
		{"first left out", compact, "1 2", `["b","c"]`},
		{"middle left out", compact, "0 2", `["a","c"]`},
		{"last left out", compact, "0 1", `["a","b"]`},
		{"first left out, pretty", pretty, "1 2", "[\n  \"b\",\n  \"c\"\n]\n"},
		{"middle left out, pretty", pretty, "0 2", "[\n  \"a\",\n  \"c\"\n]\n"},
		{"last left out, pretty", pretty, "0 1", "[\n  \"a\",\n  \"b\"\n]\n"},
		{"only the middle, pretty", pretty, "1", "[\n  \"b\"\n]\n"},
		{"all left out", pretty, "", "[]\n"},
		{"all left out, crlf", crlf, "", "[]\r\n"},
		{"new behind, compact", compact, "0 1 2 9.5", `["a","b","c",9.5]`},
		{"new before, pretty", pretty, "9.5 0 1 2", "[\n  9.5,\n  \"a\",\n  \"b\",\n  \"c\"\n]\n"},
		{"new between, pretty", pretty, "0 9.5 1 2", "[\n  \"a\",\n  9.5,\n  \"b\",\n  \"c\"\n]\n"},
		{"new behind, crlf", crlf, "0 1 9.5", "[\r\n\t\"a\",\r\n\t\"b\",\r\n\t9.5\r\n]\r\n"},
		{"reversed, pretty", pretty, "2 1 0", "[\n  \"c\",\n  \"b\",\n  \"a\"\n]\n"},
		{"twice the same", compact, "0 0", `["a","a"]`},
		{"own separators stay", uneven, "1 2 3", "[ 2,3,\n4  ]"},
		{"separator before the following", uneven, "0 3", "[ 1,\n4  ]"},
		{"separator before the following, behind a new one", uneven, "9.5 3", "[ 9.5,\n4  ]"},
		{"separator behind the preceding", uneven, "3 9.5", "[ 4 ,9.5  ]"},
		{"separator behind the preceding, before the first", uneven, "2 0", "[ 3,\n1  ]"},
		{"first separator", uneven, "4 9.5", "[ 5 , 9.5  ]"},
		{"first separator, all new", uneven, "9.5 9.6 9.7", "[ 9.5 , 9.6 , 9.7  ]"},
		{"one element, lead", "[\n\t1\n]", "0 9.5", "[\n\t1,\n\t9.5\n]"},
		{"one element, lead, before", "[\r\n 1]", "9.5 0", "[\r\n 9.5,\r\n 1]"},
		{"one element, no lead", "[1 ]", "0 9.5 9.6", "[1,9.5,9.6 ]"},
		{"empty", "[]", "9.5 9.6", "[9.5,9.6]"},
		{"empty with space", "[ \n ]", "9.5 9.6", "[9.5,9.6]"},
		{"no array", ` {"a":1} `, `{} 9.5`, ` [{},9.5] `},
		{"no array, empty", ` "text"`, ``, ` []`},
		{"white space around", "\r\n\t[1, 2]\n\n", "1 0", "\r\n\t[2, 1]\n\n"},
	} {
		d := mustParse(t, c.src)
		var e Edit
		e.SetElems(0, items(t, d, 0, c.list))
		if got := string(e.Bytes(d)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if string(d.Src()) != c.src {
			t.Errorf("%s: the source was written to", c.name)
		}
	}
}

func TestMembers(t *testing.T) {
	const (
		compact = `{"a":1,"b":2,"a":3}`
		spaced  = `{"a": 1, "b": 2}`
		pretty  = "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}"
		crlf    = "{\r\n\t\"a\" : 1,\r\n\t\"b\" : 2\r\n}\r\n"
		uneven  = `{ "a":1 , "b" :2,"c": 3 }`
	)
	// A list: -2 removes the member of index 2, +x adds one of that name and the value 9.
	for _, c := range []struct{ name, src, list, want string }{
		{"removed first", compact, "-0", `{"b":2,"a":3}`},
		{"removed middle", compact, "-1", `{"a":1,"a":3}`},
		{"removed last of two of a name", compact, "-2", `{"a":1,"b":2}`},
		{"removed all but the middle", compact, "-2 -0", `{"b":2}`},
		{"removed all", compact, "-1 -0 -2", `{}`},
		{"removed all, pretty", pretty, "-1 -0", `{}`},
		{"removed twice", compact, "-1 -1", `{"a":1,"a":3}`},
		{"removed first, pretty", pretty, "-0", "{\n  \"b\": {\n    \"c\": 2\n  }\n}"},
		{"removed last, pretty", pretty, "-1", "{\n  \"a\": 1\n}"},
		{"removed, uneven", uneven, "-1", `{ "a":1,"c": 3 }`},
		{"added, compact", compact, "+d", `{"a":1,"b":2,"a":3,"d":9}`},
		{"added, spaced", spaced, "+c +d", `{"a": 1, "b": 2, "c": 9, "d": 9}`},
		{"added, pretty", pretty, "+c", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  },\n  \"c\": 9\n}"},
		{"added, crlf", crlf, "+c", "{\r\n\t\"a\" : 1,\r\n\t\"b\" : 2,\r\n\t\"c\" : 9\r\n}\r\n"},
		{"added, uneven", uneven, "+d", `{ "a":1 , "b" :2,"c": 3 , "d": 9 }`},
		{"added to one", `{"a" :1}`, "+b", `{"a" :1,"b" :9}`},
		{"added to one, pretty", "{\n  \"a\": 1\n}", "+b", "{\n  \"a\": 1,\n  \"b\": 9\n}"},
		{"added to none", `{}`, "+a +b", `{"a":9,"b":9}`},
		{"added to none with space", "{ \n}", "+a", `{"a":9}`},
		{"removed and added, compact", compact, "-2 +a", `{"a":1,"b":2,"a":9}`},
		{"removed last and added, pretty", pretty, "-1 +b", "{\n  \"a\": 1,\n  \"b\": 9\n}"},
		{"removed all and added, pretty", pretty, "+c -0 -1 +d", "{\n  \"c\": 9,\n  \"d\": 9\n}"},
		{"removed all and added, crlf", crlf, "+c -0 -1", "{\r\n\t\"c\" : 9\r\n}\r\n"},
		{"added name is quoted", `{}`, "+\"\n\u2028", "{\"\\\"\\n\u2028\":9}"},
		{"no object", ` ["a"] `, "+a", ` ["a"] `},
		{"nothing changes", " {\n } ", "", " {\n } "},
	} {
		d := mustParse(t, c.src)
		var keys []Ref
		for k := range d.Members(0) {
			keys = append(keys, k)
		}
		var e Edit
		for _, f := range strings.Split(c.list, " ") {
			if name, ok := strings.CutPrefix(f, "+"); ok {
				e.AddMember(0, name, []byte("9"))
			} else if i, err := strconv.Atoi(f); err == nil {
				e.RemoveMember(0, keys[-i])
			}
		}
		if got := string(e.Bytes(d)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestForeignKey: a key of another object, or no key at all, takes nothing out.
func TestForeignKey(t *testing.T) {
	const src = `{"a":{"b":1}, "c":2}`
	d := mustParse(t, src)
	var e Edit
	for _, k := range []Ref{None, 0, 2, 3, 4, 100} {
		e.RemoveMember(0, k)
	}
	e.RemoveMember(4, 1)
	e.RemoveMember(None, 1)
	e.Replace(None, []byte("x"))
	e.Replace(100, []byte("x"))
	e.AddMember(None, "x", []byte("1"))
	e.SetElems(None, nil)
	if got := string(e.Bytes(d)); got != src {
		t.Errorf("got %s, want %s", got, src)
	}
}

func TestNested(t *testing.T) {
	const src = `{"messages": [ {"role":"user", "content":[1, 2]}, {"role":"tool", "id":"x"} , {"role":"user"} ], "n":1.0}`
	d := mustParse(t, src)
	list := d.Get(0, "messages")
	var m []Ref
	for c := range d.Elems(list) {
		m = append(m, c)
	}
	content := d.Get(m[0], "content")
	idKey := d.Get(m[1], "id") - 1

	var e Edit
	e.SetElems(list, []Item{{Ref: m[1]}, {Ref: m[0]}})
	e.SetElems(content, []Item{{Ref: content + 2}, {Ref: m[2]}})
	e.Replace(content+2, []byte("22"))
	e.Replace(content+1, []byte("left out"))
	e.RemoveMember(m[1], idKey)
	e.Replace(idKey+1, []byte("removed"))
	e.AddMember(m[2], "name", []byte(`"t"`))
	e.Replace(m[1]+1, []byte(`"Role"`))
	e.Replace(d.Get(0, "n"), []byte("2"))
	want := `{"messages": [ {"Role":"tool"} , {"role":"user", "content":[22, {"role":"user","name":"t"}]} ], "n":2}`
	if got := string(e.Bytes(d)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := string(e.Render(d, m[0])), `{"role":"user", "content":[22, {"role":"user","name":"t"}]}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := string(e.Render(d, m[1]+1)), `"Role"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := e.Render(d, None); len(got) != 0 {
		t.Errorf("got %s for no node", got)
	}
	if string(d.Src()) != src {
		t.Error("the source was written to")
	}
	e.Reset()
	if got := string(e.Bytes(d)); got != src || !e.Empty() {
		t.Errorf("after Reset: got %s", got)
	}
}

func TestLastCallWins(t *testing.T) {
	d := mustParse(t, `{"a":[1,2]}`)
	const arr = Ref(2)
	for want, calls := range map[string]func(e *Edit){
		`{"a":0}`:           func(e *Edit) { e.SetElems(arr, nil); e.Replace(arr, []byte("0")) },
		`{"a":[2]}`:         func(e *Edit) { e.Replace(arr, []byte("0")); e.SetElems(arr, []Item{{Ref: arr + 2}}) },
		`{"a":4}`:           func(e *Edit) { e.Replace(arr, []byte("3")); e.Replace(arr, []byte("4")) },
		`{"a":[1]}`:         func(e *Edit) { e.SetElems(arr, nil); e.SetElems(arr, []Item{{Ref: arr + 1}}) },
		`{"a":[1,2],"b":1}`: func(e *Edit) { e.Replace(0, []byte("3")); e.AddMember(0, "b", []byte("1")) },
		`7`:                 func(e *Edit) { e.RemoveMember(0, 1); e.Replace(0, []byte("7")) },
	} {
		var e Edit
		calls(&e)
		if got := string(e.Bytes(d)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestWrap: an element that holds the array it is to stand in is written as it was, once.
func TestWrap(t *testing.T) {
	d := mustParse(t, `{"content":"text", "a":[[1],[2]]}`)
	content, arr := d.Get(0, "content"), d.Get(0, "a")
	var e Edit
	e.SetElems(content, []Item{{Ref: content}, {Raw: []byte("1")}})
	e.SetElems(arr+1, []Item{{Ref: arr + 3}, {Ref: arr}})
	e.SetElems(arr+3, []Item{{Ref: arr + 1}})
	want := `{"content":["text",1], "a":[[[[1]],[[1],[[1]]]],[[[2],[[1],[2]]]]]}`
	if got := string(e.Bytes(d)); got != want || !json.Valid([]byte(got)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNoItem(t *testing.T) {
	d := mustParse(t, `[1]`)
	var e Edit
	e.SetElems(0, []Item{{Ref: None}})
	defer func() {
		if recover() == nil {
			t.Error("an element was lost without a word")
		}
	}()
	e.Bytes(d)
}

// TestFresh: what Bytes and Render return shares no memory with the source.
func TestFresh(t *testing.T) {
	d := mustParse(t, ` [1, "a"] `)
	var e Edit
	for range 2 {
		for _, got := range [][]byte{e.Bytes(d), e.Render(d, 0), e.Render(d, 2)} {
			clear(got[:cap(got)])
		}
		e.SetElems(0, []Item{{Ref: 1}, {Ref: 2}})
	}
	if string(d.Src()) != ` [1, "a"] ` {
		t.Errorf("the source became %q", d.Src())
	}
}

// TestManyEdits: work is in proportion to the text where there is an edit on every node, each in the other,
// and where one node has many.
func TestManyEdits(t *testing.T) {
	d, err := Parse(nested(MaxDepth, "[ "))
	if err != nil {
		t.Fatal(err)
	}
	var e Edit
	for r := d.Nodes() - 2; r >= 0; r-- {
		e.SetElems(r, []Item{{Ref: r + 1}, {Raw: []byte("1")}})
	}
	want := strings.Repeat("[ ", MaxDepth) + "0" + strings.Repeat(", 1]", MaxDepth)
	if got := string(e.Bytes(d)); got != want {
		t.Errorf("nested: got %d bytes, want %d", len(got), len(want))
	}

	const n = 200000
	d = mustParse(t, "{"+strings.Repeat(`"a":[],`, n)+`"b":[]}`)
	e.Reset()
	var keys []Ref
	for k := range d.Members(0) {
		keys = append(keys, k)
	}
	for i := range keys {
		k := keys[len(keys)-1-i]
		if i%2 == 0 && i > 0 {
			e.RemoveMember(0, k)
		} else {
			e.SetElems(k+1, []Item{{Raw: []byte("1")}})
		}
		if i%4 == 0 {
			e.AddMember(0, "c", []byte("2"))
		}
	}
	got := e.Bytes(d)
	if err := Valid(got); err != nil || bytes.Count(got, []byte("[1]")) != n/2+1 || bytes.Count(got, []byte(`"c":2`)) != n/4+1 || bytes.Contains(got, []byte("[]")) {
		t.Errorf("many members: %v, %d, %d", err, bytes.Count(got, []byte("[1]")), bytes.Count(got, []byte(`"c":2`)))
	}
}
