//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

func matches(pattern, s string) bool { return regexp.MustCompile(pattern).MatchString(s) }

// TestHostileValue puts a value that was made to break a parser beside two
// poisoned conversations. Those are repaired, the value keeps every byte, and
// one line tells if it could not be read.
func TestHostileValue(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		name  string
		value func() []byte
		says  string // of the value
	}{
		{"string of 256 MiB", func() []byte { return wrapped(`"`, `x`, 256*mib, `"`) }, ""},
		{"string of 256 MiB in an array", func() []byte { return wrapped(`["`, `x`, 256*mib, `"]`) }, ""},
		{"256 MiB of brackets", func() []byte { return wrapped(``, `[`, 256*mib, ``) }, "json nested deeper than 10000 levels"},
		{"64 MiB of ones", func() []byte { return wrapped(`[1`, `,1`, 32*mib, `]`) }, ""},
		{"ones without an end", func() []byte { return wrapped(`[1`, `,1`, mib, ``) },
			"begins as JSON and is none: offset 2097154: unexpected end of input"},
		{"100,000 arrays", func() []byte { return wrapped(``, `[`, 1e5, strings.Repeat("]", 1e5)) }, "json nested deeper than 10000 levels"},
		{"100,000 objects", func() []byte { return wrapped(``, `{"a":`, 1e5, `1`+strings.Repeat("}", 1e5)) }, "json nested deeper than 10000 levels"},
		{"10,000 objects around a history", func() []byte { return wrapped(``, `{"a":`, 9996, soundHistory+strings.Repeat("}", 9996)) }, ""},
		{"invalid UTF-8", func() []byte { return []byte("[{\"role\":\"user\",\"content\":\"\xff\xfe\xc0\x80\"}]") }, ""},
		{"lone surrogates and a key twice", func() []byte { return []byte(`[{"role":"x","role":"user","content":"\ud800","content":"\udfff"}]`) }, ""},
		{"a number of 100,000 digits", func() []byte { return wrapped(`[{"role":"user","content":1`, `0`, 1e5, `}]`) }, ""},
		{"zeros", func() []byte { return make([]byte, mib) }, ""},
		{"a bracket", func() []byte { return []byte(`[`) }, "begins as JSON and is none: offset 1: unexpected end of input"},
		{"a string that does not end", func() []byte { return []byte(`["\`) }, "begins as JSON and is none: offset 3: unexpected end of input"},
		{"nothing", func() []byte { return []byte{} }, ""},
	} {
		t.Run(c.name, func(t *testing.T) { newScene(t).besideHostile(c.value(), c.says) })
	}
}

// wrapped is n times a text between two others.
func wrapped(before, again string, n int, behind string) []byte {
	return slices.Concat([]byte(before), bytes.Repeat([]byte(again), n), []byte(behind))
}

func (s scene) besideHostile(value []byte, says string) {
	s.Helper()
	s.put("a.db", []string{"chat"}, "a", []byte(poisonedHistory))
	s.put("a.db", []string{"chat"}, "z", []byte(poisonedHistory))
	// In a bucket of its own a large value need not be written again.
	s.put("a.db", []string{"chat", "inner"}, "a", []byte(soundHistory))
	s.put("a.db", []string{"chat", "inner"}, "h", value)
	found := " conversations.*\n  chat/a#: 1 call without a result \\(call_a\\)\n  chat/z#: 1 call without a result \\(call_a\\)\n"
	if says != "" {
		found += "unreadable: 1 value\n  chat/inner/h: " + says + "\n"
	}
	if len(value) <= 1<<20 { // a repair reads it in the same way
		if got := s.run("scan", "a.db"); got.code != 1 || !matches("^a.db: poisoned: 2 of [34]"+found, got.stdout) || got.err != "" {
			s.Errorf("scan: %+v", got)
		}
	}
	if got := s.run("repair", "--no-backup", "a.db"); got.code != 0 || !matches("^a.db: repaired: 2 of [34]"+found, got.stdout) || got.err != "" {
		s.Errorf("repair: %+v", got)
	}
	s.each("a.db", func(path, key string, v []byte) {
		switch {
		case path == "chat/inner/" && key == "h":
			if !bytes.Equal(v, value) {
				s.Error("the hostile value has changed")
			}
		case path == "chat/" && string(v) != repairedHistory:
			s.Errorf("%s%s is %s", path, key, v)
		}
	})
}

// each calls fn for every value, to any depth, and runs bbolt's own check.
func (s scene) each(name string, fn func(path, key string, value []byte)) {
	s.Helper()
	db, err := bbolt.Open(s.path(name), 0, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: time.Second})
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	var walk func(path string, b *bbolt.Bucket) error
	walk = func(path string, b *bbolt.Bucket) error {
		return b.ForEach(func(k, v []byte) error {
			if v == nil {
				return walk(path+string(k)+"/", b.Bucket(k))
			}
			fn(path, string(k), v)
			return nil
		})
	}
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			s.Errorf("bbolt's check: %v", err)
		}
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error { return walk(string(name)+"/", b) })
	})
	if err != nil {
		s.Fatal(err)
	}
}

// TestHostileNames: keys and bucket names may be any bytes, very long, or very
// deep. Each conversation has a ref of one plain word, by which it alone is
// repaired, and nothing raw gets to the terminal.
func TestHostileNames(t *testing.T) {
	s := newScene(t)
	deep := []string{"chat"}
	for i := range 2000 {
		deep = append(deep, fmt.Sprint("b", i))
	}
	for _, at := range [][]string{
		{"chat", "\xff\xfe\x1b[31m\n"}, {"chat", "\x9b31m\u202e"}, {"\x1b]0;owned\x07", "k"}, {"chat", strings.Repeat("k", 32768)},
		{"chat", strings.Repeat("\x00", 32768)}, {"chat", "~"}, {"chat", "%2F/#"}, {"a/b", "c"}, {"a", "b/c"}, {"--only", "-"}, append(deep, "key"),
	} {
		s.put("a.db", at[:len(at)-1], at[len(at)-1], []byte(poisonedHistory))
	}
	s.plain(s.run("scan", "--all", "a.db"), 1)
	s.plain(s.run("inspect", "a.db"), 0)
	s.plain(s.run("repair", "--dry-run", "a.db"), 1)
	refs := s.refs("a.db")
	if len(refs) != 11 {
		t.Errorf("%d poisoned conversations, want 11", len(refs))
	}
	for i, ref := range refs {
		if !matches(`^[A-Za-z0-9._:~%/#@-]+$`, ref) {
			t.Errorf("not a plain word: %.80q", ref)
		}
		if i%3 == 0 { // one by one, then all
			s.plain(s.run("repair", "--no-backup", "--only", ref, "a.db"), 0)
			s.plain(s.run("scan", "--only", ref, "a.db"), 0)
			if left := s.refs("a.db"); len(left) != 10-i/3 {
				t.Errorf("after the repair of one, %d are left", len(left))
			}
		}
	}
	s.plain(s.run("repair", "a.db"), 0)
	s.exits(0, "scan", "--quiet", "a.db")
	for _, j := range glob(t, s.path("*.journal")) {
		s.plain(s.run("undo", j), 0)
	}
	if left := s.refs("a.db"); len(left) != 11 {
		t.Errorf("after all were undone, %d are poisoned", len(left))
	}
}

// refs lists the refs of the histories with findings.
func (s scene) refs(name string) (refs []string) {
	s.Helper()
	for d := json.NewDecoder(strings.NewReader(s.run("scan", "--json", name).stdout)); d.More(); {
		var l struct{ Type, Ref string }
		if err := d.Decode(&l); err != nil {
			s.Fatal(err)
		}
		if l.Type == "history" {
			refs = append(refs, l.Ref)
		}
	}
	return refs
}

// plain checks that a report has nothing that a terminal could act on.
func (s scene) plain(got outcome, code int) {
	s.Helper()
	if got.code != code {
		s.Errorf("exit %d, want %d: %.300s", got.code, code, got.err)
	}
	if raw := regexp.MustCompile(`[^ -~\n–…]`).FindString(got.stdout + got.err); raw != "" {
		s.Errorf("%q gets to the terminal", raw)
	}
}
