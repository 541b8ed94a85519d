package apps

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

var layouts = []layout{
	plainDocuments.layout("document"),
	numbered("rows64", be64).layout("be64", "rows"),
	numbered("rows32", be32).layout("be32", "rows"),
	numbered("decimals", padded).layout("padded", "rows"),
	numbered("hex", hex).layout("hexadecimal", "rows"),
	inBucket("times", func(i int) string { return timeOf(i).Format("2006-01-02T15:04:05.000000000Z") }).layout("times to the nanosecond", "rows"),
	inBucket("seconds", func(i int) string { return stamp(timeOf(i)) }).layout("times to the second", "rows"),
	inBucket("ulids", ulidAt).layout("ulids", "rows"),
	inBucket("uuid7s", uuid7At).layout("UUIDs of version 7", "rows"),
	wrappedRows.layout("wrapped", "rows", "kind", "seq", "payload"),
	compositeULIDs.layout("composite ulids", "rows-composite", "id", "session_id", "created_at", "version"),
	compositePadded.layout("composite padded", "rows-composite", "seq"),
	compositeTimes.layout("composite times", "rows-composite"),
	{label: "counted", name: "rows-composite", put: countedRows.put, get: countedRows.get},
	{label: "listed", name: "rows-composite", adds: []string{"id", "session_id", "created_at", "version"}, put: listedRows.put, get: listedRows.get},
	{label: "field", name: "rows-field", adds: []string{"id", "session_id", "created_at"}, put: putByField, get: getByField},
	{label: "indexed", name: "rows-indexed", adds: []string{"id", "sessionId"}, put: indexed{"indexed", gap, ""}.put, get: indexed{"indexed", gap, ""}.get},
	{label: "indexed in buckets", name: "rows-indexed", adds: []string{"id"}, put: indexed{"nested", gap, "/"}.put, get: indexed{"nested", gap, "/"}.get},
	{label: "indexed by name", name: "rows-indexed", adds: []string{"id"}, put: indexed{"named", gap, ":"}.put, get: indexed{"named", gap, ":"}.get},
}

// wrappedRows have the message in the payload of rows of kind message; rows of
// another kind stand between them.
var wrappedRows = rows{
	bucket: nested("envelopes"), prefix: noPrefix, key: padded, body: "payload", others: true, sequence: behindLast,
	before: func(_, suffix string, _ int) string {
		return `"kind":"message","seq":` + strings.TrimLeft(suffix, "0")
	},
	behind: noMembers,
	check: func(_, suffix string, row map[string]any) (string, error) {
		if n := take(row, "seq"); n != strings.TrimLeft(suffix, "0") {
			return "", fmt.Errorf("seq is %s", n)
		}
		return "", nil
	},
}

var compositeULIDs = rows{
	bucket: flat("turns"), sequence: unused, prefix: func(conv string) string { return "turn:" + conv + ":" }, key: ulidAt,
	before: func(conv, suffix string, _ int) string { return `"id":"` + suffix + `","session_id":"` + conv + `"` },
	behind: func(_, _ string, i int) string { return `"created_at":"` + stamp(timeOf(i)) + `","version":1` },
	check: func(conv, suffix string, row map[string]any) (string, error) {
		id, session, version := take(row, "id"), take(row, "session_id"), take(row, "version")
		if id != suffix || session != conv || version != "1" || len(id) != 26 {
			return "", fmt.Errorf("it says %s of %s, version %s", id, session, version)
		}
		return take(row, "created_at"), nil
	},
}

var compositePadded = rows{
	bucket: flat("entries"), sequence: unused, prefix: func(conv string) string { return conv + "/" }, key: padded,
	before: func(_, suffix string, _ int) string { return `"seq":` + strings.TrimLeft(suffix, "0") },
	behind: noMembers,
	check: func(_, suffix string, row map[string]any) (string, error) {
		if n := take(row, "seq"); n != strings.TrimLeft(suffix, "0") {
			return "", fmt.Errorf("seq is %s", n)
		}
		return "", nil
	},
}

// compositeTimes have a place with the separator in it.
var compositeTimes = rows{
	bucket: flat("said"), sequence: unused, prefix: func(conv string) string { return "msg:" + conv + ":" },
	key:    func(i int) string { return timeOf(i).Format("2006-01-02T15:04:05.000000000Z") },
	before: noMembers, behind: noMembers, check: nothingToCheck,
}

func putByField(t *testing.T, tx *bbolt.Tx, conv string, messages []string) {
	b := makeBucket(t, tx, "by_field")
	r := rows{
		before: func(_, suffix string, _ int) string { return `"id":"` + suffix + `","session_id":"` + conv + `"` },
		behind: func(_, _ string, i int) string { return `"created_at":"` + stamp(timeOf(i)) + `"` },
	}
	for i, m := range messages {
		put(t, b, []byte(uuid(conv, i)), []byte(r.row(conv, uuid(conv, i), i, m)))
	}
}

func getByField(t *testing.T, tx *bbolt.Tx, conv string) (messages []any) {
	b := bucket(t, tx, "by_field")
	var times []string
	at := map[string]any{}
	for _, k := range keys(b, "") {
		raw := b.Get([]byte(k))
		if !bytes.Contains(raw, []byte(`"`+conv+`"`)) {
			continue
		}
		row := object(t, raw)
		if row["session_id"] != conv {
			t.Errorf("%s is of %s", k, row["session_id"])
		}
		if id := take(row, "id"); id != k || len(k) != 36 {
			t.Errorf("%s: row %s says it is %s", conv, k, id)
		}
		delete(row, "session_id")
		s := take(row, "created_at")
		times, at[s] = append(times, s), row
	}
	sort.Slice(times, func(i, k int) bool {
		a, _ := time.Parse(time.RFC3339Nano, times[i])
		b, _ := time.Parse(time.RFC3339Nano, times[k])
		return a.Before(b)
	})
	increasing(t, conv, times)
	for _, s := range times {
		messages = append(messages, at[s])
	}
	return messages
}

// indexed rows have their order in a bucket beside them: one for all
// conversations, or one for each, in a bucket of its own or behind its name.
type indexed struct {
	bucket string
	gap    int
	mine   string // "", "/" or ":"
}

// order is the bucket that lists the rows of a conversation, and what stands in
// front of its entries.
func (x indexed) order(conv string) (path []string, prefix string) {
	switch path = []string{x.bucket + "-order"}; x.mine {
	case "/":
		return append(path, conv), ""
	case ":":
		return path, conv + ":"
	}
	return path, ""
}

func (x indexed) put(t *testing.T, tx *bbolt.Tx, conv string, messages []string) {
	path, prefix := x.order(conv)
	b, order := makeBucket(t, tx, x.bucket), makeBucket(t, tx, path...)
	n := 0
	if last := keys(order, prefix); len(last) > 0 {
		var err error
		if n, err = strconv.Atoi(strings.TrimPrefix(last[len(last)-1], prefix)); err != nil {
			t.Fatal(err)
		}
	}
	r := rows{
		before: func(_, suffix string, _ int) string { return `"id":"` + suffix + `"` },
		behind: func(string, string, int) string {
			if x.mine != "" {
				return ""
			}
			return `"sessionId":"` + conv + `"`
		},
	}
	for i, m := range messages {
		id := uuid(conv, i)
		put(t, b, []byte(id), []byte(r.row(conv, id, i, m)))
		put(t, order, fmt.Appendf(nil, "%s%019d", prefix, n+(i+1)*x.gap), []byte(id))
	}
}

func (x indexed) get(t *testing.T, tx *bbolt.Tx, conv string) (messages []any) {
	path, prefix := x.order(conv)
	b, order := bucket(t, tx, x.bucket), bucket(t, tx, path...)
	for _, k := range keys(order, prefix) {
		id := order.Get([]byte(k))
		raw := b.Get(id)
		if raw == nil {
			t.Errorf("order %s names a row that is not there: %s", k, id)
			continue
		}
		if x.mine == "" && !bytes.Contains(raw, []byte(`"`+conv+`"`)) {
			continue
		}
		row := object(t, raw)
		delete(row, "sessionId")
		if got := take(row, "id"); got != string(id) {
			t.Errorf("%s: row %s says it is %s", conv, id, got)
		}
		messages = append(messages, row)
	}
	return messages
}
