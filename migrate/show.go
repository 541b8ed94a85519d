package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// Show emits the messages of one history, each with its findings; with diff
// also what a repair would make of them. A ref of a record stands for all its
// histories. It is the one report that holds stored values.
func Show(ctx context.Context, path, ref string, diff bool, opts Options, emit func(Event)) Summary {
	opts.Only, opts.All = []string{ref}, true
	r, err := newRun(path, opts, emit)
	if err == nil {
		err = r.reading(ctx, path, func(*store.DB) error { return r.show(r.targets[0], diff) })
	}
	return r.close(ctx, err)
}

func (r *run) show(t target, diff bool) error {
	if t.isConv {
		return r.showRows(t, diff)
	}
	value, ok := r.view.Get(t.path, t.key)
	if !ok {
		return r.unknownTarget()
	}
	item := store.Item{Bucket: &store.Bucket{Path: t.path, Encoded: t.bucket, Depth: len(t.path)}, Key: t.key, Value: value}
	return store.Guard(func() error {
		s, _ := r.sieve(item)
		v := r.judge.value(value, s)
		hs, err := r.settle(item, v)
		if err != nil {
			return err
		}
		for _, h := range hs {
			e := r.event(item.Bucket, item.Key, h, false)
			r.tally(e)
			r.emit(e)
			r.showHistory(e, h, r.judge.textOf(value, h)[h.start:h.end], diff)
		}
		r.judgeScan()
		return r.unknownTarget()
	})
}

// showRows shows a conversation in rows.
func (r *run) showRows(t target, diff bool) error {
	b := &store.Bucket{Path: t.path, Encoded: t.bucket, Depth: len(t.path)}
	return store.Guard(func() error {
		err := r.judgeBucket(b, func(h *rowHistory) error {
			hs, _, err := r.provenRows(h)
			if err != nil {
				return err
			}
			for _, hist := range hs {
				rows, err := r.judge.read(r.view, h.conv)
				if err != nil {
					return err
				}
				e := r.rowEvent(h.conv, hist, false)
				r.report([]Event{e})
				r.showHistory(e, hist, assemble(r.listed(h.conv, rows)), diff)
			}
			return nil
		})
		if errors.Is(err, store.ErrNoBucket) {
			err = nil
		}
		r.judgeScan()
		return joined(err, r.unknownTarget())
	})
}

// showHistory emits the messages of one history, given as it is read.
func (r *run) showHistory(e *History, h history, text []byte, diff bool) {
	before := messageTexts(text)
	after := before
	if diff && h.result.JSON != nil {
		after = messageTexts(h.result.JSON)
	}
	for _, l := range lines(before, after) {
		m := &Message{
			Type: "message", Database: r.database, Ref: e.Ref,
			Message: l.index, Op: l.op, JSON: l.text, Findings: []Finding{},
		}
		for _, f := range e.Findings {
			if f.Message == l.index {
				m.Findings = append(m.Findings, f)
			}
		}
		r.emit(m)
	}
}

// messageTexts returns the text of each message of a history.
func messageTexts(history []byte) []json.RawMessage {
	d, err := jsonedit.Parse(history)
	if err != nil {
		return nil
	}
	var all []json.RawMessage
	for e := range d.Elems(0) {
		all = append(all, json.RawMessage(bytes.Clone(d.Raw(e))))
	}
	return all
}

// A line is a message in a comparison.
type line struct {
	op    string
	index int // in the history as read, -1 for a new one
	text  json.RawMessage
}

// lines compares two histories message by message: what they share in order
// stays. Long histories are compared from both ends inwards only, which finds
// the changes of a repair well enough where they are few.
func lines(before, after []json.RawMessage) []line {
	head := 0
	for head < len(before) && head < len(after) && bytes.Equal(before[head], after[head]) {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head &&
		bytes.Equal(before[len(before)-1-tail], after[len(after)-1-tail]) {
		tail++
	}
	var all []line
	for i, t := range before[:head] {
		all = append(all, line{" ", i, t})
	}
	all = append(all, middle(before[head:len(before)-tail], after[head:len(after)-tail], head)...)
	for i, t := range before[len(before)-tail:] {
		all = append(all, line{" ", len(before) - tail + i, t})
	}
	return all
}

// maxTable bounds the work of comparing the middle of two histories.
const maxTable = 4 << 20

// middle is the longest common subsequence of two lists that begin and end
// differently.
func middle(a, b []json.RawMessage, offset int) []line {
	var all []line
	if len(a)*len(b) > maxTable {
		for i, t := range a {
			all = append(all, line{"-", offset + i, t})
		}
		for _, t := range b {
			all = append(all, line{"+", -1, t})
		}
		return all
	}
	n := len(b) + 1
	length := make([]int32, (len(a)+1)*n)
	for i := range slices.Backward(a) {
		for k := range slices.Backward(b) {
			if bytes.Equal(a[i], b[k]) {
				length[i*n+k] = length[(i+1)*n+k+1] + 1
			} else {
				length[i*n+k] = max(length[(i+1)*n+k], length[i*n+k+1])
			}
		}
	}
	i, k := 0, 0
	for i < len(a) || k < len(b) {
		switch {
		case i < len(a) && k < len(b) && bytes.Equal(a[i], b[k]):
			all = append(all, line{" ", offset + i, a[i]})
			i, k = i+1, k+1
		case k == len(b) || i < len(a) && length[(i+1)*n+k] >= length[i*n+k+1]:
			all = append(all, line{"-", offset + i, a[i]})
			i++
		default:
			all = append(all, line{"+", -1, b[k]})
			k++
		}
	}
	return all
}
