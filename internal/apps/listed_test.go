package apps

import (
	"slices"
	"testing"

	"go.etcd.io/bbolt"
)

// listed rows are in order by their keys, and are listed in other buckets too:
// by conversation, and in the order of time.
type listed struct{ rows }

func (l listed) put(t *testing.T, tx *bbolt.Tx, conv string, messages []string) {
	l.rows.put(t, tx, conv, messages)
	for i, key := range keys(bucket(t, tx, l.bucket(conv)...), l.prefix(conv)) {
		put(t, makeBucket(t, tx, "listed_by_conversation", conv), []byte(key), []byte{})
		put(t, makeBucket(t, tx, "listed_by_name"), []byte(conv+"|"+key), []byte("1"))
		put(t, makeBucket(t, tx, "listed_by_number"), []byte(conv+":"+padded(i)), []byte(key))
	}
}

func (l listed) get(t *testing.T, tx *bbolt.Tx, conv string) []any {
	rows := keys(bucket(t, tx, l.bucket(conv)...), l.prefix(conv))
	if got := keys(bucket(t, tx, "listed_by_conversation", conv), ""); !slices.Equal(got, rows) {
		t.Errorf("%s: listed by conversation\n%q, and there are\n%q", conv, got, rows)
	}
	var named, numbered []string
	for _, key := range rows {
		named = append(named, conv+"|"+key)
	}
	if got := keys(bucket(t, tx, "listed_by_name"), conv+"|"); !slices.Equal(got, named) {
		t.Errorf("%s: listed by name\n%q, want\n%q", conv, got, named)
	}
	b := bucket(t, tx, "listed_by_number")
	for _, key := range keys(b, conv+":") {
		numbered = append(numbered, string(b.Get([]byte(key))))
	}
	if !slices.Equal(numbered, rows) {
		t.Errorf("%s: listed by number\n%q, and there are\n%q", conv, numbered, rows)
	}
	return l.rows.get(t, tx, conv)
}

var listedRows = func() listed {
	r := compositeULIDs
	r.bucket = flat("listed")
	return listed{r}
}()
