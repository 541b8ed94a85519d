package migrate

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"boltmend/internal/jsonedit"
)

// An echo is a member that says the key of its row once more.
type echo struct {
	name  string
	text  func(key []byte) []byte // as JSON
	place bool                    // of the place, not of the whole key
}

// echoForms are how a member may say a key.
var echoForms = []struct {
	place bool
	text  func(f keyForm, key []byte) []byte
}{
	{false, func(_ keyForm, k []byte) []byte { return jsonedit.Quote(string(k)) }},
	{true, func(_ keyForm, k []byte) []byte { return jsonedit.Quote(string(k)) }},
	{true, func(f keyForm, k []byte) []byte { return number(f, k, 0) }},
	{true, func(f keyForm, k []byte) []byte { return number(f, k, -1) }},
	{true, func(f keyForm, k []byte) []byte { return number(f, k, 1) }},
	{true, func(f keyForm, k []byte) []byte {
		if n := number(f, k, 0); n != nil {
			return jsonedit.Quote(string(n))
		}
		return nil
	}},
	{false, func(_ keyForm, k []byte) []byte { return jsonedit.Quote(hex.EncodeToString(k)) }},
}

func number(f keyForm, key []byte, offset int64) []byte {
	n, ok := f.number(key)
	if !ok || n > 1<<62 || int64(n)+offset < 0 {
		return nil
	}
	return strconv.AppendInt(nil, int64(n)+offset, 10)
}

// echoOf finds the form in which a member of all rows says their key.
func echoOf(l *layout, rows []row, docs []*jsonedit.Doc, name string) (echo, bool) {
	for _, f := range echoForms {
		ok := true
		for i := 0; i < len(rows) && ok; i++ {
			key := rows[i].key
			if f.place {
				key = l.place(key)
			}
			want := f.text(l.form, key)
			ok = want != nil && sayTheSame(docs[i], docs[i].Get(0, name), want)
		}
		if ok {
			return echo{name, func(key []byte) []byte { return f.text(l.form, key) }, f.place}, true
		}
	}
	return echo{}, false
}

// sayTheSame compares a value with a JSON text, whatever its escapes.
func sayTheSame(d *jsonedit.Doc, r jsonedit.Ref, want []byte) bool {
	if d.Kind(r) == jsonedit.String && want[0] == '"' {
		w, err := jsonedit.Parse(want)
		return err == nil && d.Text(r) == w.Text(0)
	}
	return bytes.Equal(d.Raw(r), want)
}
