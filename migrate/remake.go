package migrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"boltmend/internal/jsonedit"
	"boltmend/repair"
	"boltmend/store"
)

// A made is what a repair makes of one value.
type made struct {
	old, new digest
	done     bool   // it was made
	size     int    // of text
	text     []byte // nil if nothing changes
	// failed says why the new text was not taken: a check of our own failed,
	// and the value stays as it is.
	failed string
}

type digest [sha256.Size]byte

func digestOf(b []byte) digest { return sha256.Sum256(b) }

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// remake makes the new text of a value from the judged histories in it, and
// verifies it before anybody writes it.
func (j *judge) remake(raw []byte, hs []history) made {
	m := made{done: true}
	text := splice(raw, hs)
	if text == nil {
		return m
	}
	m.old = sha256.Sum256(raw)
	if m.failed = j.verify(text, raw, hs); m.failed != "" {
		return m
	}
	m.text, m.size, m.new = text, len(text), sha256.Sum256(text)
	return m
}

// splice puts the repaired histories in place of the old ones. Histories of
// one value lie one behind the other.
func splice(raw []byte, hs []history) []byte {
	var out []byte
	at := 0
	for _, h := range hs {
		if h.result.JSON == nil {
			continue
		}
		out = append(out, raw[at:h.start]...)
		out = append(out, h.result.JSON...)
		at = h.end
	}
	if at == 0 {
		return nil
	}
	return append(out, raw[at:]...)
}

// verify judges a new text: it is JSON; each repaired history stands in it
// where the old one stood; a second repair changes nothing there and finds
// nothing that it would fix; every result is still there or was removed; and
// every byte outside of the histories is as before.
func (j *judge) verify(text, raw []byte, hs []history) string {
	from, to := 0, 0
	take := func(part []byte) bool {
		ok := bytes.HasPrefix(text[to:], part)
		to += len(part)
		return ok
	}
	for _, h := range hs {
		if h.result.JSON == nil {
			continue
		}
		if !take(raw[from:h.start]) || !take(h.result.JSON) {
			return "bytes outside of the history would change"
		}
		if why := j.verifyHistory(h.result); why != "" {
			return why
		}
		from = h.end
	}
	switch {
	case !bytes.Equal(raw[from:], text[min(to, len(text)):]):
		return "bytes outside of the history would change"
	case jsonedit.Valid(text) != nil:
		return "the repaired value would not be JSON"
	}
	return ""
}

// verifyHistory judges one repaired history again.
func (j *judge) verifyHistory(res repair.Result) string {
	doc, err := j.parser.Parse(res.JSON)
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
