package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/internal/oracle"
	"boltmend/store"
)

var (
	models  = flag.Int("models", 25, "how many random databases to repair")
	modelOf = flag.String("models-of", "openai-chat,anthropic,pi", "of which dialects their histories are")
)

// TestModel repairs random databases of random histories between values that
// are none, and holds each against what a repair may do: a dry run says the
// same; the values that it names have the new hash and the others every byte;
// a validator accepts what is said to be right; a repaired copy holds the
// same; a second repair changes no byte of the file; an undo gives back every
// bucket, key, value and sequence.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip("repairs many databases")
	}
	for seed := range uint64(*models) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			m := &model{T: t, r: rand.New(rand.NewPCG(seed, 1)), path: filepath.Join(t.TempDir(), "m.db")}
			m.make()
			m.scanned()
			m.repaired()
			m.undone()
		})
	}
}

// A model is a random database and what is known of it.
type model struct {
	*testing.T
	r      *rand.Rand
	path   string
	before map[string]string // values by ref
	seqs   map[string]uint64
	dry    []line
}

// A line is one line of JSON of a report.
type line map[string]any

func (l line) text(name string) string { s, _ := l[name].(string); return s }

// run runs a command and returns its report.
func (m *model) run(want []int, args ...string) []line {
	m.Helper()
	var out, errs bytes.Buffer
	code := Run(context.Background(), args, strings.NewReader(""), &out, &errs)
	ok := false
	for _, w := range want {
		ok = ok || code == w
	}
	if !ok {
		m.Fatalf("%v: exit %d, want %v\n%s", args, code, want, errs.String())
	}
	var all []line
	for d := json.NewDecoder(&out); d.More(); {
		var l line
		if err := d.Decode(&l); err != nil {
			m.Fatal(err)
		}
		all = append(all, l)
	}
	if n := len(all); n == 0 || all[n-1].text("type") != "summary" || all[n-1]["exit"] != float64(code) {
		m.Fatalf("%v: no summary with exit %d at the end", args, code)
	}
	return all
}

// scanned scans and plans, and looks that nothing has happened to the file.
func (m *model) scanned() {
	file := m.file()
	m.run([]int{0, 1}, "scan", "--json", "--all", m.path)
	m.run([]int{0}, "inspect", "--json", m.path)
	m.dry = m.run([]int{0, 1}, "repair", "--json", "--all", "--dry-run", m.path)
	if m.file() != file {
		m.Error("a command that only looks has changed the file")
	}
}

// repaired repairs twice.
func (m *model) repaired() {
	copied := m.path + ".new"
	m.run([]int{0, 1}, "repair", "--json", "--output", copied, m.path)
	wet := m.run([]int{0, 1}, "repair", "--json", "--all", m.path)
	if a, b := bare(m.dry), bare(wet); a != b {
		m.Errorf("a dry run says\n%s\nand the repair\n%s", a, b)
	}
	now, seqs := m.values(m.path)
	if v, q := m.values(copied); fmt.Sprint(v, q) != fmt.Sprint(now, seqs) {
		m.Error("the repaired copy holds something else")
	}
	for ref, seq := range m.seqs {
		if seqs[ref] != seq {
			m.Errorf("sequence of %s: %d, was %d", ref, seqs[ref], seq)
		}
	}
	changed := map[string]bool{}
	for _, l := range wet {
		switch l.text("type") {
		case "change":
			ref := l.text("ref")
			changed[ref] = true
			if l.text("old") != hash(m.before[ref]) || l.text("new") != hash(now[ref]) {
				m.Errorf("%s: not the hashes of its values before and after", ref)
			}
		case "history":
			m.accepted(l, now)
		}
	}
	for ref, v := range m.before {
		if _, ok := now[ref]; !ok || !changed[ref] && now[ref] != v {
			m.Errorf("%s changed or went, and no line says so", ref)
		}
	}
	if len(now) != len(m.before) {
		m.Errorf("%d values, before %d", len(now), len(m.before))
	}
	if wet[len(wet)-1]["unrecognised"] != 0.0 {
		// A result that was made up may prove calls in the bucket to be calls.
		m.run([]int{0, 1}, "repair", "--json", m.path)
	}
	file := m.file()
	again := m.run([]int{0, 1}, "repair", "--json", m.path)
	if m.file() != file || again[len(again)-1]["fixed"] != 0.0 {
		m.Errorf("a second repair changed the file or fixed %v", again[len(again)-1]["fixed"])
	}
}

// accepted asks the validator for a history that is said to be right.
func (m *model) accepted(l line, now map[string]string) {
	if s := l.text("state"); s != "fixed" && s != "sound" || l.text("dialect") == "" {
		return
	}
	ref, _, _ := strings.Cut(l.text("ref"), "#")
	text := []byte(now[ref])
	for _, token := range strings.Split(l.text("path"), "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		var list []json.RawMessage
		if json.Unmarshal(text, &list) == nil {
			i, _ := strconv.Atoi(token)
			text = list[i]
			continue
		}
		members := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &members); err != nil {
			m.Fatal(err)
		}
		text = members[token]
	}
	check := oracle.For(l.text("dialect"))
	if check == nil {
		return
	}
	if err := check(text); err != nil {
		m.Errorf("%s is said to be %s: %v\nbefore %s\nafter %s", l.text("ref"), l.text("state"), err, m.before[ref], text)
	}
}

// undone undoes what was repaired.
func (m *model) undone() {
	journals, err := store.Journals(m.path)
	if err != nil {
		m.Fatal(err)
	}
	for _, j := range journals {
		m.run([]int{0}, "undo", "--json", j)
	}
	now, seqs := m.values(m.path)
	if fmt.Sprint(now) != fmt.Sprint(m.before) || fmt.Sprint(seqs) != fmt.Sprint(m.seqs) {
		m.Error("undo did not give back what was there")
	}
}

// file is the hash of the file and its time.
func (m *model) file() string {
	m.Helper()
	b, err := os.ReadFile(m.path)
	if err != nil {
		m.Fatal(err)
	}
	st, err := os.Stat(m.path)
	if err != nil {
		m.Fatal(err)
	}
	return hash(string(b)) + st.ModTime().String()
}

// values reads all values and sequences, and runs bbolt's own check.
func (m *model) values(path string) (map[string]string, map[string]uint64) {
	m.Helper()
	values, seqs := map[string]string{}, map[string]uint64{}
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: time.Second})
	if err != nil {
		m.Fatal(err)
	}
	defer db.Close()
	var walk func(path [][]byte, b *bbolt.Bucket) error
	walk = func(path [][]byte, b *bbolt.Bucket) error {
		ref := store.EncodePath(path)
		seqs[ref] = b.Sequence()
		return b.ForEach(func(k, v []byte) error {
			if v == nil {
				return walk(append(path[:len(path):len(path)], k), b.Bucket(k))
			}
			values[ref+"/"+store.EncodeName(k)] = string(v)
			return nil
		})
	}
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			m.Errorf("bbolt's check: %v", err)
		}
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error { return walk([][]byte{name}, b) })
	})
	if err != nil {
		m.Fatal(err)
	}
	return values, seqs
}

// bare is a report without what a dry run cannot have.
func bare(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		c := line{}
		for k, v := range l {
			if l.text("type") != "summary" || k != "dry_run" && k != "backup" && k != "journal" && k != "exit" {
				c[k] = v
			}
		}
		text, _ := json.Marshal(c)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
