package migrate

import (
	"boltmend/internal/codec"
	"boltmend/internal/jsonedit"
)

// Values are wrapped in many ways. What a codec opens is judged as if it were
// stored as it is; what none opens is looked through for words (unopened.go).

// DefaultMaxValue bounds the bytes that one value is decompressed to.
const DefaultMaxValue = 1 << 30

func (j *judge) maxValue() int64 {
	if j.opts.MaxValue > 0 {
		return j.opts.MaxValue
	}
	return DefaultMaxValue
}

func (j *judge) codecOptions() codec.Options {
	return codec.Options{MaxValue: j.maxValue(), KeepPrefix: j.keepPrefix}
}

// retry parses a value that begins as JSON and is none, if it is JSON behind
// another layer; nil if it is not.
func (j *judge) retry(u *codec.Unwrapped, v *verdict) *jsonedit.Doc {
	ok, err := u.Retry()
	switch {
	case err != nil:
		v.unreadable = err.Error()
		return nil
	case !ok:
		if u.Kind != codec.JSON {
			j.other(u, v)
		}
		return nil
	}
	doc, err := j.parsers[0].Parse(u.Text)
	if err != nil {
		return nil
	}
	return doc
}

// inString judges the text that a string holds, if it holds one.
func (j *judge) inString(d *jsonedit.Doc, r jsonedit.Ref, t *textAround, s sieve, v *verdict) {
	if len(d.Inner(r)) < 2 {
		return
	}
	if t.depth >= codec.MaxDepth {
		j.unopened(d, r, t, true, v)
		return
	}
	o := j.codecOptions()
	o.MaxValue = max(t.left, 1)
	u, ok := j.codec.InString(d, r, o)
	if u.Err != nil && v.unreadable == "" {
		v.unreadable = u.Err.Error()
	}
	if deep := t.depth+u.Depth() > codec.MaxDepth; !ok || deep {
		j.unopened(d, r, t, deep, v)
		return
	}
	t.left -= int64(len(u.Text))
	doc, err := j.parsers[len(t.within)+1].Parse(u.Text)
	if err != nil {
		return
	}
	start, end := d.Span(r)
	inner := textAround{
		within: append(t.within[:len(t.within):len(t.within)], span{start, end}),
		codec:  u.String(), depth: t.depth + u.Depth(), left: t.left,
	}
	if t.codec != "" {
		inner.codec = t.codec + "+" + inner.codec
	}
	inner.path = t.path + t.trail.pointer(d, r)
	j.document(doc, inner, s, v)
	t.left = inner.left
}

// unwrapped returns the text of a value, nil if there is none.
func (j *judge) unwrapped(raw []byte) (codec.Unwrapped, *jsonedit.Doc) {
	u, err := j.codec.Unwrap(raw, j.codecOptions())
	if err != nil || u.Kind != codec.JSON {
		return u, nil
	}
	doc, err := j.parsers[0].Parse(u.Text)
	if err != nil {
		doc = j.retry(&u, new(verdict))
	}
	return u, doc
}

// textOf returns the text that a history of a value stands in.
func (j *judge) textOf(raw []byte, h history) []byte {
	u, doc := j.unwrapped(raw)
	if doc == nil {
		return nil
	}
	text := u.Text
	for _, s := range h.within {
		d, err := jsonedit.Parse(text[s.start:s.end])
		if err != nil {
			return nil
		}
		inner, ok := j.codec.InString(d, 0, j.codecOptions())
		if !ok {
			return nil
		}
		text = inner.Text
	}
	return text
}

// codecName is what a value is wrapped in, or is, "" for what has no name.
func (v *verdict) codecName() string {
	switch {
	case v.format != "":
		return v.format
	case v.codec != "":
		return v.codec
	case v.isJSON:
		return "json"
	}
	return ""
}
