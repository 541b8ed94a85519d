//go:build unix

package cli

import (
	"fmt"
	"maps"
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

// killConversations is how many conversations of a message a key there are.
const killConversations = 120

// TestKillRows is TestKill on conversations that are spread over keys: each is
// whole, all its rows as before or all as repaired, with its sequence.
func TestKillRows(t *testing.T) {
	dir := t.TempDir()
	origin := filepath.Join(dir, "origin.db")
	makeKillRows(t, origin)
	before, want := rowsOf(t, origin), repairedRows(t, origin)
	if maps.Equal(before, want) {
		t.Fatal("repair changed nothing")
	}
	kills := max(1, *kills/4)
	counted, tries := 0, 0
	for counted < kills {
		if tries++; tries > 5*kills {
			t.Fatalf("only %d of %d kills came between the first and the last commit", counted, tries)
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.db", tries))
		copyFile(t, path, origin)
		first, killed := killAfter(t, path, tries, 19)
		done := wholeConversations(t, path, before, want)
		if killed && txid(t, path) > first && 0 < done && done < killConversations {
			counted++
		}
		finishRows(t, path, before, want)
		for _, f := range glob(t, path+"*") {
			os.Remove(f)
		}
	}
	t.Logf("%d kills between the first and the last commit, of %d", counted, tries)
}

// makeKillRows makes conversations in which a message of some 20 KiB stands
// between two results, and a call at the end has none: rows trade their
// places, and one is new.
func makeKillRows(t *testing.T, path string) {
	t.Helper()
	var text strings.Builder
	for i := range killConversations {
		calls := func(ids ...string) string {
			var list []string
			for _, id := range ids {
				list = append(list, `{"id":"`+id+`","type":"function","function":{"name":"f","arguments":"{}"}}`)
			}
			return `{"role":"assistant","tool_calls":[` + strings.Join(list, ",") + `]}`
		}
		for k, m := range []string{
			calls("a", "b"), `{"role":"tool","tool_call_id":"a","content":"1"}`,
			fmt.Sprintf(`{"role":"user","content":"%s"}`, strings.Repeat(fmt.Sprintf("word%d ", i), killBytes/8)),
			`{"role":"tool","tool_call_id":"b","content":"2"}`, calls("c"),
		} {
			fmt.Fprintf(&text, "chats/c%03d/%%00%%00%%00%%00%%00%%00%%00%%%02X %s\n", i, k+1, m)
		}
		fmt.Fprintf(&text, "sequence chats/c%03d 5\n", i)
	}
	if err := dbtext.Make(path, text.String(), nil); err != nil {
		t.Fatal(err)
	}
}

// rowsOf reads the rows of each conversation, and runs bbolt's check.
func rowsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string]string{}
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("bbolt's check: %v", err)
		}
		chats := tx.Bucket([]byte("chats"))
		return chats.ForEachBucket(func(name []byte) error {
			b := chats.Bucket(name)
			var rows strings.Builder
			fmt.Fprintln(&rows, b.Sequence())
			err := b.ForEach(func(k, v []byte) error {
				_, err := fmt.Fprintf(&rows, "%x %s\n", k, v)
				return err
			})
			all[string(name)] = rows.String()
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// repairedRows returns what a repair makes of each conversation.
func repairedRows(t *testing.T, origin string) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole.db")
	copyFile(t, path, origin)
	if out, err := repairCommandLine(path).CombinedOutput(); err != nil {
		t.Fatalf("repair: %v\n%s", err, out)
	}
	return rowsOf(t, path)
}

// wholeConversations makes sure that each conversation is as before or as
// repaired, and counts the repaired ones.
func wholeConversations(t *testing.T, path string, before, want map[string]string) (repaired int) {
	t.Helper()
	now := rowsOf(t, path)
	for name, rows := range now {
		switch rows {
		case want[name]:
			repaired++
		case before[name]:
		default:
			t.Errorf("conversation %s is neither as before nor as repaired", name)
		}
	}
	if len(now) != killConversations {
		t.Errorf("%d conversations, before %d", len(now), killConversations)
	}
	return repaired
}

// finishRows runs the same command again and undoes all journals.
func finishRows(t *testing.T, path string, before, want map[string]string) {
	t.Helper()
	if out, err := repairCommandLine(path).CombinedOutput(); err != nil {
		t.Fatalf("the rerun: %v\n%s", err, out)
	}
	if !maps.Equal(rowsOf(t, path), want) {
		t.Error("the rerun did not finish")
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
	if !maps.Equal(rowsOf(t, path), before) {
		t.Error("undo did not give back what was there")
	}
}
