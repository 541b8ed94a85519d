package migrate

import (
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
)

// With the Responses API an app may send no more than what is new, and name the
// response that it goes on from. What it stores of one request is a link of a
// chain: the output of a response holds calls whose results are in the input of
// the next.

// chained reports whether an array is a link of such a chain that is as it
// should be: one that lacks results only, or calls only.
func chained(d *jsonedit.Doc, t *trail, arr jsonedit.Ref, res repair.Result) bool {
	if len(res.Findings) == 0 {
		return false
	}
	name := ""
	if _, key, ok := t.member(d, arr); ok {
		name = fold([]byte(d.Text(key)))
	}
	around := t.objects(d, arr)
	if len(around) == 0 {
		return false
	}
	lacks := func(code repair.Code) bool {
		return !slices.ContainsFunc(res.Findings, func(f repair.Finding) bool { return isFault(f) && f.Code != code })
	}
	box := around[len(around)-1]
	switch name {
	case "output":
		response := d.Is(d.Get(box, "object"), "response") || d.Kind(d.Get(box, "input")) == jsonedit.Array || goesOn(d, around)
		return response && res.Results == 0 && lacks(repair.MissingResult) && !goesBack(d, arr)
	case "input":
		return goesOn(d, around) && lacks(repair.OrphanResult)
	}
	return false
}

// goesBack reports whether the user speaks in an array: no response holds that.
func goesBack(d *jsonedit.Doc, arr jsonedit.Ref) bool {
	for e := range d.Elems(arr) {
		if d.Kind(e) == jsonedit.Object && d.Is(d.Get(e, "role"), "user") {
			return true
		}
	}
	return false
}

// goesOn reports whether one of some objects names an earlier response.
func goesOn(d *jsonedit.Doc, around []jsonedit.Ref) bool {
	return slices.ContainsFunc(around, func(obj jsonedit.Ref) bool {
		r := d.Get(obj, "previous_response_id")
		return d.Kind(r) == jsonedit.String && d.Text(r) != ""
	})
}
