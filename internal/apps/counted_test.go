package apps

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"go.etcd.io/bbolt"
)

// counted rows have a sidecar that says how many there are, which is the last,
// which number is the next, and lists all of them.
type counted struct{ rows }

type rowCounts struct {
	ID           string   `json:"id"`
	MessageCount int      `json:"message_count"`
	LastSeq      int      `json:"last_seq"`
	NextSeq      string   `json:"next_seq"`
	LastKey      string   `json:"last_key,omitempty"`
	Keys         []string `json:"message_keys"`
}

// countsOf are the counts of rows with some keys, whose last eight digits are
// their number.
func countsOf(t *testing.T, conv string, keys []string) rowCounts {
	t.Helper()
	c := rowCounts{ID: conv, MessageCount: len(keys), Keys: keys}
	if len(keys) > 0 {
		c.LastKey = keys[len(keys)-1]
		if _, err := fmt.Sscanf(c.LastKey[len(c.LastKey)-8:], "%d", &c.LastSeq); err != nil {
			t.Fatal(err)
		}
	}
	c.NextSeq = fmt.Sprintf("%08d", c.LastSeq+1)
	return c
}

func (c counted) put(t *testing.T, tx *bbolt.Tx, conv string, messages []string) {
	c.rows.put(t, tx, conv, messages)
	rows := keys(bucket(t, tx, c.bucket(conv)...), c.prefix(conv))
	put(t, makeBucket(t, tx, "counted_sessions"), []byte(conv), countsOf(t, conv, rows))
	put(t, makeBucket(t, tx, "counted_last"), []byte("last_seq:"+conv), fmt.Append(nil, countsOf(t, conv, rows).LastSeq))
}

func (c counted) get(t *testing.T, tx *bbolt.Tx, conv string) []any {
	rows := keys(bucket(t, tx, c.bucket(conv)...), c.prefix(conv))
	want := countsOf(t, conv, rows)
	got := decode[rowCounts](t, bucket(t, tx, "counted_sessions").Get([]byte(conv)))
	next := 0
	if _, err := fmt.Sscanf(got.NextSeq, "%d", &next); err != nil || next <= want.LastSeq || len(got.NextSeq) != 8 {
		t.Errorf("%s: the next row would be %q, the last is %d", conv, got.NextSeq, want.LastSeq)
	}
	if len(rows) == 0 {
		want.LastSeq, want.LastKey = got.LastSeq, got.LastKey // of none there is no last
	}
	if want.NextSeq = got.NextSeq; !slices.Equal(got.Keys, want.Keys) || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: its row says %+v, and it is %+v", conv, got, want)
	}
	last := 0
	if err := json.Unmarshal(bucket(t, tx, "counted_last").Get([]byte("last_seq:"+conv)), &last); err != nil || last != got.LastSeq {
		t.Errorf("%s: the lone number is %d, the last row %d", conv, last, got.LastSeq)
	}
	return c.rows.get(t, tx, conv)
}

var countedRows = counted{rows{
	bucket: flat("counted"), sequence: unused, prefix: func(conv string) string { return conv + "/" }, key: padded,
	before: noMembers, behind: noMembers, check: nothingToCheck,
}}
