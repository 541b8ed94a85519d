package migrate

import "slices"

// A parting is how one separator parts the keys of rows, given in key order.
type parting struct {
	n      int // keys
	places keyStats
	// first and last are what stands in front of the place in the first key and
	// in the newest one; several: it is not the same in all, repeats: it is the
	// same in two that follow one another.
	first, last      string
	several, repeats bool
	// fronts are what stands in front, or the times that it ends with, as long as
	// nothing repeats; inner: something stands before those times.
	fronts keyStats
	inner  bool
}

func (a *parting) add(sep separator, key []byte) {
	a.n++
	front, place, ok := sep.split(key)
	if !ok {
		return
	}
	if a.places.n == 0 {
		a.first = string(front)
	} else {
		a.several = a.several || a.first != string(front)
		a.repeats = a.repeats || a.last == string(front)
	}
	a.places.add(place)
	if a.repeats {
		return
	}
	a.last = string(front)
	if at := (separator{tail: rfc3339}).tailAt(front); at > 0 {
		front, a.inner = front[at:], true
	}
	a.fronts.add(front)
}

// form is the form of the places, opaque if not all keys have one.
func (a *parting) form(sep separator) keyForm {
	form := a.places.form()
	if a.places.n < a.n || sep.fixed > 0 && form != be64 {
		return opaque
	}
	return form
}

// fewRows is how many rows may well be of as many conversations.
const fewRows = 2

// differs reports whether each key has something else in front.
func (a *parting) differs() bool { return !a.repeats && a.n > fewRows }

// inFront reports whether what stands in front is the place rather than the name
// of a conversation: each key has its own, a time, or a number before what is
// none.
func (a *parting) inFront() bool {
	form := a.fronts.form()
	return a.differs() && (form == rfc3339 || form.isNumber() && !a.places.form().isNumber())
}

// composite finds the separator of keys that name the conversation too.
func (p *profile) composite(l *layout) {
	for i, sep := range separators {
		a := &p.parts[i]
		form := a.form(sep)
		switch {
		case form == opaque:
			continue
		case a.inFront():
			l.ranked = !a.inner
			return
		case sep.tail != opaque && a.differs():
			continue // it may be conversation, number and time
		}
		l.kind, l.sep, l.form, l.named = rowsComposite, sep, form, a.several
		if l.conv = p.conversation(); !a.several && l.conv != "" && !p.fields[l.conv].constant {
			l.kind = rowsField // what stands in front of all keys names no conversation
		} else {
			l.conv = ""
		}
		return
	}
}

// places are what the places of rows have in common.
func (p *profile) places(l *layout) *keyStats {
	if i := slices.Index(separators, l.sep); i >= 0 {
		return &p.parts[i].places
	}
	return &p.whole
}
