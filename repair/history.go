package repair

import (
	"bytes"
	"fmt"

	"boltmend/internal/jsonedit"
)

// History repairs one history: src is a JSON array of messages. It never
// writes to src, and the same input always gives the same output. Repairing
// the output again changes nothing.
//
// It fails for a text that is no JSON, that is no array of messages
// ([ErrNotHistory]), and for an unknown dialect ([ErrUnknownDialect]). What is
// wrong with the history is in the findings.
func History(src []byte, opts Options) (Result, error) {
	res, err := judge(src, &opts)
	if err != nil {
		return Result{}, err
	}
	if !res.changed {
		res.JSON = bytes.Clone(src)
	}
	return res, nil
}

// judge is History without a copy of a text that does not change.
func judge(src []byte, opts *Options) (Result, error) {
	doc, err := parse(src)
	if err != nil {
		return Result{}, err
	}
	if doc.End(0) == 1 {
		return Result{}, nil // an empty history
	}
	var j Judge
	res, err := j.History(doc, 0, opts)
	if res.changed {
		start, end := doc.Span(0)
		res.JSON = bytes.Join([][]byte{src[:start], res.JSON, src[end:]}, nil)
	}
	return res, err
}

func parse(src []byte) (*jsonedit.Doc, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	if doc.Kind(0) != jsonedit.Array {
		return nil, ErrNotHistory
	}
	return doc, nil
}

// Check finds what is wrong with a history and changes nothing. Findings of
// one kind in one message are put together: it is meant for a last look before
// a history is sent, and names the message and the ids.
func Check(src []byte, opts Options) ([]Finding, error) {
	res, err := judge(src, &opts)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for _, f := range res.Findings {
		f.Fixed = false // nothing is changed
		if n := len(all); n > 0 && all[n-1].Message == f.Message {
			if i := lastOf(all, f); i >= 0 {
				all[i].IDs = append(all[i].IDs, f.IDs...)
				continue
			}
		}
		all = append(all, f)
	}
	return all, nil
}

// lastOf returns the finding of the same message and code, or -1.
func lastOf(all []Finding, f Finding) int {
	for i := len(all) - 1; i >= 0 && all[i].Message == f.Message; i-- {
		if all[i].Code == f.Code {
			return i
		}
	}
	return -1
}
