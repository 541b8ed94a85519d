package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"

	"boltmend/internal/codec"
	"boltmend/internal/jsonedit"
	"boltmend/repair"
)

// A judge judges values one after the other and reuses its memory. It serves
// one goroutine.
type judge struct {
	opts  *Options
	plans bool // make the new texts too
	// keepPrefix: the bytes in front of the value are known to be no checksum.
	keepPrefix bool
	listens    bool // some row mentions calls: say which conversation does, if they are not proven
	named      bool // the dialects that are asked for are what the user says it is
	codec      codec.Codec
	parsers    [codec.MaxDepth + 1]jsonedit.Parser // one for each text around another
	repair     repair.Judge
	arrays     []array     // of the text being judged
	turn       *sync.Mutex // held while it judges a large value
	seed       maphash.Seed
	known      map[uint64][]piece // of values, by hash
}

// A verdict is what a value holds.
type verdict struct {
	// histories are those worth a word: with findings, or with calls that are
	// not proven to be calls, or all of them where all are asked for.
	histories []history
	// count counts all histories.
	count int
	// named are those of the sieve's paths that were found.
	named []string
	// results are the dialects of which the value holds a result.
	results []repair.Dialect
	// unreadable and unrecognised are reasons, "" for a value that is
	// neither.
	unreadable   string
	unrecognised string
	// mentioned is what rows say of calls that are not proven to be some.
	mentioned string
	// isJSON: it is a JSON object or array, or holds one; codec is what that
	// is wrapped in, and format what other bytes are.
	isJSON bool
	codec  string
	format string
	// broken: it begins as JSON, or as something compressed, and is none. That
	// is a fault only in a bucket of histories.
	broken bool
	// brokenJSON: it is, and begins as JSON.
	brokenJSON bool
	// sealed says why the value could not be wrapped again unless others in
	// its bucket begin with the same prefix.
	sealed string
	prefix []byte
	// row: the value itself looks like a message.
	row bool
	// made is what a repair makes of the value, without its text; planning
	// wants it.
	made made
}

// A history is one array of messages of a value.
type history struct {
	path       string // RFC 6901 pointer; of a text in a string, behind that of the string
	within     []span // the strings around it, from the outside in, each in the text of the one before
	start, end int    // its span in the innermost text
	codec      string
	proven     bool
	result     repair.Result
	counts     []part // numbers beside it that follow its length
	elements   int
	left       bool // it could be repaired with other options
}

type span struct{ start, end int }

// A sieve says which histories of a value count.
type sieve struct {
	paths []string // "#" and the pointers that --only names; none is all
	whole bool     // the record is named too
	all   bool     // list sound histories too
}

// A textAround is a JSON text that is judged: a value's, or one in a string.
type textAround struct {
	path   string
	within []span
	codec  string
	depth  int   // layers around it
	left   int64 // bytes that may still be made of it
	trail  trail
}

// value judges one value. The verdict shares no memory with it but in
// Findings' own copies.
func (j *judge) value(raw []byte, s sieve) (v verdict) {
	u, err := j.codec.Unwrap(raw, j.codecOptions())
	if err != nil {
		v.unreadable = err.Error()
		return v
	}
	if u.Kind != codec.JSON {
		j.other(&u, &v)
		return v
	}
	doc, err := j.parsers[0].Parse(u.Text)
	if err != nil {
		if doc = j.retry(&u, &v); doc == nil && !j.isUTF16(&u, &v) {
			v.cannotRead(err)
		}
		if doc == nil {
			return v
		}
	}
	v.codec, v.sealed = u.String(), u.Sealed
	if v.sealed != "" {
		v.prefix = bytes.Clone(u.Prefix())
	}
	t := textAround{codec: v.codec, depth: u.Depth(), left: j.maxValue()}
	j.document(doc, t, s, &v)
	return v
}

// cannotRead notes why a value that begins as JSON could not be read, if
// nothing better is known of it.
func (v *verdict) cannotRead(err error) {
	if v.format != "" || v.unreadable != "" {
		return
	}
	v.unreadable = err.Error()
	if v.broken = errors.As(err, new(*jsonedit.SyntaxError)); v.broken {
		v.brokenJSON = true
		v.unreadable = fmt.Sprintf("begins as JSON and is none: %v", err)
	}
}

// document finds the arrays of messages at any path. What is no history is
// searched on, strings that hold a text too, but for what a message says: that
// may well quote a history, and is none. What mentions calls outside of a
// history is noted.
func (j *judge) document(d *jsonedit.Doc, t textAround, s sieve, v *verdict) {
	before := len(j.arrays)
	first := len(v.histories)
	kind := d.Kind(0)
	v.isJSON = v.isJSON || kind == jsonedit.Array || kind == jsonedit.Object
	var m mentions
	judged := false
	row, said := jsonedit.None, jsonedit.None // said: what is quoted ends there
	if len(t.within) == 0 {
		if row = rowMessage(d); row != jsonedit.None {
			said = d.End(row)
		}
	}
	for r := jsonedit.Ref(0); r < d.Nodes(); {
		switch d.Kind(r) {
		case jsonedit.Array:
			if row != jsonedit.None && isSaid(d, row, r) || !repair.LooksLikeHistory(d, r) {
				break
			}
			det, ok := j.repair.Detect(d, r)
			if !ok || det.Messages == 0 && det.Dialect == "" {
				break
			}
			said = max(said, d.End(r))
			known := len(j.arrays)
			j.history(d, r, det, &t, s, v)
			if det.Dialect != "" || slices.ContainsFunc(j.arrays[known:], array.pairs) {
				judged = true
				r = d.End(r)
				continue
			}
		case jsonedit.Object:
			m.hear(d, r)
		case jsonedit.String:
			if r >= said && r != row-1 {
				j.inString(d, r, &t, s, v)
			}
		}
		r++
	}
	j.dropDisplays(d, j.arrays[before:], first, v)
	j.arrays = j.arrays[:before]
	v.row = v.row || row != jsonedit.None && v.count == 0
	if v.unrecognised == "" {
		v.unrecognised = m.unjudged(judged)
	}
}

// history judges one array of messages.
func (j *judge) history(d *jsonedit.Doc, arr jsonedit.Ref, det repair.Detection, t *textAround, s sieve, v *verdict) {
	path := ""
	if len(s.paths) > 0 {
		path = t.path + t.trail.pointer(d, arr)
		name := "#" + encodePointer(path)
		if !s.whole && !slices.Contains(s.paths, name) {
			return
		}
		v.named = append(v.named, name)
	}
	how := &j.opts.Repair
	if want := j.opts.Dialects; len(want) > 0 {
		switch dl, ok := j.readAs(arr, det, want); {
		case ok:
			as := *how
			as.Dialect, how = dl, &as
		case !slices.Contains(want, det.Dialect):
			return
		}
	}
	if det.Proven {
		v.results = append(v.results, det.Dialect)
	}
	res, err := j.repair.Opened(arr, how)
	if err != nil {
		v.unreadable = err.Error()
		return
	}
	if !j.wanted() || res.Dialect == repair.OpenAIResponses && chained(d, &t.trail, arr, res) {
		return
	}
	v.count++
	j.arrays = append(j.arrays, array{ref: arr, calls: res.Calls, results: res.Results, history: -1})
	if res.Unread && !slices.ContainsFunc(res.Findings, isFault) && v.unrecognised == "" {
		v.unrecognised = "a conversation with calls that were not understood"
	}
	if len(res.Findings) == 0 && !s.all {
		return
	}
	if path == "" {
		path = t.path + t.trail.pointer(d, arr)
	}
	j.arrays[len(j.arrays)-1].history = len(v.histories)
	start, end := d.Span(arr)
	h := history{path: path, within: t.within, start: start, end: end, codec: t.codec, proven: det.Proven, result: res}
	if res.JSON != nil && res.Order != nil {
		for range d.Elems(arr) {
			h.elements++
		}
		h.counts = counts(d, t.trail.objects(d, arr), arr, len(res.Order))
	}
	if h.result.JSON != nil {
		if why := derived(d, t.trail.objects(d, arr), arr); why != "" {
			h = unmade(h, why)
			h.result.JSON = nil
		}
	}
	v.histories = append(v.histories, h)
}

// wanted reports whether the history judged last has one of the ids asked for.
func (j *judge) wanted() bool {
	for _, id := range j.opts.IDs {
		if j.repair.Holds(id) {
			return true
		}
	}
	return len(j.opts.IDs) == 0
}
