package repair

import (
	"bytes"
	"iter"
	"slices"

	"boltmend/internal/jsonedit"
)

// A Judge judges histories one after the other and reuses its memory. It is
// what History, Check and Cut are made of, for callers within this module that
// have parsed the document already. A Judge serves one goroutine.
type Judge struct {
	reader  reader
	planner planner
	ids     idSet
	elems   []jsonedit.Ref
	// Of the array that Detect saw last: what it looks like, and if it was
	// proven to be plain, how. Then the reader does not hold it.
	found   Detection
	plain   proof
	proven  bool
	planned bool // the planner has paired the thread
	second  review
	inner   *Judge // reads what is repaired for the review
	// thorough plans a sound history too: Cut needs to know the exchanges.
	thorough bool
}

// Detect says what an array looks like; ok is false if it holds no message.
func (j *Judge) Detect(d *jsonedit.Doc, arr jsonedit.Ref) (det Detection, ok bool) {
	j.reader.doc = d
	j.proven = false
	if !j.thorough {
		if j.plain, j.found, j.proven = j.reader.plainly(arr); j.proven {
			return j.found, true
		}
	}
	if !j.open(arr) {
		return Detection{}, false
	}
	j.found = j.reader.detect()
	return j.found, true
}

// open gives an array to the reader. It reports false if it holds no message.
func (j *Judge) open(arr jsonedit.Ref) bool {
	j.elems = elements(j.reader.doc, arr, j.elems[:0])
	return j.reader.open(j.reader.doc, j.elems)
}

// unprove gives a history that was proven to be plain to the reader after all.
func (j *Judge) unprove(arr jsonedit.Ref) {
	if j.proven {
		j.proven = false
		j.open(arr)
	}
}

// History judges the array arr of a document. JSON is nil if nothing changes.
func (j *Judge) History(d *jsonedit.Doc, arr jsonedit.Ref, opts *Options) (Result, error) {
	if _, ok := j.Detect(d, arr); !ok {
		return Result{}, ErrNotHistory
	}
	return j.Opened(arr, opts)
}

// Reads counts the calls and results that a dialect reads in the array that
// Detect saw last, whatever it looks like.
func (j *Judge) Reads(arr jsonedit.Ref, name Dialect) (n int) {
	j.unprove(arr)
	t := j.read(name)
	if name == AISDKUI {
		for i := range j.reader.sources {
			n += aiSDKUI{}.vote(&j.reader, &j.reader.sources[i]).votes()
		}
	}
	return n + len(t.calls) + len(t.results) + len(t.servers)
}

// Opened judges the array that Detect saw last.
func (j *Judge) Opened(arr jsonedit.Ref, opts *Options) (Result, error) {
	j.reader.opts = opts
	name := opts.Dialect
	if err := opts.check(); err != nil {
		return Result{}, err
	}
	if j.proven && opts.Target == "" && (name == "" || name == j.found.Dialect) {
		return Result{Dialect: j.found.Dialect, Messages: j.found.Messages, Calls: j.plain.calls, Results: j.plain.results}, nil
	}
	j.unprove(arr)
	if name == "" {
		name = j.found.Dialect
	}
	res := Result{Dialect: name, Messages: len(j.reader.sources)}
	if name == "" {
		j.read("") // messages, but no call and no result: nothing to pair
		return j.review(arr, res, "")
	}
	dl, err := lookup(name)
	if err != nil {
		return Result{}, err
	}
	res, locked := j.pair(arr, dl, res)
	return j.review(arr, res, locked)
}

// pair makes calls and results pair. locked says why nothing of the history
// may be changed, "" if it may.
func (j *Judge) pair(arr jsonedit.Ref, dl dialect, res Result) (_ Result, locked string) {
	rd := &j.reader
	if ui, ok := dl.(aiSDKUI); ok {
		j.read(AISDKUI)
		return j.states(ui, arr, res), ""
	}
	if paths, forked := rd.paths(); forked {
		res = j.forked(dl, paths, res)
		return res, res.Reason
	}
	t := j.read(res.Dialect)
	res.count(t)
	res.Unread = rd.unread || j.found.Mixed
	if !j.thorough && t.sound(&j.ids) {
		return res, ""
	}
	j.plan()
	res.Findings = j.report(true)
	if len(res.Findings) == 0 {
		return res, ""
	}
	if why := j.doubts(); why != "" {
		return res.reportOnly(why)
	}
	if slices.ContainsFunc(res.Findings, func(f Finding) bool { return !f.Fixed }) {
		res.Reason = "what a screen or a shell would have said cannot be made up"
	}
	w := writer{rd: rd, t: t, p: &j.planner, opts: rd.opts, dl: dl}
	text := w.write(arr)
	if rd.linked && w.relinks {
		// The link of a new message, or past one that goes, cannot be known.
		return res.reportOnly(linkedReason)
	}
	res.JSON, res.Order, res.changed = text, w.order, text != nil
	for i := range t.calls {
		if t.calls[i].answer {
			res.Made++
		}
	}
	res.Removed = w.removed
	return res, ""
}

const linkedReason = "messages are linked to the one before them (parent links)"

// reportOnly is a result of which nothing is fixed.
func (r Result) reportOnly(why string) (Result, string) {
	for i := range r.Findings {
		r.Findings[i].Fixed = false
	}
	r.Reason = why
	return r, why
}

// states judges a history whose calls and results are one object each.
func (j *Judge) states(ui aiSDKUI, arr jsonedit.Ref, res Result) Result {
	u := ui.repairStates(&j.reader)
	res.Findings, res.Removed = u.found, u.removed
	res.Calls, res.Results, res.Made = u.calls, u.results, u.made
	if len(u.dropped) > 0 {
		var items []jsonedit.Item
		for i, s := range j.reader.sources {
			if u.dropped[i] {
				res.Removed = append(res.Removed, Removed{Kind: "message", Code: MissingResult, Message: i, Text: bytes.Clone(j.reader.doc.Raw(s.node))})
			} else {
				items = append(items, jsonedit.Item{Ref: s.node})
			}
		}
		u.edit.SetElems(arr, items)
		res.Order = j.reader.order(items)
	}
	if !u.edit.Empty() {
		res.JSON, res.changed = u.edit.Render(j.reader.doc, arr), true
	}
	return res
}

// count counts what the history holds, with what the provider runs itself.
func (r *Result) count(t *thread) {
	r.Calls, r.Results = len(t.calls), len(t.results)
	for i := range t.servers {
		if t.servers[i].isResult {
			r.Results++
		} else {
			r.Calls++
		}
	}
}

// report gives the planner's findings to the outside.
func (j *Judge) report(fixed bool) []Finding {
	t := &j.reader.thread
	all := make([]Finding, 0, len(j.planner.findings))
	for _, f := range j.planner.findings {
		out := Finding{Code: f.code, Message: int(f.message), Fixed: fixed, IDs: []string{""}}
		switch {
		case f.call != none:
			out.Fixed = fixed && !(f.code == MissingResult && t.calls[f.call].reportOnly)
			out.IDs[0], out.Name = string(t.calls[f.call].id), string(t.calls[f.call].name)
		case f.result != none:
			r := &t.results[f.result]
			out.IDs[0], out.Name = string(r.id), string(r.name)
			if out.Name == "" && r.owner != none {
				out.Name = string(t.calls[r.owner].name)
			}
		case f.server != none:
			out.IDs[0] = string(t.servers[f.server].id)
		}
		all = append(all, out)
	}
	return all
}

// Holds reports whether the history judged last has a call or a result of an
// id.
func (j *Judge) Holds(id string) bool {
	if j.proven { // each result has the id of its call
		for call := range j.plain.ids {
			if call == id {
				return true
			}
		}
		return false
	}
	t := &j.reader.thread
	for i := range t.calls {
		if string(t.calls[i].id) == id {
			return true
		}
	}
	for i := range t.results {
		if string(t.results[i].id) == id {
			return true
		}
	}
	return false
}

// CallIDs yields the ids of the calls of the history judged last, in order.
func (j *Judge) CallIDs() iter.Seq[string] {
	if j.proven {
		return j.plain.ids
	}
	return func(yield func(string) bool) {
		for i := range j.reader.thread.calls {
			if !yield(string(j.reader.thread.calls[i].id)) {
				return
			}
		}
	}
}

// ResultIDs yields the ids of the results of the history judged last, in order.
func (j *Judge) ResultIDs() iter.Seq[string] {
	if j.proven {
		return j.plain.ids // each call has one
	}
	return func(yield func(string) bool) {
		for i := range j.reader.thread.results {
			if !yield(string(j.reader.thread.results[i].id)) {
				return
			}
		}
	}
}

// CallingMessages counts the messages of the history judged last that call.
func (j *Judge) CallingMessages() (n int) {
	if j.proven {
		return j.plain.callers
	}
	last := int32(none)
	for i := range j.reader.thread.calls {
		if m := j.reader.thread.calls[i].message; m != last {
			last = m
			n++
		}
	}
	return n
}
