package migrate

import (
	"slices"
	"strconv"
	"strings"

	"boltmend/internal/jsonedit"
)

// Apps keep the number of messages beside them, or in a row of its own. Such a
// number follows a repair, but only if it was right before: what merely looks
// like one, as the number of turns, stays.

// counts are new texts for the numbers in the objects around the array arr that
// say how many elements it has, once it has n.
func counts(d *jsonedit.Doc, around []jsonedit.Ref, arr jsonedit.Ref, n int) (parts []part) {
	old := 0
	for range d.Elems(arr) {
		old++
	}
	if old == n {
		return nil
	}
	name := ""
	if arr > 0 && d.Kind(arr-1) == jsonedit.String {
		name = d.Text(arr - 1)
	}
	for i, obj := range around {
		for key, value := range membersOf(d, obj) {
			if isCount(d.Text(key), name, i == len(around)-1) && says(d, value, old) {
				start, end := d.Span(value)
				parts = append(parts, part{span{start, end}, strconv.AppendInt(nil, int64(n), 10)})
			}
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return a.start - b.start })
	return parts
}

// says reports whether a value is a number.
func says(d *jsonedit.Doc, r jsonedit.Ref, n int) bool {
	return d.Kind(r) == jsonedit.Number && string(d.Raw(r)) == strconv.Itoa(n)
}

// isCount reports whether a member's name is one for the number of elements of
// an array of a name, which lies in the same object or deeper.
func isCount(name, array string, beside bool) bool {
	name, array = fold([]byte(name)), fold([]byte(array))
	if beside && (name == "count" || name == "length") {
		return true
	}
	for _, what := range []string{"message", "messages", "msg", "msgs", array, strings.TrimSuffix(array, "s")} {
		if what == "" {
			continue
		}
		for _, form := range []string{what + "count", what + "scount", "num" + what, "n" + what, "total" + what, what + "total"} {
			if name == form {
				return true
			}
		}
	}
	return false
}
