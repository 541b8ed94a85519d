package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// A rewriter is an app whose every transaction writes all values anew, so that
// the transaction after the next writes to the pages of this one.
type rewriter struct {
	testing.TB
	db *bolt.DB
	// now is the last transaction.
	now uint64
	// read tells that a value was read since it was last false.
	read bool
}

const rewritten = 300 // values

func newRewriter(t testing.TB, path string) *rewriter {
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true, NoGrowSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w := &rewriter{TB: t, db: db}
	w.commit()
	w.commit()
	return w
}

// commit writes all values. Each tells its key and its transaction.
func (w *rewriter) commit() {
	w.Helper()
	err := w.db.Update(func(tx *bolt.Tx) error {
		w.now = uint64(tx.ID())
		b, err := tx.CreateBucketIfNotExists([]byte("b"))
		for i := 0; i < rewritten && err == nil; i++ {
			// Sizes change, so that leaves begin with other keys.
			pad := strings.Repeat("x", 100+int(w.now*7+uint64(i))%150)
			err = b.Put([]byte(key(i)), fmt.Appendf(nil, "%s %d %s", key(i), w.now, pad))
		}
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
}

// pass walks once and returns what was false: values that are not of the state
// that was looked at, keys missing or twice, damage.
func (w *rewriter) pass(p *Pages) (wrong []string) {
	w.Helper()
	seen := 0
	walk := pageWalk{p: p, limit: atOnce}
	walk.fn = func(it Item) error {
		of := walk.state.metas.Meta[walk.state.metas.Live].TxID
		if want := fmt.Sprintf("%s %d x", it.Key, of); !strings.HasPrefix(string(it.Value), want) {
			wrong = append(wrong, fmt.Sprintf("value %.20q, want %q", it.Value, want))
		}
		if string(it.Key) != key(seen) {
			wrong = append(wrong, fmt.Sprintf("key %q, want %q", it.Key, key(seen)))
		}
		seen++
		w.read = true
		return nil
	}
	walk.push(level{chain: chain{info: &Bucket{}}})
	if err := walk.run(); err != nil {
		wrong = append(wrong, err.Error())
	}
	if seen != rewritten {
		wrong = append(wrong, fmt.Sprintf("%d values, want %d", seen, rewritten))
	}
	for _, problem := range p.list {
		wrong = append(wrong, problem.String())
	}
	p.list = nil
	return wrong
}

// TestLiveRule has the app commit twice between the metas and the leaf, each
// time before a leaf is read. With both metas read again behind it nothing false
// is seen; without, something is in every pass.
func TestLiveRule(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	w := newRewriter(t, path)
	p := openPages(t, path, Options{Live: true, LockWait: time.Minute})
	w.read = true
	p.between = func() {
		if w.read { // the second look at a leaf is in peace
			w.read = false
			w.commit()
			w.commit()
		}
	}
	for i := range 10 {
		p.blind = false
		before := p.Retries()
		if wrong := w.pass(p); len(wrong) > 0 {
			t.Fatalf("pass %d: %d things are false: %s", i, len(wrong), wrong[0])
		}
		if n := p.Retries() - before; n < 10 {
			t.Errorf("pass %d: only %d leaves were read again", i, n)
		}
		p.blind = true
		if wrong := w.pass(p); len(wrong) == 0 {
			t.Errorf("pass %d: nothing is false though the metas were not read again", i)
		}
	}
	if n := p.Passed(); n > 0 {
		t.Errorf("%d parts were passed over", n)
	}
}

// TestLiveOneCommit shows why one commit would do no harm: it writes to no page
// of the state before.
func TestLiveOneCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	w := newRewriter(t, path)
	p := openPages(t, path, Options{Live: true})
	p.blind = true
	for i := range 20 {
		first := true
		p.between = func() {
			if first {
				w.commit()
			}
			first = false
		}
		if wrong := w.pass(p); len(wrong) > 0 {
			t.Fatalf("pass %d: %d things are false: %s", i, len(wrong), wrong[0])
		}
	}
}

// A leaf that is written to without pause is named and passed over, and the
// walk ends.
func TestLivePassesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	w := newRewriter(t, path)
	p := openPages(t, path, Options{Live: true, LockWait: time.Millisecond})
	busy := false
	p.between = func() {
		if busy {
			w.commit()
		}
	}
	var got []string
	err := p.Walk(func(it Item) error {
		got = append(got, string(it.Key))
		busy = len(got) > 100 && p.Passed() < 2
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := p.Problems()
	if len(list) == 0 || p.Passed() != len(list) {
		t.Fatalf("%d passed over, %v", p.Passed(), list)
	}
	for _, problem := range list {
		if problem.Kind != KindBusy || problem.Severity != Passed || problem.Bucket != "b" || problem.KeyFrom < key(100) {
			t.Errorf("problem %+v", problem)
		}
	}
	if len(got) < 101 || len(got) >= rewritten {
		t.Errorf("%d values were read", len(got))
	}
	for i := 1; i < len(got); i++ {
		if got[i] <= got[i-1] {
			t.Errorf("%s behind %s", got[i], got[i-1])
		}
	}
}

// Damage in a file that is not written to is damage, whatever else moves.
func TestLiveDamage(t *testing.T) {
	path := newDB(t, nil, many(300, 300))
	sound := snap(t, path).bytes
	defer os.WriteFile(path, sound, 0o600)
	b := append([]byte(nil), sound...)
	var leaf uint64
	p := openPages(t, path, Options{Live: true})
	err := p.Walk(func(it Item) error {
		return errors.New("stop")
	}, nil)
	if err == nil || err.Error() != "stop" {
		t.Fatal(err)
	}
	for id := uint64(2); leaf == 0; id++ {
		if n, fault := p.fixed.Tree(p.files[0], int64(len(b))).Node(id); fault == nil && !n.Branch && n.Len() > 5 {
			leaf = id
		}
	}
	clear(b[leaf*4096:][:4096])
	os.WriteFile(path, b, 0o600)
	read := len(listed(t, p))
	list, _ := p.Problems()
	if len(list) != 1 || list[0].Page != leaf || list[0].Severity != page.Error || list[0].Bucket != "b" || read < 200 {
		t.Errorf("%d lines read, problems %v", read, list)
	}
}

// The app puts another file in place while it is read: the walk goes on in that.
func TestLiveReplaced(t *testing.T) {
	path := newDB(t, nil, many(200, 300))
	other := newDB(t, nil, many(400, 300))
	p := openPages(t, path, Options{Live: true})
	n := 0
	err := p.Walk(func(it Item) error {
		if n++; n == 50 {
			return os.Rename(other, path)
		}
		return nil
	}, nil)
	if err != nil || n != 400 || len(p.files) != 2 {
		t.Errorf("%d values of %d files, %v", n, len(p.files), err)
	}
	if err := os.WriteFile(other, snap(t, path).bytes, 0o600); err != nil { // for the check behind the test
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	err = p.Walk(func(Item) error { return nil }, nil)
	wantError(t, err, CodeNotDatabase, ErrNotDatabase, "no such file")
	if err := os.WriteFile(path, snap(t, other).bytes, 0o600); err != nil {
		t.Fatal(err)
	}
}

// On a network file system nothing is read without a lock, and with one the
// user is warned.
func TestPagesOnNetwork(t *testing.T) {
	p := Pages{path: "/srv/a.db", opts: Options{Live: true}}
	if err := p.from(""); err != nil || len(p.warn) > 0 {
		t.Errorf("%v, %q", err, p.warn)
	}
	wantError(t, p.from("NFS"), CodeUsage, ErrUsage, "is on NFS", "stop the app and run without --live")
	p.opts.Live = false
	if err := p.from("NFS"); err != nil || len(p.warn) != 1 {
		t.Errorf("%v, %q", err, p.warn)
	}
}
