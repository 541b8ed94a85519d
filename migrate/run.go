package migrate

import (
	"context"
	"hash/maphash"
	"path"
	"strings"

	"boltmend/store"
)

// A run is one migration over one database.
type run struct {
	opts     Options
	database string
	emit     func(Event)
	sum      Summary

	// The plan: what is reported, and what has to be written.
	plans   bool
	entries []entry
	need    store.Need
	judge   judge // the collector's own
	left    int   // records that were stale
	follow  *follower
	warned  int // how many warnings of the database were passed on
	refused int // histories with a finding that is no lint

	targets  []target
	view     *store.View // of the planning
	source   source      // the view, or what takes its place; for evidence
	known    map[evidenceKey]bool
	prefixes map[prefixKey]bool
	entered  func(*store.Bucket) // told of each bucket of the walk
	asked    *store.Bucket       // the bucket that taken is about, for the producer
	taken    bool
	states   []*bucketState // of the buckets that the walk is in
	// onRows takes a judged conversation in rows; described, if set, is told
	// the layout of each bucket of rows.
	onRows    func(*rowHistory) error
	described func(*store.Bucket, *layout, *profile)
	unlisted  func(*Note) // told of rows that no index lists, while judging
	ends      *ends
	sides     map[string]side            // ids of buckets that have only calls or results
	top       map[string]bool            // names of top-level buckets
	beside    map[string][]*store.Bucket // buckets by the path that they lie in
	lists     map[string][]*list         // of the rows of buckets
	spellings map[string]keyForm         // of counters, by where their buckets lie
	traits    map[string]trait
	libraries map[string]string // what keeps indexes of the rows of buckets
	restless  int               // conversations that were written to without pause

	phase       string
	done, total int64
}

// newRun begins the report of a run.
func newRun(database string, opts Options, emit func(Event)) (*run, error) {
	r := &run{
		opts: opts, database: database, emit: emit, ends: newEnds(),
		known: make(map[evidenceKey]bool), prefixes: make(map[prefixKey]bool), sides: make(map[string]side),
		top: make(map[string]bool), beside: make(map[string][]*store.Bucket), lists: make(map[string][]*list),
		spellings: make(map[string]keyForm), traits: make(map[string]trait), libraries: make(map[string]string),
	}
	r.sum = Summary{Type: "summary", Database: database, Findings: map[string]int{}, DryRun: opts.DryRun, Live: opts.Live}
	r.judge.opts, r.judge.seed = &r.opts, maphash.MakeSeed()
	for _, ref := range opts.Only {
		t, err := parseRef(ref)
		if err != nil {
			return r, usage("%s: not a ref: %v; `boltmend scan` prints refs", ref, err)
		}
		r.targets = append(r.targets, t)
	}
	for _, glob := range opts.Buckets {
		if _, err := path.Match(strings.ReplaceAll(glob, "**", "*"), ""); err != nil {
			return r, usage("%s: not a pattern: write * for any name, ** for any path", glob)
		}
	}
	return r, nil
}

// sieve says whether a value counts, and which of its histories. It is asked
// by the producer.
func (r *run) sieve(it store.Item) (s sieve, want bool) {
	s.all = r.opts.All
	if it.Bucket != r.asked {
		r.asked, r.taken = it.Bucket, r.inBucket(it.Bucket)
		choice := r.opts.fixed(it.Bucket)
		r.taken = r.taken && (choice == nil || choice.Layout != layoutNone)
	}
	if !r.taken || len(r.targets) == 0 {
		return s, r.taken
	}
	for i := range r.targets {
		if t := &r.targets[i]; t.names(it) {
			want = true
			s.whole = s.whole || t.within == ""
			s.paths = append(s.paths, t.within)
		}
	}
	return s, want
}

// names reports whether a target is about a value: the value itself, or a row
// of the conversation.
func (t *target) names(it store.Item) bool {
	return t.bucket == it.Bucket.Encoded && (t.isConv || string(t.key) == string(it.Key))
}

// sieveRows says whether a conversation in rows counts.
func (r *run) sieveRows(c *conversation) (s sieve, want bool) {
	s.all = r.opts.All
	if len(r.targets) == 0 {
		return s, r.inBucket(c.bucket)
	}
	for i := range r.targets {
		t := &r.targets[i]
		if t.isConv && t.bucket == c.bucket.Encoded && string(t.key) == string(c.id) && (t.within == "" || t.within == "#") {
			t.seen, want = true, true
		}
	}
	return s, want
}

// enter skips a bucket that no wanted record can be in.
func (r *run) enter(b *store.Bucket) error {
	if r.entered != nil {
		r.entered(b)
	}
	r.sawTop(b)
	for i := range r.targets {
		if t := r.targets[i].bucket; t == b.Encoded || strings.HasPrefix(t, b.Encoded+"/") {
			return nil
		}
	}
	if len(r.targets) > 0 {
		return store.SkipBucket
	}
	return nil
}

// inBucket reports whether the globs, if any, take a bucket.
func (r *run) inBucket(b *store.Bucket) bool {
	for _, glob := range r.opts.Buckets {
		if matchPath(glob, b.Encoded) {
			return true
		}
	}
	return len(r.opts.Buckets) == 0
}

// matchPath matches a glob over an encoded bucket path: * stays within a
// name, ** crosses.
func matchPath(glob, name string) bool {
	before, after, crosses := strings.Cut(glob, "**")
	if !crosses {
		ok, err := path.Match(glob, name)
		return err == nil && ok
	}
	for i := 0; i <= len(name); i++ {
		ok, err := path.Match(before, name[:i])
		if err != nil || !ok {
			continue
		}
		for k := i; k <= len(name); k++ {
			if matchPath(after, name[k:]) {
				return true
			}
		}
	}
	return false
}

// unknownTarget returns an error for a ref that named nothing.
func (r *run) unknownTarget() error {
	for i := range r.targets {
		if !r.targets[i].seen {
			return usage("%s: no such record or history; `boltmend scan --all` lists them", r.opts.Only[i])
		}
	}
	return nil
}

// progress tells how far the phase is.
func (r *run) progress(n int64) {
	r.done += n
	if r.opts.Progress != nil {
		r.opts.Progress(r.phase, min(r.done, r.total), r.total)
	}
}

// begin begins a phase.
func (r *run) begin(phase string, total int64) { r.phase, r.done, r.total = phase, 0, total }

// close ends the report: an error line if there is one, and the summary.
func (r *run) close(ctx context.Context, err error) Summary {
	if err != nil {
		r.fail(ctx, err)
	}
	r.emit(&r.sum)
	return r.sum
}
