package migrate

import (
	"iter"
	"strconv"
	"strings"

	"boltmend/internal/jsonedit"
)

// A trail finds where nodes of one document lie. It remembers where it was, so
// that nodes that are asked for in order cost one pass over the document and
// not one each. Its zero value is at the beginning.
type trail []step

// A step is a container on the way and how far the trail is in it.
type step struct {
	box   jsonedit.Ref
	child jsonedit.Ref // an element, or a key
	index int
}

// value is the child's value.
func (s *step) value(d *jsonedit.Doc) jsonedit.Ref {
	if d.Kind(s.box) == jsonedit.Object {
		return s.child + 1
	}
	return s.child
}

// walk goes to a value.
func (t *trail) walk(d *jsonedit.Doc, want jsonedit.Ref) {
	way := *t
	for len(way) > 0 {
		last := &way[len(way)-1]
		if last.box < want && want < d.End(last.box) {
			if want < last.child {
				last.child, last.index = last.box+1, 0
			}
			break
		}
		way = way[:len(way)-1]
	}
	if len(way) == 0 && want > 0 {
		way = append(way, step{box: 0, child: 1})
	}
	for len(way) > 0 {
		last := &way[len(way)-1]
		value := last.value(d)
		if value == want {
			break
		}
		if end := d.End(value); end <= want {
			last.child, last.index = end, last.index+1
			continue
		}
		way = append(way, step{box: value, child: value + 1})
	}
	*t = way
}

// pointer returns the RFC 6901 pointer of a value.
func (t *trail) pointer(d *jsonedit.Doc, want jsonedit.Ref) string {
	t.walk(d, want)
	var b strings.Builder
	for i := range *t {
		s := &(*t)[i]
		b.WriteByte('/')
		if s.value(d) == s.child {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(pointerEscapes.Replace(d.Text(s.child)))
		}
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// list is the innermost array around a value, None if there is none.
func (t *trail) list(d *jsonedit.Doc, want jsonedit.Ref) jsonedit.Ref {
	t.walk(d, want)
	for i := len(*t) - 1; i >= 0; i-- {
		if box := (*t)[i].box; d.Kind(box) == jsonedit.Array {
			return box
		}
	}
	return jsonedit.None
}

// member returns the object that a value is a member of, and its name there;
// not ok for what is no member.
func (t *trail) member(d *jsonedit.Doc, want jsonedit.Ref) (box, name jsonedit.Ref, ok bool) {
	t.walk(d, want)
	if len(*t) == 0 {
		return 0, 0, false
	}
	s := &(*t)[len(*t)-1]
	return s.box, s.child, s.child != want
}

// objects are the objects around a value, from the outside in.
func (t *trail) objects(d *jsonedit.Doc, want jsonedit.Ref) (all []jsonedit.Ref) {
	t.walk(d, want)
	for _, s := range *t {
		if d.Kind(s.box) == jsonedit.Object {
			all = append(all, s.box)
		}
	}
	return all
}

// maxBeside bounds the members that are looked at beside a history: there may
// be one history a member.
const maxBeside = 256

// membersOf are the first members of an object.
func membersOf(d *jsonedit.Doc, obj jsonedit.Ref) iter.Seq2[jsonedit.Ref, jsonedit.Ref] {
	return func(yield func(name, value jsonedit.Ref) bool) {
		n := 0
		for name, value := range d.Members(obj) {
			if n++; n > maxBeside || !yield(name, value) {
				return
			}
		}
	}
}
