package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
)

// A judge judges values one after the other and reuses its memory. It serves
// one goroutine.
type judge struct {
	opts   *Options
	plans  bool // make the new texts too
	parser jsonedit.Parser
	repair repair.Judge
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
	// isJSON: it is a JSON object or array.
	isJSON bool
	// broken: it begins as JSON and is none. That is a fault only in a bucket
	// of histories.
	broken bool
	// made is what a repair makes of the value, without its text; planning
	// wants it.
	made made
}

// A history is one array of messages of a value.
type history struct {
	path       string // RFC 6901 pointer
	start, end int    // its span in the value
	proven     bool
	result     repair.Result
}

// A sieve says which histories of a value count.
type sieve struct {
	paths []string // "#" and the pointers that --only names; none is all
	whole bool     // the record is named too
	all   bool     // list sound histories too
}

// value judges one value. The verdict shares no memory with it but in
// Findings' own copies.
func (j *judge) value(raw []byte, s sieve) (v verdict) {
	text := bytes.TrimLeft(raw, " \t\r\n")
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return v
	}
	doc, err := j.parser.Parse(raw)
	if err != nil {
		v.unreadable = reason(err)
		v.broken = errors.As(err, new(*jsonedit.SyntaxError))
		return v
	}
	v.isJSON = true
	j.document(doc, s, &v)
	return v
}

func reason(err error) string {
	var bad *jsonedit.SyntaxError
	if errors.As(err, &bad) {
		return fmt.Sprintf("begins as JSON and is none: %v", err)
	}
	return err.Error()
}

// document finds the arrays of messages at any path. What is no history is
// searched on; what mentions calls outside of one is noted.
func (j *judge) document(d *jsonedit.Doc, s sieve, v *verdict) {
	var mentioned string
	judged := false
	for r := jsonedit.Ref(0); r < d.Nodes(); {
		switch {
		case d.Kind(r) == jsonedit.Array && repair.LooksLikeHistory(d, r):
			det, ok := j.repair.Detect(d, r)
			if !ok || det.Messages == 0 && det.Dialect == "" {
				break
			}
			j.history(d, r, det, s, v)
			if det.Dialect != "" {
				judged = true
				r = d.End(r)
				continue
			}
		case d.Kind(r) == jsonedit.Object && mentioned == "":
			mentioned = mention(d, r)
		}
		r++
	}
	if mentioned != "" && !judged {
		v.unrecognised = mentioned
	}
}

// history judges one array of messages.
func (j *judge) history(d *jsonedit.Doc, arr jsonedit.Ref, det repair.Detection, s sieve, v *verdict) {
	path := ""
	if len(s.paths) > 0 {
		path = pointer(d, arr)
		name := "#" + encodePointer(path)
		if !s.whole && !slices.Contains(s.paths, name) {
			return
		}
		v.named = append(v.named, name)
	}
	if want := j.opts.Dialects; len(want) > 0 && !slices.Contains(want, det.Dialect) {
		return
	}
	if det.Proven {
		v.results = append(v.results, det.Dialect)
	}
	res, err := j.repair.Opened(arr, &j.opts.Repair)
	if err != nil {
		v.unreadable = err.Error()
		return
	}
	if !j.wanted(d, arr) {
		return
	}
	v.count++
	if res.Unread && len(res.Findings) == 0 && v.unrecognised == "" {
		v.unrecognised = "a conversation with calls that were not understood"
	}
	if len(res.Findings) == 0 && !s.all {
		return
	}
	if path == "" {
		path = pointer(d, arr)
	}
	start, end := d.Span(arr)
	v.histories = append(v.histories, history{path, start, end, det.Proven, res})
}

// wanted reports whether the history judged last has one of the ids asked for.
func (j *judge) wanted(d *jsonedit.Doc, arr jsonedit.Ref) bool {
	for _, id := range j.opts.IDs {
		if j.repair.Holds(id) {
			return true
		}
	}
	return len(j.opts.IDs) == 0
}
