package repair

import "boltmend/internal/jsonedit"

// Cut shortens a history to at most n messages without parting a call from
// its result: it returns the longest suffix of at most n messages that begins
// at no result and inside no exchange. Leading system messages stay and do not
// count. A last exchange of more than n messages stays whole.
//
// It fails with [ErrPoisoned] for a history that has a pairing or arguments
// finding, and like [History] for a text that is none.
func Cut(src []byte, n int, opts Options) ([]byte, error) {
	doc, err := parse(src)
	if err != nil {
		return nil, err
	}
	j := Judge{thorough: true}
	res, err := j.History(doc, 0, &opts)
	if err != nil {
		return nil, err
	}
	if len(res.Findings) > 0 {
		return nil, ErrPoisoned
	}
	head, from := j.cut(res.Dialect, n)
	var items []jsonedit.Item
	for i, s := range j.reader.sources {
		if i < head || i >= from {
			items = append(items, jsonedit.Item{Ref: s.node})
		}
	}
	var edit jsonedit.Edit
	edit.SetElems(0, items)
	return edit.Bytes(doc), nil
}

// cut returns how many leading system messages there are and the message at
// which the suffix begins.
func (j *Judge) cut(dl Dialect, n int) (head, from int) {
	rd := &j.reader
	end := len(rd.sources)
	for head < end && rd.sources[head].role == systemRole {
		head++
	}
	inside := j.inside(dl)
	for from = head; inside[from] || end-from > n; from++ {
		if from == end {
			return head, end
		}
	}
	if from == end && j.endsIn(dl, inside) {
		for from--; from > head && inside[from]; from-- {
		}
	}
	return head, from
}

// inside says of each message whether an exchange that began before it goes on
// at it.
func (j *Judge) inside(dl Dialect) []bool {
	in := make([]bool, len(j.reader.sources)+1)
	if dl == "" {
		return in
	}
	t := &j.reader.thread
	last := make([]int32, len(in)) // by turn: the last message of its exchange
	for i := range t.results {
		if r := &t.results[i]; r.owner != none {
			c := t.calls[r.owner].message
			last[c] = max(last[c], r.message)
		}
	}
	for i := range t.messages {
		if with := t.messages[i].with; with != none {
			last[with] = max(last[with], int32(i))
		}
	}
	until := none
	for i := range t.messages {
		in[i] = int32(i) <= until || t.messages[i].results.len() > 0
		until = max(until, last[i])
	}
	if t.rules.runs() {
		t.insideRuns(in)
	}
	return in
}

// insideRuns marks what stands within a turn, where that is a run of items.
func (t *thread) insideRuns(in []bool) {
	start, calls := int(none), false
	for i := range t.messages {
		switch m := &t.messages[i]; {
		case m.aside:
			continue
		case m.role != roleAssistant:
			start, calls = int(none), false
			continue
		case start == int(none):
			start = i
		}
		if calls = calls || t.isTurn(&t.messages[i]); calls {
			for ; start < i; start++ {
				in[start+1] = true
			}
		}
	}
}

// endsIn reports whether the history ends in an exchange.
func (j *Judge) endsIn(dl Dialect, inside []bool) bool {
	t := &j.reader.thread
	n := len(t.messages)
	return dl != "" && n > 0 && (inside[n-1] || t.isTurn(&t.messages[n-1]))
}
