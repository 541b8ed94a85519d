//go:build unix

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/internal/dbtext"
)

// The tests in hostile_*_test.go are about what goes wrong around a repair:
// files that are none, locks, full disks, signals, and values that were made
// to break something. They run the program as a user does.

// The conversations that they use: one with a call that has no result, and
// one that is sound.
const (
	poisonedHistory = `[{"role":"user","content":"list"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"ls","arguments":"{}"}}]}]`
	repairedHistory = `[{"role":"user","content":"list"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_a","content":"[interrompu]"}]`
	soundHistory    = `[{"role":"user","content":"hello"}]`
)

// A scene is a folder in which the program is run.
type scene struct {
	*testing.T
	dir string
}

func newScene(t *testing.T) scene {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	return scene{t, t.TempDir()}
}

func (s scene) path(name string) string { return filepath.Join(s.dir, name) }

// db makes a database of lines as dbtext reads them.
func (s scene) db(name string, lines ...string) {
	s.Helper()
	if err := dbtext.Make(s.path(name), strings.Join(lines, "\n"), nil); err != nil {
		s.Fatal(err)
	}
}

// put stores one value of any bytes, with nothing synced.
func (s scene) put(name string, bucket []string, key string, value []byte) {
	s.Helper()
	db, err := bbolt.Open(s.path(name), 0o600, &bbolt.Options{Timeout: time.Second, NoSync: true, PageSize: 4096})
	if err != nil {
		s.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte(bucket[0]))
		for _, n := range bucket[1:] {
			if err == nil {
				b, err = b.CreateBucketIfNotExists([]byte(n))
			}
		}
		if err != nil {
			return err
		}
		return b.Put([]byte(key), value)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		s.Fatal(err)
	}
}

// get reads one value of a top-level bucket.
func (s scene) get(name, bucket, key string) (value []byte) {
	s.Helper()
	db, err := bbolt.Open(s.path(name), 0, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		value = bytes.Clone(tx.Bucket([]byte(bucket)).Get([]byte(key)))
		return nil
	})
	if err != nil {
		s.Fatal(err)
	}
	return value
}

// An outcome is what a run of the program left to see.
type outcome struct {
	code        int
	stdout, err string
}

// command is the program, to be run in the scene.
func (s scene) command(args ...string) *exec.Cmd {
	cmd := exec.Command("boltmend", args...)
	cmd.Dir = s.dir
	return cmd
}

// run runs the program.
func (s scene) run(args ...string) outcome {
	s.Helper()
	return s.finish(s.command(args...))
}

// finish runs a command to its end. The scene's folder is written as DIR.
func (s scene) finish(cmd *exec.Cmd) outcome {
	s.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	plain := func(b bytes.Buffer) string { return strings.ReplaceAll(b.String(), s.dir, "DIR") }
	return outcome{cmd.ProcessState.ExitCode(), plain(stdout), plain(stderr)}
}

// want checks an outcome in full.
func (s scene) want(got outcome, code int, stdout, stderr string) {
	s.Helper()
	if got.code != code || got.stdout != stdout || got.err != stderr {
		s.Errorf("got exit %d\n%s%s\nwant exit %d\n%s%s", got.code, got.stdout, got.err, code, stdout, stderr)
	}
}

// exits checks no more than the exit code.
func (s scene) exits(code int, args ...string) {
	s.Helper()
	if got := s.run(args...); got.code != code {
		s.Errorf("%q: exit %d, want %d\n%s%s", args, got.code, code, got.stdout, got.err)
	}
}

// has checks which files are in the scene.
func (s scene) has(want ...string) {
	s.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := fmt.Sprint(names), fmt.Sprint(want); got != want {
		s.Errorf("the folder has %s, want %s", got, want)
	}
}

// stamp is the bytes of a file and when it was written.
func (s scene) stamp(name string) string {
	s.Helper()
	b, err := os.ReadFile(s.path(name))
	if err != nil {
		s.Fatal(err)
	}
	st, err := os.Stat(s.path(name))
	if err != nil {
		s.Fatal(err)
	}
	return hash(string(b)) + " " + st.ModTime().String()
}

// dump is all that a database holds.
func (s scene) dump(name string) string {
	s.Helper()
	return dumpOf(s.T, s.path(name))
}

// TestScanWritesNothing: looking, and repairing what is sound, leaves the
// bytes and the time of a file alone.
func TestScanWritesNothing(t *testing.T) {
	s := newScene(t)
	s.db("sound.db", "chat/a "+soundHistory, "chat/b "+repairedHistory, "log/x text")
	s.db("bad.db", "chat/a "+poisonedHistory)
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"sound.db", "bad.db"} {
		if err := os.Chtimes(s.path(name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	sound, bad := s.stamp("sound.db"), s.stamp("bad.db")
	s.want(s.run("scan", "sound.db"), 0, "sound.db: sound: 2 conversations\n", "")
	s.want(s.run("repair", "sound.db"), 0, "sound.db: sound: 2 conversations\n", "")
	s.exits(0, "repair", "--dry-run", "sound.db")
	s.exits(0, "inspect", "sound.db", "bad.db")
	s.exits(1, "scan", "--all", "bad.db")
	s.exits(1, "repair", "--dry-run", "bad.db")
	s.exits(1, "show", "--diff", "bad.db", "chat/a")
	s.exits(0, "repair", "--output", "new.db", "bad.db")
	if s.stamp("sound.db") != sound || s.stamp("bad.db") != bad {
		t.Error("a file has changed")
	}
	s.has("bad.db", "new.db", "sound.db")
}

// TestRepairTwice: the second repair changes no byte.
func TestRepairTwice(t *testing.T) {
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory, "chat/b "+soundHistory)
	s.exits(0, "repair", "a.db")
	after := s.stamp("a.db")
	s.want(s.run("repair", "a.db"), 0, "a.db: sound: 2 conversations\n", "")
	if s.stamp("a.db") != after {
		t.Error("the second repair has changed the file")
	}
	s.has("a.db", "a.db.boltmend-2.bak", "a.db.boltmend-2.journal")
}
