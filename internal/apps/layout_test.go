package apps

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// A layout spreads a conversation over a database as some app does, and reads
// it back in that app's order.
type layout struct {
	label, name string // name is what a report calls it
	// adds are the members that a row has beside those of its message.
	adds []string
	put  func(t *testing.T, tx *bbolt.Tx, conv string, messages []string)
	get  func(t *testing.T, tx *bbolt.Tx, conv string) []any
	// objects is set for documents that hold nothing but objects.
	objects bool
}

// gap is between two numeric keys: a new row has room there.
const gap = 64

// start is when the first message was written; the others follow in steps.
var start = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

const step = 10 * time.Second

func timeOf(i int) time.Time { return start.Add(time.Duration(i) * step) }

// stamp is a time as rows have it.
func stamp(at time.Time) string { return at.Format(time.RFC3339Nano) }

// rows is a layout of a message a key.
type rows struct {
	bucket func(conv string) []string
	prefix func(conv string) string
	key    func(i int) string // behind the prefix
	// before and behind are members of the row, in front of those of its
	// message and after them.
	before, behind func(conv, suffix string, i int) string
	// check looks at the members of a row that are not the message's and
	// returns its time, if it has one.
	check func(conv, suffix string, row map[string]any) (at string, err error)
	// body is the member that the message is in, "" for the row itself.
	body   string
	others bool // rows of another kind are put between
	// sequence is the bucket's after n messages, 0 for one that is not used.
	sequence func(n int) int
}

func noMembers(string, string, int) string { return "" }

func nothingToCheck(string, string, map[string]any) (string, error) { return "", nil }

func nested(bucket string) func(string) []string {
	return func(conv string) []string { return []string{bucket, conv} }
}

func flat(bucket string) func(string) []string {
	return func(string) []string { return []string{bucket} }
}

func noPrefix(string) string { return "" }

// inBucket is the layout of a bucket a conversation and plain rows.
func inBucket(bucket string, key func(i int) string) rows {
	return rows{bucket: nested(bucket), prefix: noPrefix, key: key, before: noMembers, behind: noMembers, check: nothingToCheck, sequence: unused}
}

func unused(int) int { return 0 }

func behindLast(n int) int { return (n + 1) * gap }

// numbered is inBucket with keys from the sequence of the bucket.
func numbered(bucket string, key func(i int) string) rows {
	r := inBucket(bucket, key)
	r.sequence = behindLast
	return r
}

func (r rows) layout(label, name string, adds ...string) layout {
	return layout{label: label, name: name, adds: adds, put: r.put, get: r.get}
}

func (r rows) put(t *testing.T, tx *bbolt.Tx, conv string, messages []string) {
	b := makeBucket(t, tx, r.bucket(conv)...)
	for i, m := range messages {
		suffix := r.key(i)
		put(t, b, []byte(r.prefix(conv)+suffix), []byte(r.row(conv, suffix, i, m)))
	}
	for i := range messages {
		if n := (i+1)*gap + gap/2; r.others {
			put(t, b, fmt.Appendf(nil, "%08d", n), fmt.Appendf(nil, `{"kind":"status","seq":%d,"payload":{"state":"s"}}`, n))
		}
	}
	if err := b.SetSequence(uint64(r.sequence(len(messages)))); err != nil {
		t.Fatal(err)
	}
}

// row is the value of a row.
func (r rows) row(conv, suffix string, i int, message string) string {
	if r.body != "" {
		message = `{"` + r.body + `":` + message + `}`
	}
	var members []string
	inner := strings.TrimSpace(message)
	inner = strings.TrimSpace(inner[1 : len(inner)-1])
	for _, m := range []string{r.before(conv, suffix, i), inner, r.behind(conv, suffix, i)} {
		if m != "" {
			members = append(members, m)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (r rows) get(t *testing.T, tx *bbolt.Tx, conv string) (messages []any) {
	b := bucket(t, tx, r.bucket(conv)...)
	var times []string
	for _, k := range keys(b, r.prefix(conv)) {
		row := object(t, b.Get([]byte(k)))
		if r.body != "" && row["kind"] != "message" {
			continue
		}
		at, err := r.check(conv, strings.TrimPrefix(k, r.prefix(conv)), row)
		if err != nil {
			t.Errorf("%s: key %q: %v", conv, k, err)
		}
		times = append(times, at)
		if r.body != "" {
			messages = append(messages, row[r.body])
		} else {
			messages = append(messages, row)
		}
	}
	increasing(t, conv, times)
	return messages
}

// increasing wants times that sort as they stand.
func increasing(t *testing.T, conv string, times []string) {
	t.Helper()
	var last time.Time
	for i, s := range times {
		if s == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil || !at.After(last) {
			t.Errorf("%s: message %d is of %s, the one before of %s: %v", conv, i, s, stamp(last), err)
		}
		last = at
	}
}

func makeBucket(t *testing.T, tx *bbolt.Tx, path ...string) *bbolt.Bucket {
	t.Helper()
	b, err := tx.CreateBucketIfNotExists([]byte(path[0]))
	for _, name := range path[1:] {
		if err == nil {
			b, err = b.CreateBucketIfNotExists([]byte(name))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// object decodes a row. Numbers keep their spelling.
func object(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var row map[string]any
	if err := d.Decode(&row); err != nil {
		t.Errorf("no object: %v\n%s", err, raw)
	}
	return row
}

// take removes a member and returns its text.
func take(row map[string]any, name string) string {
	v := row[name]
	delete(row, name)
	return fmt.Sprint(v)
}

func be64(i int) string { return string(binary.BigEndian.AppendUint64(nil, uint64(i*gap+gap))) }

func be32(i int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(i*gap+gap))) }

func padded(i int) string { return fmt.Sprintf("%08d", i*gap+gap) }

func hex(i int) string { return fmt.Sprintf("%08x", i*gap+gap) }

func ulidAt(i int) string { return ulid(timeOf(i), 1<<40+uint64(i)*977) }

// uuid7At is a UUID of version 7 of a time.
func uuid7At(i int) string {
	at := timeOf(i).UnixMilli()
	return fmt.Sprintf("%08x-%04x-7%03x-b%03x-%012x", at>>16, at&0xffff, i*977%4096, i*131%4096, 1<<40+i*977)
}

// uuid makes an id that sorts in no order.
func uuid(conv string, i int) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", conv, i)
	n := h.Sum64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", uint32(n), uint16(n>>32), n>>48&0xfff, n>>40&0xfff, n>>8&0xffffffffffff)
}
