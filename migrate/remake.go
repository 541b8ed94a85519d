package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// A made is what a repair makes of one value.
type made struct {
	old, new digest
	done     bool   // it was made
	size     int    // of the new values
	text     []byte // of a value, nil if nothing changes
	// rows and sequences are what is to be written of a conversation in rows,
	// and beside a value.
	rows      []store.RowEdit
	sequences []store.SequenceEdit
	written   written
	resize    *resize // of a conversation in rows
	// failed says why the new text was not taken: a check of our own failed,
	// and the value stays as it is.
	failed string
	left   bool // but for other options
}

type digest [sha256.Size]byte

func digestOf(b []byte) digest { return sha256.Sum256(b) }

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// remake makes the new text of a value from the judged histories in it, and
// verifies it before anybody writes it.
func (j *judge) remake(raw []byte, hs []history) made {
	m := made{done: true}
	if !slices.ContainsFunc(hs, func(h history) bool { return h.result.JSON != nil }) {
		return m
	}
	m.old = sha256.Sum256(raw)
	u, doc := j.unwrapped(raw)
	if doc == nil {
		m.failed = "the value cannot be opened a second time"
		return m
	}
	for _, h := range hs {
		if h.result.JSON != nil && m.failed == "" {
			m.failed = j.verifyHistory(h.result)
		}
	}
	if m.failed != "" {
		return m
	}
	text, err := j.rebuild(u.Text, hs, 0)
	if err == nil {
		text, err = u.Rewrap(text)
	}
	if err != nil {
		m.failed = err.Error()
		return m
	}
	m.text, m.size, m.new = text, len(text), sha256.Sum256(text)
	return m
}

// A part is new text for a span.
type part struct {
	span
	text []byte
}

// rebuild makes the new text around the histories of a text: those of its own
// are put in place of the old ones, and strings that hold others are made anew.
// Histories of one text lie one behind the other.
func (j *judge) rebuild(text []byte, hs []history, depth int) ([]byte, error) {
	var parts []part
	for i := 0; i < len(hs); i++ {
		h := hs[i]
		if len(h.within) == depth {
			if h.result.JSON != nil {
				parts = append(parts, part{span{h.start, h.end}, h.result.JSON})
				parts = append(parts, h.counts...)
			}
			continue
		}
		at := h.within[depth]
		n := i
		for n < len(hs) && len(hs[n].within) > depth && hs[n].within[depth] == at {
			n++
		}
		literal, err := j.restring(text[at.start:at.end], hs[i:n], depth+1)
		if err != nil {
			return nil, err
		}
		if literal != nil {
			parts = append(parts, part{at, literal})
		}
		i = n - 1
	}
	return splice(text, parts)
}

// restring makes the string around some histories anew, nil if none of them
// changes.
func (j *judge) restring(literal []byte, hs []history, depth int) ([]byte, error) {
	if !slices.ContainsFunc(hs, func(h history) bool { return h.result.JSON != nil }) {
		return nil, nil
	}
	d, err := jsonedit.Parse(literal)
	if err != nil {
		return nil, err
	}
	u, ok := j.codec.InString(d, 0, j.codecOptions())
	if !ok {
		return nil, errors.New("a string cannot be opened a second time")
	}
	text, err := j.rebuild(u.Text, hs, depth)
	if err != nil {
		return nil, err
	}
	return u.Rewrap(text)
}

// splice puts parts into a text. What comes out is JSON.
func splice(text []byte, parts []part) ([]byte, error) {
	slices.SortStableFunc(parts, func(a, b part) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, p := range parts {
		if p.start < at {
			continue // a count of two arrays
		}
		out = append(out, text[at:p.start]...)
		out = append(out, p.text...)
		at = p.end
	}
	out = append(out, text[at:]...)
	if jsonedit.Valid(out) != nil {
		return nil, errors.New("the repaired value would not be JSON")
	}
	return out, nil
}

// verifyHistory judges one repaired history again.
func (j *judge) verifyHistory(res repair.Result) string {
	doc, err := jsonedit.Parse(res.JSON)
	if err != nil {
		return "the repaired history would not be JSON"
	}
	opts := j.opts.Repair
	opts.Dialect = res.Dialect
	again, err := j.repair.History(doc, 0, &opts)
	switch {
	case err != nil && !errors.Is(err, repair.ErrNotHistory): // nothing may be left of it
		return err.Error()
	case again.JSON != nil || fixable(again) > 0:
		return "a second repair would change the history again"
	case again.Results != res.Results-removed(res)+res.Made:
		return "the repaired history would have another number of results"
	}
	return ""
}

// fixable counts the findings that a repair takes care of.
func fixable(res repair.Result) (n int) {
	for _, f := range res.Findings {
		if f.Fixed {
			n++
		}
	}
	return n
}

// removed counts the results that a repair took out.
func removed(res repair.Result) (n int) {
	for _, r := range res.Removed {
		if r.Kind == "result" {
			n++
		}
	}
	return n
}

// maxJournalID bounds an id in the journal; the text beside it has it whole.
const maxJournalID = 256

// removedItems are the removed texts of a value, for the journal.
func removedItems(hs []history) (items []store.Removed) {
	for _, h := range hs {
		for _, r := range h.result.Removed {
			items = append(items, store.Removed{
				Kind: r.Kind, Code: string(r.Code), ID: r.ID[:min(len(r.ID), maxJournalID)], Message: r.Message, Text: r.Text,
			})
		}
	}
	return items
}
