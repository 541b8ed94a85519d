//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// TestDamagedJournal undoes journals that were cut off, flipped, shuffled and
// stuffed. Whatever comes of it, every record is as before or as repaired, and
// the app's writes are not touched.
func TestDamagedJournal(t *testing.T) {
	s := newScene(t)
	var lines []string
	for i := range 40 {
		h := strings.Replace(poisonedHistory, "list", strings.Repeat("x", i*i), 1)
		lines = append(lines, fmt.Sprintf("chat/%02d %s", i, h))
	}
	s.db("a.db", lines...)
	before := strings.Split(s.dump("a.db"), "\n")
	s.exits(0, "repair", "--quiet", "--no-backup", "--batch-bytes", "5000", "a.db")
	after := strings.Split(s.dump("a.db"), "\n")
	copyFile(t, s.path("repaired"), s.path("a.db"))
	journal := glob(t, s.path("*.journal"))[0]
	whole, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		for _, f := range glob(t, s.path("a.db*")) {
			os.Remove(f)
		}
		copyFile(t, s.path("a.db"), s.path("repaired"))
		if err := os.WriteFile(journal, damaged(r, whole, i), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		code := Run(context.Background(), []string{"undo", journal}, nil, &stdout, &stderr)
		if code < 0 || code > 3 || strings.Count(stderr.String(), "\n") > 1 {
			t.Errorf("damage %d: exit %d\n%s", i, code, stderr.String())
		}
		for n, l := range strings.Split(s.dump("a.db"), "\n") {
			if l != before[n] && l != after[n] {
				t.Errorf("damage %d: a record is neither as before nor as repaired: %.200s", i, l)
			}
		}
	}
}

// damaged does one of some things to a journal.
func damaged(r *rand.Rand, whole []byte, how int) []byte {
	b := bytes.Clone(whole)
	lines := bytes.SplitAfter(b, []byte("\n"))
	at := r.IntN(len(lines) - 1)
	switch how % 6 {
	case 0:
		return b[:r.IntN(len(b))]
	case 1:
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		return b
	case 2: // a line twice
		lines = append(lines[:at+1:at+1], lines[at:]...)
	case 3: // a line gone
		lines = append(lines[:at:at], lines[at+1:]...)
	case 4: // two lines in the other order
		lines[at], lines[at+1] = lines[at+1], lines[at]
	default: // bytes that are none of ours
		at := r.IntN(len(b))
		return bytes.Join([][]byte{b[:at], []byte("\x00{}\n\xff"), b[at:]}, nil)
	}
	return bytes.Join(lines, nil)
}

// TestForeignJournal: a journal of another database, or of another repair of
// this one, changes nothing that it does not know.
func TestForeignJournal(t *testing.T) {
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	s.db("b.db", "chat/a "+strings.Replace(poisonedHistory, "list", "other", 1))
	for _, name := range []string{"a.db", "b.db"} {
		s.exits(0, "repair", "--quiet", "--no-backup", name)
	}
	b := s.stamp("b.db")
	got := s.run("undo", "a.db.boltmend-2.journal", "b.db")
	s.want(got, 2, "", "boltmend: b.db: DIR/a.db.boltmend-2.journal: the journal is of another database (DIR/a.db): record chat/a is not in DIR/b.db\n")

	// Another file under the journal's own name, as after a reinstall.
	if err := os.Rename(s.path("b.db"), s.path("a.db")); err != nil {
		t.Fatal(err)
	}
	if got := s.run("undo", "a.db.boltmend-2.journal"); got.code != 1 || !strings.Contains(got.stdout, "left alone, the app has written since: 1 record\n  chat/a\n") {
		t.Errorf("%+v", got)
	}
	if s.stamp("a.db") != b {
		t.Error("the other database has changed")
	}
	s.has("a.db", "a.db.boltmend-2.journal", "b.db.boltmend-2.journal")
}
