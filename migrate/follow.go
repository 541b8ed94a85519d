package migrate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"boltmend/repair"
	"boltmend/store"
)

// A repair that follows a plan plans for itself first, as any repair. Of what
// comes out it writes what stands in the plan with the same hashes: so it never
// writes what a repair now would not, and nothing that was not looked at.

// A refID is a short name of a ref, for a plan may have many.
type refID [16]byte

func idOf(ref string) refID {
	sum := sha256.Sum256([]byte(ref))
	return refID(sum[:16])
}

// planned is a record of a plan, by its ref.
type planned struct {
	old, new digest
	met      bool    // it is among the records that the repair would change
	rows     *digest // of its rows as they are, if it has any
}

// A follower follows a plan.
type follower struct {
	plan    *store.Plan
	records map[refID]*planned
	// held are entries that are not written, and why.
	held map[*entry]string
	// stale are refs of the plan that are neither as it found them nor as it
	// would leave them, and that the repair would not change.
	stale []string
}

// Why an entry is not written.
const (
	notAsPlanned = "it is not what the plan was made on; plan again"
	notPlanned   = "it is not in the plan; plan again"
)

// readPlan reads the plan to follow, if there is one, before any database is
// opened.
func (r *run) readPlan() error {
	if r.opts.Plan == "" {
		return nil
	}
	p, err := store.ReadPlan(r.opts.Plan)
	if err != nil {
		return err
	}
	f := &follower{plan: p, records: make(map[refID]*planned, p.Records)}
	r.follow = f
	if other := otherOptions(p.Header.Options, planOptions(&r.opts)); len(other) > 0 {
		return usage("%s: the plan was made with other flags (%s); give those that it was made with", r.opts.Plan, strings.Join(other, ", "))
	}
	for rec, err := range p.All() {
		if err != nil {
			return err
		}
		id := idOf(rec.Ref)
		if f.records[id] != nil {
			return usage("%s: the plan has the record %s twice; make a new one", r.opts.Plan, store.EncodeName([]byte(rec.Ref)))
		}
		f.records[id] = &planned{old: rec.Old, new: rec.New}
	}
	return nil
}

// closePlan closes the plan that was followed.
func (r *run) closePlan() {
	if r.follow != nil {
		r.follow.plan.Close() // it was only read
	}
}

// planFor plans, and holds what the plan that is followed does not have.
func (r *run) planFor(ctx context.Context) error {
	f := r.follow
	if f == nil {
		return r.plan(ctx)
	}
	f.held, f.stale = make(map[*entry]string), nil
	for _, p := range f.records {
		p.met, p.rows = false, nil
	}
	if err := r.plan(ctx); err != nil {
		return err
	}
	for i := range r.entries {
		e := &r.entries[i]
		if !e.changes {
			continue
		}
		p := f.records[idOf(e.ref())]
		switch {
		case p == nil:
			f.held[e] = notPlanned
		case p.old != e.old || p.new != e.new:
			f.held[e], p.met = notAsPlanned, true
		default:
			p.met = true
			continue
		}
		e.changes = false
		r.need.Records--
	}
	return r.unmet(ctx)
}

// unmet looks for records of the plan that the repair would not change: those
// that are as planned already are done, the others are stale.
func (r *run) unmet(ctx context.Context) error {
	for rec, err := range r.follow.plan.All() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		p := r.follow.records[idOf(rec.Ref)]
		if p == nil || p.met {
			continue
		}
		now, ok, err := r.recordNow(rec.Ref, p)
		if err != nil {
			return err
		}
		if !ok || now != p.new {
			r.follow.stale = append(r.follow.stale, rec.Ref)
		}
	}
	return nil
}

// sees notes the rows of a conversation that the plan has: of one that is sound
// nothing else is kept.
func (f *follower) sees(c *conversation, rows []row) {
	if f == nil {
		return
	}
	if p := f.records[idOf(c.ref())]; p != nil {
		d := digestRows(slices.Clone(rows))
		p.rows = &d
	}
}

// recordNow is the hash of a record of the plan as it is stored.
func (r *run) recordNow(ref string, p *planned) (d digest, ok bool, err error) {
	t, bad := parseRef(ref)
	switch {
	case p.rows != nil:
		return *p.rows, true, nil
	case bad != nil || t.within != "" || t.isConv:
		return d, false, nil
	}
	err = store.Guard(func() error {
		var value []byte
		if value, ok = r.view.Get(t.path, t.key); ok {
			d = digestOf(value)
		}
		return r.view.Err()
	})
	return d, ok, err
}

// allowed takes the new text from an entry that is held.
func (r *run) allowed(e *entry, m made) made {
	if r.follow == nil || r.follow.held[e] == "" || len(m.rows) == 0 {
		return m
	}
	return made{old: m.old, done: true, failed: r.follow.held[e]}
}

// followed says of the histories of an entry that is held what became of them.
func (r *run) followed(e *entry, events []Event) []Event {
	if r.follow == nil || r.follow.held[e] == "" {
		return events
	}
	for _, ev := range events {
		if h, ok := ev.(*History); ok && h.Reason == r.follow.held[e] {
			h.State = Left
			if h.Reason == notAsPlanned {
				h.State = Stale
			}
		}
	}
	return events
}

// reportUnmet reports the records of the plan that are left, but for those that
// were reported with their histories.
func (r *run) reportUnmet() {
	if r.follow == nil {
		return
	}
	for _, ref := range r.follow.stale {
		r.left++
		h := &History{
			Type: "history", Database: r.database, Ref: ref, Bucket: []string{},
			Findings: []Finding{}, State: Stale, Reason: notAsPlanned,
		}
		if t, err := parseRef(ref); err == nil {
			h.Bucket, h.Key = strings.Split(t.bucket, "/"), store.EncodeName(t.key)
			if t.isConv {
				h.Key, h.Conversation = "", h.Key
			}
		}
		r.emit(h)
	}
}

// planOptions are the options that decide what a repair would write, for a
// plan: all of the repair's own, and those that narrow.
func planOptions(o *Options) map[string]string {
	own := o.Repair
	if own.OnMissing == "" {
		own.OnMissing = repair.Answer
	}
	if own.Marker == "" {
		own.Marker = repair.DefaultMarker
	}
	all := map[string]string{}
	// Each field by itself, so that a difference can be named.
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(asJSON(own), &fields); err != nil {
		panic("migrate: options that are no JSON object: " + err.Error())
	}
	for name, value := range fields {
		if string(value) == "null" {
			value = []byte("[]")
		}
		all[flagName(name)] = string(value)
	}
	all["layout"] = string(asJSON(digestOf(asJSON(append([]BucketLayout{}, o.Layouts...))).String()))
	all["rows"] = string(asJSON(o.ShiftRows))
	all["bucket"] = string(asJSON(append([]string{}, o.Buckets...)))
	all["only"] = string(asJSON(append([]string{}, o.Only...)))
	all["id"] = string(asJSON(append([]string{}, o.IDs...)))
	max := o.MaxValue
	if max == 0 {
		max = DefaultMaxValue
	}
	all["max-value"] = string(asJSON(max))
	all["dialect"] = string(asJSON(append([]repair.Dialect{}, o.Dialects...)))
	return all
}

func asJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("migrate: options that are no JSON: " + err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

// flagName is the name of the flag for a field: KeepTail is keep-tail.
func flagName(field string) string {
	var b strings.Builder
	for i, c := range field {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteString(strings.ToLower(string(c)))
	}
	return b.String()
}

// otherOptions names the options that differ.
func otherOptions(a, b map[string]string) (names []string) {
	for _, m := range []map[string]string{a, b} {
		for name := range m {
			if a[name] != b[name] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
