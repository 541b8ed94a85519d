package migrate

import (
	"context"
	"fmt"

	"boltmend/internal/codec"
	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// Explain tells step by step how one record is seen: what was tried, what was
// found, and what was missing. It holds no stored value.
func Explain(ctx context.Context, path, ref string, opts Options, emit func(Event)) Summary {
	opts.Only, opts.All = []string{ref}, true
	r, err := newRun(path, opts, emit)
	if err == nil {
		err = r.reading(ctx, path, func(*store.DB) error { return r.why(r.targets[0]) })
	}
	return r.close(ctx, err)
}

func (r *run) why(t target) error {
	r.sum.Exit, r.sum.Verdict = exitDone, VerdictSound
	b := &store.Bucket{Path: t.path, Encoded: t.bucket, Depth: len(t.path)}
	say := func(step, format string, args ...any) {
		r.emit(&Why{Type: "why", Database: r.database, Ref: r.opts.Only[0], Step: step, Outcome: fmt.Sprintf(format, args...)})
	}
	if c := r.opts.fixed(b); c != nil {
		say("layout file", "the bucket is fixed as %s", c.Layout)
	}
	return store.Guard(func() error {
		if t.isConv {
			return r.whyRows(t, b, say)
		}
		value, ok := r.view.Get(t.path, t.key)
		if !ok {
			return r.unknownTarget()
		}
		r.targets[0].seen = true
		item := store.Item{Bucket: b, Key: t.key, Value: value}
		d := r.whyCodec(value, say)
		if d != nil {
			r.whyArrays(d, say)
		}
		v := r.judge.value(value, sieve{all: true})
		if v.row {
			say("row", "the value is one message: it is judged with the others of its bucket")
			return r.whyRows(t, b, say)
		}
		if v.unrecognised != "" {
			say("calls", "not judged: %s", v.unrecognised)
		}
		return r.whyHistories(item, v, say)
	})
}

// whyCodec tells what a value is wrapped in.
func (r *run) whyCodec(value []byte, say func(step, format string, args ...any)) *jsonedit.Doc {
	u, err := r.judge.codec.Unwrap(value, r.judge.codecOptions())
	name := u.String()
	if name == "" {
		name = "nothing"
	}
	switch {
	case err != nil:
		say("codec", "%d bytes, not opened: %v", len(value), err)
		return nil
	case u.Kind != codec.JSON:
		say("codec", "%d bytes, no JSON in any wrapping: %s %s", len(value), u.Kind, u.Format)
		return nil
	}
	_, d := r.judge.unwrapped(value)
	if d == nil {
		say("codec", "%d bytes, wrapped in %s, begin as JSON and are none", len(value), name)
		return nil
	}
	say("codec", "%d bytes, wrapped in %s; JSON of kind %s", len(value), name, d.Kind(0))
	if u.Sealed != "" {
		say("codec", "%s", u.Sealed)
	}
	return d
}

// maxWhy bounds the arrays that are told of.
const maxWhy = 100

// whyArrays tells what each array looks like.
func (r *run) whyArrays(d *jsonedit.Doc, say func(step, format string, args ...any)) {
	var t trail
	told := 0
	for at := jsonedit.Ref(0); at < d.Nodes() && told < maxWhy; {
		if d.Kind(at) != jsonedit.Array || d.End(at) == at+1 {
			at++
			continue
		}
		told++
		where := "#" + encodePointer(t.pointer(d, at))
		det, ok := repair.Detection{}, repair.LooksLikeHistory(d, at)
		if ok {
			det, ok = r.judge.repair.Detect(d, at)
		}
		switch {
		case !ok || det.Messages == 0 && det.Dialect == "":
			say("array", "%s: no element says by a role or a type that it is a message", where)
			at++
			continue
		case det.Dialect == "":
			say("array", "%s: %d messages, no call and no result in any dialect: nothing to pair", where, det.Messages)
			at++
			continue
		case det.Proven:
			say("array", "%s: %d messages, %s: its calls prove themselves, or it holds results", where, det.Messages, det.Dialect)
		default:
			say("array", "%s: %d messages, %s: it counts only if a value of the bucket holds a result", where, det.Messages, det.Dialect)
		}
		at = d.End(at)
	}
}

// whyHistories tells what was found in a document.
func (r *run) whyHistories(it store.Item, v verdict, say func(step, format string, args ...any)) error {
	hs, dropped, err := r.proven(it.Bucket, v.histories)
	if err != nil {
		return err
	}
	if len(dropped) > 0 {
		say("calls", "%d histories do not count: no value of the bucket holds a result that would prove what they hold", len(dropped))
	}
	if hs, err = r.apart(r.view, it.Bucket, it.Key, hs); err == nil {
		err = r.held(r.view, it, hs)
	}
	if err != nil {
		return err
	}
	for _, h := range hs {
		r.whyState(r.event(it.Bucket, it.Key, h, false), say)
	}
	return nil
}

func (r *run) whyState(e *History, say func(step, format string, args ...any)) {
	outcome := fmt.Sprintf("%s, %d messages, %d calls, %d results, %d findings: %s", e.Ref, e.Messages, e.Calls, e.Results, len(e.Findings), e.State)
	if e.Reason != "" {
		outcome += ", " + e.Reason
	}
	say("history", "%s", outcome)
}

// whyRows tells how the rows of a bucket are seen, and a conversation of them.
func (r *run) whyRows(t target, b *store.Bucket, say func(step, format string, args ...any)) error {
	r.described = func(_ *store.Bucket, l *layout, p *profile) {
		line := &Bucket{Keys: p.rows + p.others}
		line.describe(b, l, p)
		say("layout", "%s: %s", line.Layout, line.Evidence)
		if l.reason != "" {
			say("layout", "%s", l.reason)
		}
	}
	if !t.isConv {
		r.targets = nil
	}
	err := r.judgeBucket(b, func(h *rowHistory) error {
		if !t.isConv && contains(h.conv.strays, t.key) {
			say("row", "not judged: %s", isStray)
		}
		if !t.isConv && !contains(h.conv.keys, t.key) {
			return nil
		}
		hs, dropped, err := r.provenRows(h)
		if len(dropped) > 0 {
			say("calls", "it does not count: no row of the bucket holds a result that would prove what it holds")
		}
		for _, hist := range hs {
			r.whyState(r.rowEvent(h.conv, hist, false), say)
		}
		return err
	})
	if err == store.ErrNoBucket {
		err = nil
	}
	return joined(err, r.unknownTarget())
}

func contains(keys [][]byte, key []byte) bool {
	for _, k := range keys {
		if string(k) == string(key) {
			return true
		}
	}
	return false
}
