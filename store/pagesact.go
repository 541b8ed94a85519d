package store

import (
	"bytes"

	"boltmend/store/page"
)

// act deals with what was found.
func (w *pageWalk) act(f found) error {
	w.came()
	l := &w.levels[f.level]
	for _, p := range f.faults {
		w.say(l, p, page.Error)
	}
	switch {
	case f.gone && f.level < w.base:
		w.over, w.lost = true, true
	case f.gone:
		for len(w.levels)-1 > f.level {
			w.pop()
		}
	case f.end:
		w.pop()
	default:
		l.rest = f.entries
	}
	return w.drain()
}

// drain deals with entries up to one that is a bucket to go into.
func (w *pageWalk) drain() error {
	l := &w.levels[len(w.levels)-1]
	for len(l.rest) > 0 {
		e := l.rest[0]
		l.rest = l.rest[1:]
		l.pos = position{e.Key, true}
		if e.IsBucket() {
			if w.shallow {
				continue
			}
			if in, err := w.into(l, e); in || err != nil {
				return err
			}
			continue
		}
		if l.info.Depth == 0 {
			w.say(l, problem{page.Fault{Kind: page.KindBucket, Detail: "a key of the top level that is no bucket"}, 0, e.Key, nil}, page.Error)
			continue
		}
		if err := w.fn(Item{l.info, e.Key, e.Value}); err != nil {
			return err
		}
	}
	l.rest = nil
	return nil
}

// into enters a bucket, unless it cannot be or is to be passed over.
func (w *pageWalk) into(l *level, e page.Entry) (in bool, err error) {
	root, seq, inline, fault := e.Bucket()
	if fault != nil {
		w.say(l, problem{*fault, 0, e.Key, nil}, page.Error)
		return false, nil
	}
	at := l.child(e.Key, seq)
	if w.paths+len(at.info.Encoded) > maxPaths || w.open > maxOpen {
		w.say(l, problem{page.Fault{Kind: page.KindTooDeep, Detail: "buckets are nested deeper than memory is meant for"}, root, e.Key, nil}, page.Error)
		return false, nil
	}
	if w.enter != nil {
		if err := w.enter(at.info); err != nil {
			if err == SkipBucket {
				err = nil
			}
			return false, err
		}
	}
	// The key would hold on to all that was read with it.
	l.pos.key = at.info.Path[at.info.Depth-1]
	if l.pos.key == nil {
		l.pos.key = bytes.Clone(e.Key)
	}
	w.push(level{chain: at, root: root, inline: inline})
	return true, nil
}

// say reports a problem of a bucket.
func (w *pageWalk) say(l *level, p problem, severity page.Severity) {
	if w.quiet {
		return
	}
	w.p.say(page.Problem{
		Page: p.page, Kind: p.Kind, Severity: severity, Bucket: shortened(l.info.Encoded),
		KeyFrom: encodeBound(p.lo), KeyTo: encodeBound(p.hi), Detail: p.Detail,
	})
}

// encodeBound encodes a key that bounds a range; none is no bound.
func encodeBound(key []byte) string {
	if len(key) == 0 {
		return ""
	}
	return EncodeName(key)
}

// shortened cuts the outer names of a path that a damaged file nests without
// end.
func shortened(path string) string {
	const most = 64 << 10
	if len(path) <= most {
		return path
	}
	return "…" + path[len(path)-most:]
}
