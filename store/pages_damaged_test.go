package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"boltmend/store/page"
)

// What is left of a damaged file is read, and what is not is named.
func TestPagesOfDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	path := newDB(t, &bolt.Options{PageSize: 1024}, func(tx *bolt.Tx) error {
		if err := many(100, 300)(tx); err != nil {
			return err
		}
		return plain(tx)
	})
	sound := snap(t, path).bytes
	defer os.WriteFile(path, sound, 0o600)
	if res, err := CheckPages(path, Options{}, 0, nil); err == nil {
		sound = sound[:res.Pages*1024] // the rest would only make the test slow
	}
	t.Logf("%d pages", len(sound)/1024)
	all := map[string]bool{}
	for _, l := range listed(t, openPages(t, path, Options{})) {
		all[l] = true
	}
	hwm := len(sound) / 1024
	partly := 0
	for i := range 400 {
		b := bytes.Clone(sound)
		at := (2 + r.IntN(hwm-2)) * 1024
		switch i % 5 {
		case 0: // one bit, where the structure is
			b[at+r.IntN(200)] ^= 1 << r.IntN(8)
		case 1:
			clear(b[at : at+1024])
		case 2:
			copy(b[at:at+1024], b[r.IntN(hwm)*1024:])
		case 3:
			copy(b[at+r.IntN(2)*512:], randomBytes(r, 512))
		case 4:
			b = b[:at]
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		res, err := CheckPages(path, Options{}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := openPages(t, path, Options{})
		left := listed(t, p)
		list, _ := p.Problems()
		if res.Errors == 0 && len(list) > 0 {
			t.Errorf("damage %d: the page check sees nothing, the walk %v", i, list)
		}
		missing := len(all)
		for _, l := range left {
			if all[l] {
				missing--
			}
		}
		// The page check does not look into values, and a count that is
		// too low hides elements.
		if missing > 0 && len(list) == 0 && res.Errors > 0 && len(left) < len(all) {
			t.Errorf("damage %d: %d lines are missing and nothing is named, errors %d", i, missing, res.Errors)
		}
		if len(list) > 0 && len(left) > 0 {
			partly++
		}
		p.Close()
	}
	t.Logf("%d of 400 read in part", partly)
	if partly < 100 {
		t.Errorf("only %d were read in part", partly)
	}
}

// Wherever pages lead, a walk ends: each number that names a page is set to each
// page, a bucket's root into itself and a branch into its parent among them.
func TestPagesEnd(t *testing.T) {
	path := newDB(t, &bolt.Options{PageSize: 1024}, func(tx *bolt.Tx) error {
		return errors.Join(many(20, 100)(tx), plain(tx))
	})
	sound := snap(t, path).bytes
	defer os.WriteFile(path, sound, 0o600)
	res, err := CheckPages(path, Options{}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := bytes.Clone(sound[:res.Pages*1024])
	hwm, tried := byte(res.Pages), 0
	for at := 2048; at < len(b); at += 8 {
		// What could be a page: a small number that fills eight bytes.
		if b[at] < 2 || b[at] >= hwm || !bytes.Equal(b[at+1:at+8], make([]byte, 7)) {
			continue
		}
		was := b[at]
		for b[at] = 2; b[at] < hwm; b[at]++ {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, live := range []bool{false, true} {
				p := openPages(t, path, Options{Live: live})
				if n := len(listed(t, p)); n > 100 {
					t.Errorf("page %d for %d at %d: %d lines", b[at], was, at, n)
				}
				p.Close()
			}
			tried++
		}
		b[at] = was
	}
	t.Logf("%d tried", tried)
	if tried < 50 {
		t.Errorf("only %d tried", tried)
	}
}

// One lost page costs what was on it, and its keys are named.
func TestPagesNamesRange(t *testing.T) {
	path := newDB(t, nil, many(300, 300))
	sound := snap(t, path).bytes
	defer os.WriteFile(path, sound, 0o600)
	leaf := 0
	for id := 2; id < len(sound)/4096; id++ { // any leaf in the middle
		if bytes.Contains(sound[id*4096:][:4096], []byte("k00150")) && sound[id*4096+8] == 2 {
			leaf = id
		}
	}
	b := bytes.Clone(sound)
	clear(b[leaf*4096:][:4096])
	os.WriteFile(path, b, 0o600)
	want := []page.Problem{}
	if _, err := CheckPages(path, Options{}, 0, func(p page.Problem) { want = append(want, p) }); err != nil {
		t.Fatal(err)
	}
	p := openPages(t, path, Options{})
	lines := listed(t, p)
	got, _ := p.Problems()
	if len(got) != 1 || len(want) != 1 || got[0].Page != want[0].Page || got[0].Kind != want[0].Kind ||
		got[0].Bucket != want[0].Bucket || got[0].KeyFrom != want[0].KeyFrom || got[0].KeyTo != want[0].KeyTo {
		t.Fatalf("problems\ngot  %v\nwant %v", got, want)
	}
	for i := range 300 {
		key := key(i)
		hidden := key >= got[0].KeyFrom && (got[0].KeyTo == "" || key < got[0].KeyTo)
		read := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "b/"+key+" ") })
		if read == hidden {
			t.Errorf("key %s is read: %v, between %s and %s", key, read, got[0].KeyFrom, got[0].KeyTo)
		}
	}
}
