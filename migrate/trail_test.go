package migrate

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"boltmend/internal/jsonedit"
)

// valueAt follows a pointer as its definition says, of duplicate names to the
// one at which want lies.
func valueAt(d *jsonedit.Doc, pointer string, want jsonedit.Ref) bool {
	at := jsonedit.Ref(0)
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		next := jsonedit.None
		for key, value := range d.Members(at) {
			if d.Text(key) == token && value <= want && want < d.End(value) {
				next = value
			}
		}
		i := 0
		for e := range d.Elems(at) {
			if strconv.Itoa(i) == token {
				next = e
			}
			i++
		}
		at = next
	}
	return at == want
}

func TestTrail(t *testing.T) {
	const src = `{"a/b":[1,[],{"~":[[2,{"x":{}}]],"":3}],"":{"":{"\u0041":[0]}},"a/b":{"d":[4,5,{"e":[]}]},"z":[[[]]]}`
	d, err := jsonedit.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	values := []jsonedit.Ref{0}
	member := map[jsonedit.Ref]jsonedit.Ref{} // the name of a value
	box := map[jsonedit.Ref]jsonedit.Ref{}
	for r := jsonedit.Ref(0); r < d.Nodes(); r++ {
		for key, value := range d.Members(r) {
			values, member[value], box[value] = append(values, value), key, r
		}
		for e := range d.Elems(r) {
			values = append(values, e)
		}
	}
	var way trail
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 5000 {
		want := values[i%len(values)]
		if i > 2*len(values) {
			want = values[rng.IntN(len(values))]
		}
		if p := way.pointer(d, want); !valueAt(d, p, want) {
			t.Fatalf("value %d: %q", want, p)
		}
		in, name, ok := way.member(d, want)
		key, isMember := member[want]
		if ok != isMember || ok && (in != box[want] || name != key) {
			t.Fatalf("value %d: member %d of %d, %v", want, name, in, ok)
		}
	}
}
