package migrate

import (
	"strings"

	"boltmend/internal/jsonedit"
)

// Some values are guarded or made by something else: a digest over their bytes,
// the log that a cache was built from, the types of a framework's state. A
// repair of them would be refused by the app, undone, or break it.

// derived says why an array is not to be written, by what lies around it and what
// its messages have; "" if it may be.
func derived(d *jsonedit.Doc, around []jsonedit.Ref, arr jsonedit.Ref) string {
	var g guard
	for _, obj := range around {
		if name := g.in(d, obj, arr, true); name != "" { // what holds the array is looked at by itself
			return "a digest lies beside it (" + name + "), which a repair would break"
		}
		for key, value := range membersOf(d, obj) {
			if d.Kind(value) != jsonedit.Number {
				continue
			}
			if f := fold(d.Inner(key)); f == "logoffset" || f == "generation" || f == "storagegeneration" {
				return "this is a cache that the app builds from a log (" + d.Text(key) + "): delete the cache, or let it be rebuilt"
			}
		}
		if isTyped(d, obj) {
			return "this is typed state of a framework, which only the framework can write"
		}
	}
	n := 0
	for e := range d.Elems(arr) {
		if name := g.in(d, e, jsonedit.None, false); name != "" {
			return "a message carries a digest (" + name + "), which a repair would break"
		}
		if n++; n == digestSample {
			break
		}
	}
	sum := sums{texts: func() [][]byte { return [][]byte{d.Raw(arr)} }}
	start, end := d.Span(arr)
	if src := d.Src(); sum.in(src[max(0, start-maxHeld):start]) || sum.in(src[end:]) {
		return "a digest lies beside it, which a repair would break"
	}
	return ""
}

// digestSample is how many messages or rows are looked at for digests, where all
// have one or none.
const digestSample = 8

func inside(d *jsonedit.Doc, r, outer jsonedit.Ref) bool { return outer <= r && r < d.End(outer) }

// isTyped reports whether an object is an envelope of a type and a value.
func isTyped(d *jsonedit.Doc, obj jsonedit.Ref) bool {
	var typ, value bool
	n := 0
	for key, v := range membersOf(d, obj) {
		n++
		switch name := d.Text(key); name {
		case "Type", "$type", "@type", "__type", "@class", "_type":
			typ = typ || d.Kind(v) == jsonedit.String && strings.ContainsAny(d.Text(v), ".*[]:/") || d.Kind(v) == jsonedit.Object
		case "Value", "$value", "value", "JSONValue", "MapValues", "SliceValues", "data", "Data":
			value = true
		}
	}
	return typ && value && n <= 4
}
