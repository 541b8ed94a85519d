package migrate

import (
	"maps"
	"slices"
	"strings"

	"boltmend/internal/jsonedit"
)

// Some apps keep a log for the screen beside the messages that they send. It
// may look like messages, and name the same calls, but nobody sends it, and
// what it leaves out was left out on purpose.

// An array is one that was judged to be a history.
type array struct {
	ref            jsonedit.Ref
	calls, results int
	history        int          // in the verdict's, -1 for one that it does not list
	name           jsonedit.Ref // of the member that it is, once it is grouped
}

// pairs reports whether it has a call or a result.
func (a array) pairs() bool { return a.calls+a.results > 0 }

// maxGroup bounds the arrays beside one another of which each is compared with
// each. More are no messages and their log.
const maxGroup = 64

// groups puts the arrays together that are members of one object.
func groups(d *jsonedit.Doc, arrays []array) map[jsonedit.Ref][]array {
	var t trail
	all := make(map[jsonedit.Ref][]array)
	for _, a := range arrays {
		box, name, ok := t.member(d, a.ref)
		if ok {
			a.name = name
			all[box] = append(all[box], a)
		}
	}
	maps.DeleteFunc(all, func(_ jsonedit.Ref, group []array) bool { return len(group) < 2 || len(group) > maxGroup })
	return all
}

// dropDisplays takes the histories back that are logs for display: the ones of
// a text, of which the verdict lists those from first on.
func (j *judge) dropDisplays(d *jsonedit.Doc, arrays []array, first int, v *verdict) {
	if len(arrays) < 2 || len(v.histories) == first {
		return
	}
	drop := make(map[int]bool)
	for _, i := range besideChat(d, arrays, v) {
		drop[i] = true // it still counts, as any chat without a call
	}
	for _, group := range groups(d, arrays) {
		for _, a := range group {
			if a.history >= 0 && a.calls > 0 && slices.ContainsFunc(group, func(b array) bool { return j.isDisplay(d, a, b) }) {
				drop[a.history] = true
				v.count--
			}
		}
	}
	if len(drop) == 0 {
		return
	}
	kept := v.histories[:0]
	for i, h := range v.histories {
		if !drop[i] {
			kept = append(kept, h)
		}
	}
	v.histories = kept
}

// besideChat returns the histories that have no call and results that name none, where
// an array of another name is a history too: they may be what the app notes
// beside it.
func besideChat(d *jsonedit.Doc, arrays []array, v *verdict) (all []int) {
	lone := func(a array) bool { return a.history >= 0 && v.histories[a.history].isLone() }
	if !slices.ContainsFunc(arrays, lone) {
		return nil
	}
	var t trail
	names := make([]string, len(arrays))
	differ := false
	for i, a := range arrays {
		if _, name, ok := t.member(d, a.ref); ok {
			names[i] = d.Text(name)
		}
		differ = differ || names[i] != names[0]
	}
	for _, a := range arrays {
		if lone(a) && differ {
			all = append(all, a.history)
		}
	}
	return all
}

// isDisplay reports whether a is a log for display of the messages b beside
// it. Either its name says so, while theirs does not; then it is one unless it
// has results of its own, of calls that are all others. Or several messages of
// it call, also what they call, and it has no result while they do. One that is
// cut off behind its first call is a copy.
//
// That all its calls are theirs is too much to ask: a repair may have removed
// some of theirs, or renamed them, and must not make a history of the log.
func (j *judge) isDisplay(d *jsonedit.Doc, a, b array) bool {
	if a.ref == b.ref {
		return false
	}
	named := namesDisplay(d.Text(a.name)) && !namesDisplay(d.Text(b.name))
	switch {
	case named && a.results == 0:
		return true
	case !named && (a.results > 0 || b.results == 0):
		return false
	}
	others := j.callIDs(d, b.ref)
	ids := j.callIDs(d, a.ref)
	if !named && j.repair.CallingMessages() < 2 {
		return false
	}
	delete(ids, "")
	if len(ids) == 0 {
		return named && b.calls > 0
	}
	for id := range ids {
		if others[id] {
			return true
		}
	}
	return false
}

func (j *judge) callIDs(d *jsonedit.Doc, arr jsonedit.Ref) map[string]bool {
	ids := make(map[string]bool)
	if _, ok := j.repair.Detect(d, arr); !ok {
		return ids
	}
	if _, err := j.repair.Opened(arr, &j.opts.Repair); err != nil {
		return ids
	}
	for id := range j.repair.CallIDs() {
		ids[id] = true
	}
	return ids
}

// namesDisplay reports whether a name is one for what a screen shows.
func namesDisplay(name string) bool {
	name = fold([]byte(name))
	for _, part := range []string{"log", "display", "view", "render", "timeline", "segments", "replay", "transcript"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasPrefix(name, "ui")
}
