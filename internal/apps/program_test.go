package apps

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/internal/oracle"
	"boltmend/migrate"
)

// A program uses a store as its app does: with its types, its order and its
// own rule for the next key. It fails the test where the app would stumble.
type program struct {
	store, name, dialect string
	// read returns the messages of each conversation as the app sends them.
	read func(*testing.T, *bbolt.Tx) map[string][]string
	// write appends a turn of four messages to each conversation.
	write func(*testing.T, *bbolt.Tx)
	// scattered is set for an app whose new messages do not come last.
	scattered bool
}

var programs = slices.Concat(
	singletonPrograms(), arrayPrograms(), packedPrograms(), otherDialectPrograms(),
	sequencePrograms(), compositePrograms(), idPrograms(),
)

// TestPrograms repairs each store and lets its app read the conversations, go
// on with them, and read them again. Each time the provider has to take them
// whole.
func TestPrograms(t *testing.T) {
	used := map[string]bool{}
	for _, p := range programs {
		used[p.store] = true
		t.Run(p.store+"/"+p.name, func(t *testing.T) { p.test(t) })
	}
	for _, s := range known {
		if !used[s.name] && !s.same {
			t.Errorf("no program uses %s", s.name)
		}
	}
}

func (p program) test(t *testing.T) {
	path := copyOf(t, p.store)
	repaired(t, path)
	first, second := map[string][]string{}, map[string][]string{}
	view(t, path, func(tx *bbolt.Tx) error { first = p.read(t, tx); return nil })
	p.sound(t, "after the repair", first)
	update(t, path, func(tx *bbolt.Tx) error { p.write(t, tx); return nil })
	view(t, path, func(tx *bbolt.Tx) error { second = p.read(t, tx); return nil })
	p.sound(t, "after the next turn", second)
	if len(first) == 0 {
		t.Error("no conversations")
	}
	for name, old := range first {
		now := second[name]
		switch {
		case len(now) != len(old)+4:
			t.Errorf("%s: %d messages, and after a turn of four %d: the app wrote over some\n%s", name, len(old), len(now), strings.Join(now, "\n"))
		case !p.scattered && !slices.Equal(now[:len(old)], old):
			t.Errorf("%s: the next turn stands among older messages\n%s", name, strings.Join(now, "\n"))
		}
	}
	if r := run(t, migrate.Scan, path, migrate.Options{}); r.sum.Poisoned > 0 {
		t.Errorf("a scan after the next turn\n%s", r)
	}
}

// sound wants the provider to take each conversation.
func (p program) sound(t *testing.T, when string, all map[string][]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		request := "[" + strings.Join(all[name], ",") + "]"
		if err := oracle.For(p.dialect)([]byte(request)); err != nil {
			t.Errorf("%s: %s: the provider would refuse: %v\n%s", when, name, err, strings.Join(all[name], "\n"))
		}
	}
}

// decode decodes a stored value into what the app has for it. A member that
// the app does not know was made up.
func decode[T any](t *testing.T, raw []byte) (v T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Errorf("the app cannot read its value: %v\n%s", err, raw)
	} else if _, err := d.Token(); err != io.EOF {
		t.Errorf("something behind the value\n%s", raw)
	}
	return v
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// texts are the messages of a list as the app writes them.
func texts[M any](t *testing.T, list []M) (all []string) {
	t.Helper()
	for _, m := range list {
		all = append(all, string(encode(t, m)))
	}
	return all
}

func bucket(t *testing.T, tx *bbolt.Tx, path ...string) *bbolt.Bucket {
	t.Helper()
	b := tx.Bucket([]byte(path[0]))
	for _, name := range path[1:] {
		if b != nil {
			b = b.Bucket([]byte(name))
		}
	}
	if b == nil {
		t.Fatalf("no bucket %q", path)
	}
	return b
}

// put writes a value; put of a new row must find its key free.
func put(t *testing.T, b *bbolt.Bucket, key []byte, v any) {
	t.Helper()
	raw, ok := v.([]byte)
	if !ok {
		raw = encode(t, v)
	}
	if err := b.Put(key, raw); err != nil {
		t.Fatal(err)
	}
}

func putNew(t *testing.T, b *bbolt.Bucket, key []byte, v any) {
	t.Helper()
	if old := b.Get(key); old != nil {
		t.Errorf("the app's next key %q is in use: it writes over\n%s", key, old)
	}
	put(t, b, key, v)
}

// keys returns the keys of a bucket that have a prefix; the app changes the
// bucket afterwards.
func keys(b *bbolt.Bucket, prefix string) (all []string) {
	c := b.Cursor()
	for k, v := c.Seek([]byte(prefix)); k != nil && strings.HasPrefix(string(k), prefix); k, v = c.Next() {
		if v != nil {
			all = append(all, string(k))
		}
	}
	return all
}

// inOrder wants times that a sort by time cannot confuse.
func inOrder(t *testing.T, name string, times []time.Time) {
	t.Helper()
	for i := 1; i < len(times); i++ {
		if !times[i].After(times[i-1]) {
			t.Errorf("%s: message %d is of %s, the one before of %s", name, i, times[i].Format(time.RFC3339Nano), times[i-1].Format(time.RFC3339Nano))
		}
	}
}

// A document is a conversation in one value, a D with a list of M in it.
type document[D, M any] struct {
	bucket string
	keys   []string // none are all
	open   func(*testing.T, []byte) D
	close  func(*testing.T, D) []byte
	list   func(*D) *[]M
	turn   []M
}

func (d document[D, M]) program(store, name, dialect string) program {
	if d.open == nil {
		d.open = decode[D]
		d.close = func(t *testing.T, v D) []byte { return encode(t, v) }
	}
	return program{store: store, name: name, dialect: dialect, read: d.read, write: d.write}
}

func (d document[D, M]) all(t *testing.T, tx *bbolt.Tx) []string {
	if d.keys != nil {
		return d.keys
	}
	return keys(bucket(t, tx, d.bucket), "")
}

func (d document[D, M]) read(t *testing.T, tx *bbolt.Tx) map[string][]string {
	all := map[string][]string{}
	for _, k := range d.all(t, tx) {
		v := d.open(t, bucket(t, tx, d.bucket).Get([]byte(k)))
		all[k] = texts(t, *d.list(&v))
	}
	return all
}

func (d document[D, M]) write(t *testing.T, tx *bbolt.Tx) {
	for _, k := range d.all(t, tx) {
		b := bucket(t, tx, d.bucket)
		v := d.open(t, b.Get([]byte(k)))
		list := d.list(&v)
		*list = append(*list, d.turn...)
		put(t, b, []byte(k), d.close(t, v))
	}
}
