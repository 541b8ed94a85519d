package migrate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"boltmend/store"
)

// Inspect reports what lies where: an event a bucket, in the order in which a
// walk enters them, and never a value.
func Inspect(ctx context.Context, path string, opts Options, emit func(Event)) Summary {
	opts.All = true
	r, err := newRun(path, opts, emit)
	if err == nil {
		err = r.reading(ctx, path, func(*store.DB) error { return r.inspect(ctx) })
	}
	return r.close(ctx, err)
}

// A tree holds the line of each bucket. The walk enters buckets while their
// values are being judged.
type tree struct {
	mu    sync.Mutex
	lines map[*store.Bucket]*Bucket
	order []*Bucket
	path  []*Bucket // the buckets that the walk is in
}

func (t *tree) enter(database string, b *store.Bucket) {
	line := &Bucket{
		Type: "bucket", Database: database, Bucket: encodedNames(b), Ref: b.Encoded, Dialects: []string{},
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.path = append(t.path[:b.Depth-1], line)
	if b.Depth > 1 {
		t.path[b.Depth-2].Buckets++
	}
	t.lines[b] = line
	t.order = append(t.order, line)
}

func (t *tree) line(b *store.Bucket) *Bucket {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lines[b]
}

// inspect collects a line for each bucket, also for an empty one, and then
// says them in order.
func (r *run) inspect(ctx context.Context) error {
	t := tree{lines: make(map[*store.Bucket]*Bucket)}
	r.entered = func(b *store.Bucket) { t.enter(r.database, b) }
	say := r.emit
	var notes []Event
	r.emit = func(e Event) {
		if _, ok := e.(*Note); ok && len(notes) < maxPending {
			notes = append(notes, e)
		}
	}
	r.described = func(b *store.Bucket, l *layout, p *profile) { t.line(b).describe(b, l, p) }
	r.onRows = func(h *rowHistory) error {
		l := t.line(h.conv.bucket)
		l.Histories += len(h.verdict.histories)
		for _, hist := range h.verdict.histories {
			r.tally(r.rowEvent(h.conv, hist, false))
			l.dialect(hist)
		}
		return nil
	}
	err := r.walk(ctx, r.source, func(it store.Item, v verdict) error {
		hs, err := r.settle(it, v)
		r.addTo(t.line(it.Bucket), it, v, hs)
		return err
	})
	if err == nil {
		err = r.leaveAll()
	}
	r.emit = say
	if err != nil {
		return err
	}
	for _, l := range t.order {
		l.explain()
		r.emit(l)
	}
	for _, n := range notes {
		r.emit(n)
	}
	r.advise()
	r.judgeScan()
	r.sum.Exit = exitDone
	return r.unknownTarget()
}

// addTo counts a value in the line of its bucket.
func (r *run) addTo(l *Bucket, it store.Item, v verdict, hs []history) {
	l.Keys++
	l.Bytes += int64(len(it.Value))
	l.Histories += len(hs)
	switch {
	case v.broken, v.row:
	case v.unreadable != "":
		l.Unreadable++
	case v.unrecognised != "":
		l.Unrecognised++
	}
	if v.isJSON {
		l.json++
	}
	if name := v.codecName(); name != "" && !slices.Contains(l.codecs, name) {
		l.codecs = append(l.codecs, name)
	}
	for _, h := range hs {
		r.tally(r.event(it.Bucket, it.Key, h, false))
		l.dialect(h)
	}
}

func (l *Bucket) dialect(h history) {
	if dl := string(h.result.Dialect); dl != "" && !slices.Contains(l.Dialects, dl) {
		l.Dialects = append(l.Dialects, dl)
	}
}

// describe takes in how the rows of a bucket make up conversations.
func (l *Bucket) describe(b *store.Bucket, how *layout, p *profile) {
	if how.doubt != unknownOrder { // or the line would say that the keys are the order
		l.How = how.choice(b)
	}
	l.Layout, l.rows, l.Reason = how.kind, p.rows, how.reason
	l.Evidence = "values that are a message each: " + strconv.Itoa(p.rows) + " of " + strconv.Itoa(l.Keys) +
		", keys " + how.form.String()
	switch {
	case how.kind == rowsComposite:
		l.Evidence += " behind the conversation"
	case how.sep.text != "":
		l.Evidence += " behind what all begin with"
	}
	for _, part := range [][2]string{{"message in member ", how.wrap}, {"conversation in member ", how.conv}, {"order by member ", how.order}} {
		if part[1] != "" {
			l.Evidence += ", " + part[0] + store.EncodeName([]byte(part[1]))
		}
	}
	if how.index != nil {
		l.Evidence += ", order in bucket " + how.index.choice()
	}
}

// explain says what the counts of a bucket amount to.
func (l *Bucket) explain() {
	slices.Sort(l.Dialects)
	slices.Sort(l.codecs)
	l.Codec = strings.Join(l.codecs, " ")
	if l.Codec == "" && l.Keys > 0 {
		l.Codec = "raw"
	}
	switch {
	case l.rows > 0 && l.Histories > 0: // described already
	case l.Histories > 0:
		l.Layout = document
		l.How = &BucketLayout{Bucket: l.Ref, Layout: document}
		l.Evidence = fmt.Sprintf("arrays of messages: %d, in %d JSON values of %d", l.Histories, l.json, l.Keys)
	case l.Unrecognised > 0:
		l.Reason = "values mention tool calls and were not understood"
	case l.json > 0:
		l.Reason = "JSON without messages"
	case l.Keys > 0:
		l.Reason = "no JSON"
	default:
		l.Reason = "no values"
	}
}
