package migrate

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"boltmend/store"
)

// planIsNew makes sure, before anything is done, that the plan to save has a
// new name.
func (r *run) planIsNew() error {
	if r.opts.SavePlan == "" {
		return nil
	}
	if _, err := os.Lstat(r.opts.SavePlan); !errors.Is(err, fs.ErrNotExist) {
		return usage("%s: there is a file of this name; name a new one", r.opts.SavePlan)
	}
	return nil
}

// savePlan writes what a repair would change into a file, for a repair to
// follow.
func (r *run) savePlan(ctx context.Context, id store.Identity) error {
	if r.opts.SavePlan == "" {
		return nil
	}
	p, err := store.CreatePlan(r.opts.SavePlan, id, planOptions(&r.opts))
	if err != nil {
		return err
	}
	for i := range r.entries {
		e := &r.entries[i]
		if !e.changes {
			continue
		}
		if err := ctx.Err(); err != nil {
			p.Discard()
			return err
		}
		if err := p.Add(store.PlanRecord{Ref: e.ref(), Old: e.old, New: e.new}); err != nil {
			return err
		}
	}
	r.sum.Plan, err = p.Close()
	return err
}
