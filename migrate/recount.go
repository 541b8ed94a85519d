package migrate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// recount is a sidecar that says what is so after a repair, nil if it says
// nothing or was not right. A mere "messages" counts only if the value names the
// conversation too, or lies with its rows; named says whether it does.
func (j *judge) recount(value []byte, own bool, rs *resize) (now []byte, named bool, err error) {
	u, d := j.unwrapped(value)
	if d == nil {
		return nil, false, nil
	}
	var edit jsonedit.Edit
	if d.Kind(0) == jsonedit.Array {
		if err := rs.relist(d, 0, "", &edit); err != nil || edit.Empty() {
			return nil, true, err
		}
		now, err = u.Rewrap(edit.Bytes(d))
		return now, true, err
	}
	for _, member := range d.Members(0) {
		text := []byte(d.Text(member))
		named = named || len(text) > 0 && (bytes.Equal(text, rs.id) || bytes.HasSuffix(rs.id, append([]byte(":"), text...)) || bytes.HasSuffix(rs.id, append([]byte("/"), text...)))
	}
	for key, member := range d.Members(0) {
		name := d.Text(key)
		switch d.Kind(member) {
		case jsonedit.Array:
			if err := rs.relist(d, member, name, &edit); err != nil {
				return nil, named, err
			}
			continue
		case jsonedit.String:
			if text := rs.lastName(d, member, name); text != nil {
				edit.Replace(member, text)
				continue
			}
		}
		kind := countKindOf(name)
		if kind == mayBeMany && !own && !named {
			continue
		}
		if text := rs.number(kind, d.Raw(member)); text != nil {
			edit.Replace(member, text)
		}
	}
	if edit.Empty() {
		return nil, named, nil
	}
	now, err = u.Rewrap(edit.Bytes(d))
	return now, named, err
}

// number is what has to stand where a number does, whether as it is or in a
// string, with zeros in front if it has some; nil if it stays.
func (rs *resize) number(kind countKind, raw []byte) []byte {
	digits := bytes.Trim(raw, `"`)
	if kind == noCount || len(digits) > 20 || !allDigits(digits) {
		return nil
	}
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return nil
	}
	n, ok := rs.says(kind, n)
	if !ok {
		return nil
	}
	text := strconv.AppendUint(nil, n, 10)
	if digits[0] == '0' && len(text) < len(digits) {
		text = padded.key(n, digits)
	}
	if len(digits) < len(raw) {
		text = append(append([]byte{'"'}, text...), '"')
	}
	return text
}

// lastName is the name of the last row, where a member of a fitting name has
// that of the one that was the last; nil if not.
func (rs *resize) lastName(d *jsonedit.Doc, member jsonedit.Ref, name string) []byte {
	if countKindOf(name) != isLast {
		return nil
	}
	for _, l := range rs.lists {
		if n := len(l.now); n > 0 && len(l.old) > 0 && l.now[n-1] != nil && !bytes.Equal(l.old[len(l.old)-1], l.now[n-1]) && sayTheSame(d, member, l.old[len(l.old)-1]) {
			return l.now[n-1]
		}
	}
	return nil
}

// relist edits an array that lists the rows. It fails for one that lists them in
// a way that cannot follow.
func (rs *resize) relist(d *jsonedit.Doc, arr jsonedit.Ref, name string, edit *jsonedit.Edit) error {
	for _, l := range rs.lists {
		same, some := l.listed(d, arr)
		if !same && !some {
			continue
		}
		text := []byte{'['}
		for i, t := range l.now {
			if t == nil || !same {
				return fmt.Errorf("%w (%s) cannot follow", errList, name)
			}
			if i > 0 {
				text = append(text, ',')
			}
			text = append(text, t...)
		}
		edit.Replace(arr, append(text, ']'))
		return nil
	}
	return nil
}

// listed reports whether an array is the list of the rows, and whether it is
// none but names nearly all of them.
func (l *rowList) listed(d *jsonedit.Doc, arr jsonedit.Ref) (same, some bool) {
	old := make(map[string]bool)
	for _, t := range l.old {
		if len(t) >= 6 { // no short number
			old[string(t)] = true
		}
	}
	n, named := 0, 0
	same = true
	for e := range d.Elems(arr) {
		same = same && n < len(l.old) && sayTheSame(d, e, l.old[n])
		if old[string(d.Raw(e))] {
			named++
		}
		n++
	}
	// One that names a few rows is about those, as of the pinned ones.
	return same && n == len(l.old) && (n > 1 || named > 0), named > 0 && named*5 >= len(l.old)*4
}

// counterWords are names of rows that are a number and nothing else.
var counterWords = []string{
	"seq", "next_seq", "last_seq", "sequence", "counter", "next", "last", "next_id", "last_id", "next_index", "last_index",
	"count", "message_count",
}

// loneCounters are the edits of rows of a bucket that are a number and nothing
// else. own: it is the bucket of the rows themselves.
func loneCounters(rd store.Reader, s *store.Bucket, own bool, rs *resize) (edits []store.RowEdit) {
	look := func(key, name string) { edits = append(edits, loneCounter(rd, s, key, name, rs)...) }
	for _, word := range counterWords {
		for _, sep := range []string{":", "/", "_", "."} {
			look(word+sep+string(rs.id), word)
			look(string(rs.id)+sep+word, word)
		}
	}
	if !own && len(s.Path) > 0 {
		look(string(rs.id), trimPlural(string(s.Path[len(s.Path)-1])))
	}
	return edits
}

// wordCounters are those whose key says no more than what they count.
func wordCounters(rd store.Reader, s *store.Bucket, rs *resize) (edits []store.RowEdit) {
	for _, word := range counterWords {
		edits = append(edits, loneCounter(rd, s, word, word, rs)...)
	}
	return edits
}

func loneCounter(rd store.Reader, s *store.Bucket, key, name string, rs *resize) []store.RowEdit {
	value, ok := rd.Get(s.Path, []byte(key))
	if !ok || len(value) == 0 {
		return nil
	}
	now := rs.loneNumber(countKindOf(name), value)
	if now == nil {
		return nil
	}
	return []store.RowEdit{{Bucket: s.Path, Key: []byte(key), Old: value, New: now}}
}

func trimPlural(name string) string { return strings.TrimSuffix(name, "s") }

// loneNumber is number for a value that is a text or the bytes of a number.
func (rs *resize) loneNumber(kind countKind, value []byte) []byte {
	if text := rs.number(kind, value); text != nil {
		return text
	}
	for _, f := range []keyForm{be64, be32} {
		if n, ok := f.number(value); ok && kind != noCount && !printable(value) {
			if n, ok = rs.says(kind, n); ok {
				return f.key(n, value)
			}
		}
	}
	return nil
}
