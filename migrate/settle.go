package migrate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"boltmend/repair"
	"boltmend/store"
)

// settle takes the verdict on a value into the summary and returns the
// histories to report. It runs in key order.
func (r *run) settle(it store.Item, v verdict) ([]history, error) {
	state, err := r.at(it.Bucket)
	if err != nil {
		return nil, err
	}
	r.markSeen(it, v)
	if state.choice != nil && state.choice.Layout == document {
		v.row = false
	}
	hs, dropped, err := r.proven(it.Bucket, v.histories)
	if err != nil {
		return nil, err
	}
	if v.sealed != "" {
		if err := r.unseal(it.Bucket, v, hs); err != nil {
			return nil, err
		}
	}
	if hs, err = r.apart(r.getter(), it.Bucket, it.Key, hs); err == nil {
		err = r.held(r.source, it, hs)
	}
	if err != nil {
		return nil, err
	}
	v.count -= withCalls(dropped)
	if v.unrecognised == "" {
		v.unrecognised = claimed(dropped)
	}
	r.sum.Histories += v.count
	state.holds = state.holds || v.count > 0
	switch {
	case v.broken:
		if v.brokenJSON {
			state.brokenJSON++
		}
		state.pending = state.wait(state.pending, r.noteOf(it, "unreadable", v.unreadable), &state.broken)
		if word := callWord(it.Value); word != "" {
			why := v.unreadable + "; it speaks of " + word
			state.cut = state.wait(state.cut, r.noteOf(it, "unrecognised", why), &state.cuts)
		}
	case v.unreadable != "":
		r.sum.Unreadable++
		r.emit(r.noteOf(it, "unreadable", v.unreadable))
	case v.row:
		if state.rows++; v.unrecognised != "" {
			state.speaking = state.wait(state.speaking, r.noteOf(it, "unrecognised", v.unrecognised), &state.spoke)
		}
	case v.unrecognised != "":
		r.sum.Unrecognised++
		r.emit(r.noteOf(it, "unrecognised", v.unrecognised))
	}
	return hs, nil
}

// unproven is why calls do not count.
const unproven = "calls that only a result of the same dialect in this bucket would prove to be calls"

// proven drops histories whose calls nothing proves to be calls.
func (r *run) proven(b *store.Bucket, hs []history) (kept, dropped []history, err error) {
	for _, h := range hs {
		ok := h.proven || h.result.Dialect == ""
		if !r.admits(b, h) {
			continue
		}
		if !ok {
			if ok, err = r.evidence(b, h.result.Dialect); err != nil {
				return nil, nil, err
			}
		}
		if ok {
			kept = append(kept, h)
		} else {
			dropped = append(dropped, h)
		}
	}
	return kept, dropped, nil
}

// admits reports whether a layout file, if there is one, has the dialect of a
// history for its bucket.
func (r *run) admits(b *store.Bucket, h history) bool {
	choice := r.opts.fixed(b)
	return choice == nil || choice.Dialect == "" || h.result.Dialect == "" || choice.Dialect == string(h.result.Dialect)
}

// withCalls counts the histories that call. One without has nothing that could
// prove to be none.
func withCalls(hs []history) (n int) {
	for _, h := range hs {
		if h.result.Calls > 0 {
			n++
		}
	}
	return n
}

// claimed says what histories hold that only a result of their dialect beside
// them would prove to be what it looks like, "" for nothing.
func claimed(hs []history) (why string) {
	for _, h := range hs {
		switch {
		case h.result.Calls > 0:
			return unproven
		case h.isLone():
			why = "a message of role tool that names no call, where no other message in this bucket names one"
		}
	}
	return why
}

// isLone reports whether a history has no call and results that name none, so
// that they may be no results.
func (h *history) isLone() bool { return !h.proven && h.result.Calls == 0 && h.result.Results > 0 }

func (r *run) noteOf(it store.Item, kind, why string) *Note {
	return &Note{Type: "note", Database: r.database, Ref: recordRef(it.Bucket, it.Key), Kind: kind, Reason: why}
}

// markSeen notes the refs that were found.
func (r *run) markSeen(it store.Item, v verdict) {
	for i := range r.targets {
		if t := &r.targets[i]; !t.isConv && t.names(it) && (t.within == "" || slices.Contains(v.named, t.within)) {
			t.seen = true
		}
	}
}

// rowEvent makes the report of a conversation in rows.
func (r *run) rowEvent(c *conversation, h history, wrote bool) *History {
	e := describe(h, wrote)
	e.Database, e.Ref = r.database, c.ref()+"#"
	e.Bucket, e.Conversation, e.Layout = encodedNames(c.bucket), store.EncodeName(c.id), c.layout.kind
	return e
}

// event makes the report of a history. wrote says that fixes are, or in a dry
// run would be, written.
func (r *run) event(b *store.Bucket, key []byte, h history, wrote bool) *History {
	e := describe(h, wrote)
	e.Database, e.Ref = r.database, recordRef(b, key)+"#"+encodePointer(h.path)
	e.Bucket, e.Key = encodedNames(b), store.EncodeName(key)
	return e
}

// describe is the report of a history without where it lies.
func describe(h history, wrote bool) *History {
	e := &History{
		Type: "history", Bucket: []string{}, Path: h.path,
		Layout: "document", Codec: h.codec, Dialect: string(h.result.Dialect),
		Messages: h.result.Messages, Calls: h.result.Calls, Results: h.result.Results,
		Findings: []Finding{}, Reason: h.result.Reason,
	}
	for _, f := range h.result.Findings {
		e.Findings = append(e.Findings, findingOf(f, f.Fixed && wrote))
	}
	e.State = state(h, wrote)
	return e
}

// isFault reports whether a finding is no lint.
func isFault(f repair.Finding) bool { return f.Group() != repair.Lint }

// state says what becomes of a history. Lint alone leaves it sound, unless it
// was to be changed.
func state(h history, wrote bool) string {
	res := h.result
	counts, fixes := 0, fixable(res)
	for _, f := range res.Findings {
		if f.Fixed || isFault(f) {
			counts++
		}
	}
	switch {
	case counts == 0 && (res.Reason == "" || len(res.Findings) == 0):
		return Sound
	case res.Reason != "" && fixes == 0 && !h.left:
		return ReportOnly
	case fixes < counts:
		return Left
	case wrote:
		return Fixed
	}
	return Fixable
}

func encodedNames(b *store.Bucket) []string {
	names := make([]string, len(b.Path))
	for i, n := range b.Path {
		names[i] = store.EncodeName(n)
	}
	return names
}

func findingOf(f repair.Finding, fixed bool) Finding {
	return Finding{
		Code: string(f.Code), Group: string(f.Group()), Message: f.Message,
		ID: f.IDs[0], Name: f.Name, Fixed: fixed,
	}
}

// tally counts a reported history in the summary.
func (r *run) tally(e *History) {
	poisoned, refused := false, false
	for _, f := range e.Findings {
		r.sum.Findings[f.Code]++
		group := repair.Group(f.Group)
		poisoned = poisoned || group == repair.Pairing || group == repair.Arguments
		refused = refused || group != repair.Lint
		switch {
		case f.Fixed:
			r.sum.Fixed++
		case group == repair.Lint:
			r.sum.Lint++
		default:
			r.sum.Remaining++
		}
	}
	if poisoned {
		r.sum.Poisoned++
	}
	if refused {
		r.refused++
	}
	if e.State == ReportOnly {
		r.sum.ReportOnly++
	}
}

// usage makes an error of a call that cannot be right.
func usage(format string, args ...any) error {
	return &store.Error{Code: store.CodeUsage, Msg: fmt.Sprintf(format, args...)}
}

// Exit codes, the same for every command.
const (
	exitDone   = 0
	exitLeft   = 1
	exitUsage  = 2
	exitFailed = 3
	exitLocked = 4
	exitSignal = 130
)

// fail reports why the work could not be done.
func (r *run) fail(ctx context.Context, err error) {
	r.sum.Verdict, r.sum.Exit = VerdictError, exitFailed
	e := &Error{Type: "error", Database: r.database, Code: CodeIO, Message: err.Error()}
	var known *store.Error
	if errors.As(err, &known) {
		e.Code, e.Message, e.Movable = known.Code, known.Msg, known.Movable
		if known.Path != "" && !samePath(known.Path, r.database) {
			e.Message = known.Error()
		}
	}
	switch e.Code {
	case CodeDamaged:
		r.sum.Verdict = VerdictDamaged
	case CodeUsage:
		r.sum.Exit = exitUsage
	case CodeLocked:
		r.sum.Exit = exitLocked
	}
	if errors.Is(err, context.Canceled) || ctx.Err() != nil {
		r.sum.Exit = exitSignal
		var cause interface{ ExitCode() int }
		if errors.As(context.Cause(ctx), &cause) {
			r.sum.Exit = cause.ExitCode()
		}
		e.Message = "interrupted: the file is whole; run the same command again to finish"
	}
	r.emit(e)
}

// samePath reports whether two paths name one file, which need not exist.
func samePath(a, b string) bool { return a == b || resolved(a) == resolved(b) }

func resolved(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
