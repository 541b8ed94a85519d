package migrate

import (
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
)

// Filter repairs histories that are no database's: src is a bare array of
// messages, or a value that holds some. It returns the repaired text, which
// is src itself if nothing changes, and a report of each history with
// findings, or of each where Options.All asks for it. It fails for a text that
// is no JSON and for one that holds no history. An empty array counts as one, of
// any dialect, wherever it lies: a repair may leave that of a history.
func Filter(src []byte, opts Options) ([]byte, []*History, error) {
	if err := jsonedit.Valid(src); err != nil {
		return nil, nil, err
	}
	j := judge{opts: &opts, named: true}
	v := j.value(src, sieve{all: true})
	if v.count == 0 {
		if isEmptied(src, opts) {
			return src, nil, nil
		}
		if len(opts.Dialects) > 0 {
			return nil, nil, usage("it holds no history of dialect %s", opts.Dialects[0])
		}
		return nil, nil, repair.ErrNotHistory
	}
	m := j.remake(src, v.histories)
	var reports []*History
	for _, h := range v.histories {
		if m.failed != "" && h.result.JSON != nil {
			h = unmade(h, m.failed)
		}
		e := describe(h, true)
		e.Ref = "#" + encodePointer(h.path)
		if len(e.Findings) > 0 || opts.All {
			reports = append(reports, e)
		}
	}
	if m.text == nil {
		return src, reports, nil
	}
	return m.text, reports, nil
}

// isEmptied reports whether a JSON text holds no history of any dialect, nothing
// that may be one, and an array without elements.
func isEmptied(src []byte, opts Options) bool {
	opts.Dialects = nil
	j := judge{opts: &opts, named: true}
	if v := j.value(src, sieve{all: true}); v.count > 0 || v.unrecognised != "" {
		return false
	}
	var p jsonedit.Parser
	d, err := p.Parse(src)
	if err != nil {
		return false
	}
	for r := jsonedit.Ref(0); r < d.Nodes(); r++ {
		if d.Kind(r) == jsonedit.Array && d.End(r) == r+1 {
			return true
		}
	}
	return false
}

// readAs returns the dialect that an array is read as where the user names
// those that it may be: the one that it looks like, or else the first that finds
// a call or a result in it. One with nothing to pair is of any. A database is
// read as it looks like and no other way.
func (j *judge) readAs(arr jsonedit.Ref, det repair.Detection, want []repair.Dialect) (dl repair.Dialect, ok bool) {
	if !j.named {
		return "", false
	}
	if slices.Contains(want, det.Dialect) {
		return det.Dialect, true
	}
	for _, dl := range want {
		if j.repair.Reads(arr, dl) > 0 {
			return dl, true
		}
	}
	return want[0], !det.Proven && (det.Dialect == "" || j.repair.Reads(arr, det.Dialect) == 0)
}
