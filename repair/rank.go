package repair

import (
	"bytes"
	"slices"

	"boltmend/internal/jsonedit"
)

// placeholders are texts that other programs store for a result that never
// came. They count only as the whole text of a result, never as a part of it.
var placeholders = []string{
	"No result provided",
	"aborted",
	"Tool call interrupted before completion. The conversation was paused.",
	"[migration] Tool result missing in legacy conversation history.",
	"Tool execution was interrupted before completion.",
	"Context condensation triggered. Tool execution deferred.",
	"[Tool execution was interrupted]",
	"Tool execution aborted",
	"Tool canceled by user",
	"Tool cancelled",
	"No tool output",
	"[Result unavailable - see context summary above]",
	"The tool call was interrupted before a result was produced.",
	"[Tool execution was interrupted or lost]",
}

// marker is the text of a made-up result.
func (o *Options) marker() string {
	switch o.Marker {
	case "":
		return DefaultMarker
	case "en":
		return EnglishMarker
	}
	return o.Marker
}

// rankAll says of each result how good it is.
func (rd *reader) rankAll() {
	for i := range rd.results {
		r := &rd.thread.results[i]
		if r.rank = rd.rank(&rd.results[i]); r.inline {
			r.rank = rankInline
		}
	}
}

// rank says how good one result is. A pending status makes it a stand-in
// whatever it says.
func (rd *reader) rank(src *resultSource) rank {
	if rd.pendingStatus(src.status) {
		return rankPlaceholder
	}
	whole, kind := rd.wholeText(src.content)
	switch {
	case kind == rankReal:
		return rankReal
	case len(whole) == 0:
		return rankEmpty
	}
	s := string(whole)
	switch {
	case s == rd.opts.marker() || s == DefaultMarker || s == EnglishMarker:
		return rankMarker
	case slices.Contains(placeholders, s) || slices.Contains(rd.opts.Placeholders, s):
		return rankPlaceholder
	}
	return rankReal
}

// longestStandIn is more than any text that is compared whole has bytes as it is
// stored, where each may be an escape of six. A longer one is real and need not
// be decoded: most results are.
func (rd *reader) longestStandIn() int {
	n := max(len(DefaultMarker), len(EnglishMarker), len(rd.opts.marker()))
	for _, s := range placeholders {
		n = max(n, len(s))
	}
	for _, s := range rd.opts.Placeholders {
		n = max(n, len(s))
	}
	return 6 * n
}

// wholeText returns the text that a result's content is: a string, or one
// text block, or nothing. Other content is real, and so is a long text.
func (rd *reader) wholeText(r jsonedit.Ref) ([]byte, rank) {
	if r == jsonedit.None {
		return nil, rankEmpty
	}
	d := rd.doc
	switch d.Kind(r) {
	case jsonedit.Null:
		return nil, rankEmpty
	case jsonedit.String:
		if len(d.Inner(r)) > rd.longestStandIn() {
			return nil, rankReal
		}
		return text(d, r), rankEmpty
	case jsonedit.Object:
		return rd.objectText(r)
	case jsonedit.Array:
	default:
		return nil, rankReal
	}
	var whole []byte
	for b, end := r+1, d.End(r); b < end; b = d.End(b) {
		var m members
		m.collect(d, b)
		t := text(d, m[mText])
		typed := m[mType] != jsonedit.None && !bytes.HasSuffix(text(d, m[mType]), []byte("text"))
		if t == nil || typed || len(whole) > 0 && len(t) > 0 {
			return nil, rankReal
		}
		whole = append(whole, t...)
	}
	return whole, rankEmpty
}

// objectText returns the text that an object is: one member that says it, with
// or without a type of text beside it. An empty object is nothing.
func (rd *reader) objectText(r jsonedit.Ref) ([]byte, rank) {
	d := rd.doc
	said := jsonedit.None
	for key, value := range d.Members(r) {
		switch fold(d.Text(key)) {
		case "type":
			if !bytes.HasSuffix(text(d, value), []byte("text")) {
				return nil, rankReal
			}
		case "error", "output", "result", "value", "text":
			if said != jsonedit.None || d.Kind(value) != jsonedit.String {
				return nil, rankReal
			}
			said = value
		default:
			return nil, rankReal
		}
	}
	return text(d, said), rankEmpty
}
