package cli

import (
	"encoding/json"
	"io"

	"boltmend/migrate"
)

// jsonView writes each event as one line of JSON.
type jsonView struct{ enc *json.Encoder }

func newJSONView(w io.Writer) jsonView {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // refs hold "&" and "<" only encoded, messages hold them as stored
	return jsonView{enc}
}

// event writes e. What is a list in one line is a list in every line.
func (v jsonView) event(e migrate.Event) {
	switch x := e.(type) {
	case *migrate.History:
		h := *x
		h.Bucket, h.Findings = listed(x.Bucket), listed(x.Findings)
		e = &h
	case *migrate.Message:
		m := *x
		m.Findings = listed(x.Findings)
		e = &m
	case *migrate.Bucket:
		b := *x
		b.Bucket, b.Dialects = listed(x.Bucket), listed(x.Dialects)
		e = &b
	case *migrate.Summary:
		s := *x
		if s.Findings == nil {
			s.Findings = map[string]int{}
		}
		e = &s
	}
	v.line(e)
}

// line writes any value. The sink behind the encoder never fails, so an error
// is about the value: a stored text that, inside a line, is nested too deep.
func (v jsonView) line(x any) {
	if err := v.enc.Encode(x); err != nil {
		v.enc.Encode(&migrate.Error{Type: "error", Code: migrate.CodeIO, Message: "not shown: " + err.Error()})
	}
}

func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
