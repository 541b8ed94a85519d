package repair

import (
	"cmp"
	"slices"

	"boltmend/internal/jsonedit"
)

// A review looks at a history once more when its calls and results pair: for
// what a certain provider refuses (Options.Target), and for what is no fault of
// pairing (lint). Nearly all histories have neither, and then it allocates
// nothing. It changes only what the options ask for, and nothing at all where
// the repair before it could change nothing.
type review struct {
	rd      *reader
	t       *thread
	judge   *Judge
	first   *Judge // of the history as first read
	opts    *Options
	dl      dialect // nil for a history without calls
	dialect Dialect
	spoken  Dialect // whose roles it has
	to      *provider
	names   nameRule
	rules   contentRules
	// order is where the messages come from, if the repair before moved any.
	order []int
	// locked says why nothing may be changed, "" if it may.
	locked string

	found   []Finding
	reason  string
	edit    jsonedit.Edit
	removed []Removed
	gone    map[int32]bool
	tools   map[string]string // by name as it is taken: the one name stored for it, or ""

	empty []int32 // messages that say nothing
	// Of anthropic: messages with thinking that is signed and has no text, and
	// whether some other thinking has one.
	blanked    []int32
	hasThought bool
	lastRole   []role  // by branch
	last       []int32 // messages, by branch
	firstCalls []int32 // the calls as first read that are left
}

// review looks at the history as the repair leaves it and puts what it finds
// and changes into the result.
func (j *Judge) review(arr jsonedit.Ref, res Result, locked string) (Result, error) {
	on := j
	if res.changed {
		if on = j.reread(res); on == nil {
			return res, nil // nothing is left
		}
		arr = 0
	}
	v := &j.second
	v.reset(j, on, res, locked)
	v.to, _ = v.opts.provider()
	v.names, v.rules, v.spoken = v.nameRule(), v.contentRules(), v.speaks()
	v.look(arr)
	if len(v.found) == 0 {
		return res, nil
	}
	return v.result(arr, res), nil
}

// reread reads a repaired history, nil if no message is left in it.
func (j *Judge) reread(res Result) *Judge {
	doc, err := jsonedit.Parse(res.JSON)
	if err != nil {
		panic("repair: the repaired history is no JSON: " + err.Error())
	}
	if j.inner == nil {
		j.inner = new(Judge)
	}
	in := j.inner
	in.elems = elements(doc, 0, in.elems[:0])
	if !in.reader.open(doc, in.elems) {
		return nil
	}
	in.reader.opts = j.reader.opts
	in.read(res.Dialect)
	return in
}

func (v *review) reset(first, on *Judge, res Result, locked string) {
	*v = review{
		rd: &on.reader, t: &on.reader.thread, judge: on, first: first, opts: on.reader.opts,
		dialect: res.Dialect, order: res.Order, locked: locked,
		found: v.found[:0], empty: v.empty[:0], blanked: v.blanked[:0], lastRole: v.lastRole[:0], last: v.last[:0], firstCalls: v.firstCalls[:0],
	}
	v.dl, _ = lookup(res.Dialect)
}

// look finds what there is to find.
func (v *review) look(arr jsonedit.Ref) {
	for i := range v.t.messages {
		m := &v.t.messages[i]
		if m.aside {
			continue
		}
		v.content(int32(i), m, &v.rd.sources[i])
		for c := m.calls.lo; c < m.calls.hi; c++ {
			v.toolName(c)
		}
	}
	v.emptyMessages()
	v.surrogates(arr)
	v.unansweredServers()
	v.reasoning()
	v.roles()
	if v.dialect == AISDKUI {
		v.uiParts()
	}
	if v.to != nil {
		v.ids()
	}
}

// find notes a finding. wanted says that it is to be changed; whether it can
// be is for the caller to see to first.
func (v *review) find(code Code, message int32, id []byte, name string, fixed bool) {
	v.found = append(v.found, Finding{
		Code: code, Message: v.origin(message), IDs: []string{string(id)}, Name: name, Fixed: fixed,
	})
}

// may reports whether findings of a lint code in a message are to be changed
// and can be.
func (v *review) may(code Code, message int32) bool {
	return v.opts.fixes(code) && v.changes(message)
}

// changes reports whether a message may be changed. If not, it says why.
func (v *review) changes(message int32) bool {
	switch {
	case v.locked != "":
		v.because(v.locked)
		return false
	case v.opts.KeepTail && v.inTail(message):
		v.because("the last exchange is left alone")
		return false
	}
	return true
}

// because notes why something is left.
func (v *review) because(why string) {
	if v.reason == "" {
		v.reason = why
	}
}

// origin is where a message stood when the history was first read.
func (v *review) origin(message int32) int {
	if v.order == nil {
		return int(message)
	}
	return v.order[message]
}

// remove notes a text that leaves the history.
func (v *review) remove(kind string, code Code, message int32, id []byte, node jsonedit.Ref) {
	v.removed = append(v.removed, Removed{
		Kind: kind, Code: code, Message: v.origin(message), ID: string(id),
		Text: slices.Clone(v.rd.doc.Raw(node)),
	})
}

// result adds what was found, and changed, to the result of the repair.
func (v *review) result(arr jsonedit.Ref, res Result) Result {
	res.Findings = append(res.Findings, v.found...)
	slices.SortStableFunc(res.Findings, func(a, b Finding) int { return cmp.Compare(a.Message, b.Message) })
	if res.Reason == "" {
		res.Reason = v.reason
	}
	if len(v.gone) > 0 {
		res.Order = v.leaveOut(arr, res.Order)
	}
	if v.edit.Empty() {
		return res
	}
	res.JSON, res.changed = v.edit.Render(v.rd.doc, arr), true
	res.Removed = append(res.Removed, v.removed...)
	slices.SortStableFunc(res.Removed, func(a, b Removed) int { return cmp.Compare(a.Message, b.Message) })
	return res
}

// leaveOut takes the messages that are gone out of the history, and returns
// where the others come from.
func (v *review) leaveOut(arr jsonedit.Ref, order []int) []int {
	var items []jsonedit.Item
	kept := []int{}
	for i := range v.rd.sources {
		if v.gone[int32(i)] {
			continue
		}
		items = append(items, jsonedit.Item{Ref: v.rd.sources[i].node})
		kept = append(kept, v.origin(int32(i)))
	}
	v.edit.SetElems(arr, items)
	return kept
}
