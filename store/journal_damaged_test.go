package store

import (
	"fmt"
	"strings"
	"testing"
)

// A bit that flips in the middle of a journal parts it: what stands behind
// does not check out, and that is told.
func TestDamagedJournalIsTold(t *testing.T) {
	line := func(n int, kind, rest string) string {
		body := fmt.Sprintf(`{"n":%d,"type":"%s"%s`, n, kind, rest)
		return fmt.Sprintf("%s,\"crc\":\"%08x\"}\n", body, crcOf([]byte(body)))
	}
	head := line(0, typeHeader, `,"format":"`+journalFormat+`","version":1`)
	one := line(1, typeRecord, `,"ref":"a"`) + line(2, typeBatch, `,"batch":1,"txid":3,"records":1`)
	two := line(3, typeRecord, `,"ref":"b"`) + line(4, typeBatch, `,"batch":2,"txid":4,"records":1`)
	for name, c := range map[string]struct {
		text    string
		batches int
		damaged bool
	}{
		"whole":              {head + one + two, 2, false},
		"cut in a record":    {head + one + two[:20], 1, false},
		"cut in a batch":     {head + one + two[:len(two)-9], 1, false},
		"flipped in one":     {head + strings.Replace(one, `"a"`, `"c"`, 1) + two, 0, true},
		"flipped in a batch": {head + one + strings.Replace(two, `"txid":4`, `"txid":5`, 1), 1, true},
	} {
		j, err := readJournal(strings.NewReader(c.text), int64(len(c.text)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(j.Batches) != c.batches || j.Damaged != c.damaged {
			t.Errorf("%s: %d batches, damaged %v", name, len(j.Batches), j.Damaged)
		}
	}
}
