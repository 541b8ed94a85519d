//go:build unix

package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"boltmend/internal/dbtext"
	"boltmend/store"
)

var kills = flag.Int("kills", 22, "how many times to kill a repair between its first and its last commit")

const (
	killRecords = 240
	killBytes   = 20 << 10 // of each record
)

// TestKill kills a repair with SIGKILL again and again between its first and
// its last commit. Each time every record is whole, as before or as repaired,
// bbolt's own check is clean, the same command finishes, and undoing both
// journals gives back what was there.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	origin := filepath.Join(dir, "origin.db")
	makeKillFile(t, origin)
	before := dumpOf(t, origin)
	want := repairedValues(t, origin)
	counted, tries := 0, 0
	for counted < *kills {
		if tries++; tries > 5**kills {
			t.Fatalf("only %d of %d kills came between the first and the last commit", counted, tries)
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.db", tries))
		copyFile(t, path, origin)
		between := killOnce(t, path, tries)
		if done := wholeRecords(t, path, before, want); between != (done > 0 && done < killRecords) {
			t.Fatalf("kill %d: %d records repaired, between commits %v", tries, done, between)
		}
		if between {
			counted++
		}
		finishAndUndo(t, path, before)
		for _, f := range glob(t, path+"*") {
			os.Remove(f)
		}
	}
	t.Logf("%d kills between the first and the last commit, of %d", counted, tries)
}

// makeKillFile makes poisoned conversations of some 20 KiB.
func makeKillFile(t *testing.T, path string) {
	t.Helper()
	var text strings.Builder
	for i := range killRecords {
		fmt.Fprintf(&text, "chats/%04d ", i)
		fmt.Fprintf(&text, `[{"role":"user","content":"%s"},`, strings.Repeat(fmt.Sprintf("word%d ", i), killBytes/8))
		fmt.Fprintf(&text, `{"role":"assistant","tool_calls":[{"id":"call_%d","type":"function","function":{"name":"f","arguments":"{}"}}]}]`, i)
		text.WriteString("\n")
	}
	if err := dbtext.Make(path, text.String(), nil); err != nil {
		t.Fatal(err)
	}
}

// repairCommandLine repairs in batches of 64 KiB, which is some 70 of them.
func repairCommandLine(path string) *exec.Cmd {
	return exec.Command("boltmend", "repair", "--batch-bytes", "65536", path)
}

// killOnce starts a repair and kills it after some commits. It reports
// whether that was between the first and the last one.
func killOnce(t *testing.T, path string, n int) bool {
	t.Helper()
	first, killed := killAfter(t, path, n, 50)
	return killed && txid(t, path) > first && repairedCount(t, path) < killRecords
}

// killAfter starts a repair and kills it after fewer than commits of them. It returns the
// newest transaction before the repair, and whether the repair was killed and
// not faster.
func killAfter(t *testing.T, path string, n, commits int) (first uint64, killed bool) {
	t.Helper()
	first = txid(t, path)
	cmd := repairCommandLine(path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	until := first + 1 + uint64(n*3%commits)
	for txid(t, path) < until {
		select {
		case err := <-exited:
			t.Fatalf("repair ended before it was killed: %v", err)
		case <-time.After(200 * time.Microsecond):
		}
	}
	cmd.Process.Kill()
	return first, <-exited != nil
}

// txid reads the newest transaction of a file with bbolt out of the way.
func txid(t *testing.T, path string) uint64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var newest uint64
	for page := range int64(2) {
		var b [8]byte
		if _, err := f.ReadAt(b[:], page*4096+16+48); err != nil {
			t.Fatal(err)
		}
		newest = max(newest, binary.LittleEndian.Uint64(b[:]))
	}
	return newest
}

// each calls fn for every record of a file, and runs bbolt's check.
func each(t *testing.T, path string, fn func(key string, value []byte)) {
	t.Helper()
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("bbolt's check: %v", err)
		}
		return tx.Bucket([]byte("chats")).ForEach(func(k, v []byte) error {
			fn(string(k), v)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func repairedCount(t *testing.T, path string) (n int) {
	t.Helper()
	each(t, path, func(_ string, v []byte) {
		if bytes.Contains(v, []byte("[interrompu]")) {
			n++
		}
	})
	return n
}

// repairedValues returns what a repair makes of each record.
func repairedValues(t *testing.T, origin string) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole.db")
	copyFile(t, path, origin)
	if out, err := repairCommandLine(path).CombinedOutput(); err != nil {
		t.Fatalf("repair: %v\n%s", err, out)
	}
	all := map[string]string{}
	each(t, path, func(key string, v []byte) { all[key] = string(v) })
	return all
}

// wholeRecords makes sure that each record is as before or as repaired, and
// counts the repaired ones.
func wholeRecords(t *testing.T, path, before string, want map[string]string) (repaired int) {
	t.Helper()
	n := 0
	each(t, path, func(key string, v []byte) {
		n++
		switch {
		case want[key] == string(v):
			repaired++
		case !json.Valid(v) || !strings.Contains(before, "chats/"+key+" "+string(v)+"\n"):
			t.Errorf("record %s is neither as before nor as repaired", key)
		}
	})
	if n != killRecords {
		t.Errorf("%d records, before %d", n, killRecords)
	}
	return repaired
}

// finishAndUndo runs the same command again and undoes all journals.
func finishAndUndo(t *testing.T, path, before string) {
	t.Helper()
	if out, err := repairCommandLine(path).CombinedOutput(); err != nil {
		t.Fatalf("the rerun: %v\n%s", err, out)
	}
	if n := repairedCount(t, path); n != killRecords {
		t.Errorf("after the rerun %d records are repaired", n)
	}
	journals, err := store.Journals(path)
	if err != nil || len(journals) == 0 {
		t.Fatalf("journals %v %v", journals, err)
	}
	for _, j := range journals {
		if out, err := exec.Command("boltmend", "undo", j).CombinedOutput(); err != nil {
			t.Fatalf("undo %s: %v\n%s", j, err, out)
		}
	}
	if dumpOf(t, path) != before {
		t.Error("undo did not give back what was there")
	}
}

func dumpOf(t *testing.T, path string) string {
	t.Helper()
	var b bytes.Buffer
	if err := dbtext.Dump(&b, path); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func copyFile(t *testing.T, to, from string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}
