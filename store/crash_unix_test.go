//go:build unix

package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// applyChild backs a database up and turns all values of the bucket "b" into
// upper case, in batches of that many bytes; a third argument is the folder for
// the backup.
func applyChild(args []string) error {
	batch, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	db, err := Open(args[0], Options{Write: true})
	if err != nil {
		return err
	}
	w, err := db.Begin(ctx, BeginOptions{})
	if err != nil {
		return err
	}
	dir := ""
	if len(args) > 2 {
		dir = args[2]
	}
	backup, err := w.Backup(dir)
	if err != nil {
		return also(err, w.Close())
	}
	v, err := w.View()
	if err != nil {
		return err
	}
	var all []string
	err = v.WalkBucket(names("b"), func(it Item) error { all = append(all, string(it.Key)); return nil })
	if err := also(err, v.Close()); err != nil {
		return err
	}
	res, err := w.Apply(ctx, ApplyOptions{Backup: backup, BatchBytes: batch}, records("b", all...), upper, nil)
	fmt.Printf("%d batches\n", res.Batches)
	if errors.Is(err, ErrUnsynced) {
		fmt.Println("unsynced")
	}
	if err == nil {
		err = w.Check(ctx)
	}
	return also(err, w.Close())
}

// wantWhole fails unless each value is as before or as after, and the file is
// sound; it returns how many are as after.
func wantWhole(t *testing.T, path string, n, size int) (changed int) {
	t.Helper()
	db := open(t, path) // runs the page check
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = v.Walk(func(it Item) error {
		before := bytes.Repeat([]byte{byte('a' + seen%26)}, size)
		switch {
		case bytes.Equal(it.Value, bytes.ToUpper(before)):
			changed++
		case !bytes.Equal(it.Value, before):
			t.Errorf("value %s is neither old nor new", it.Key)
		}
		seen++
		return nil
	}, nil)
	if err != nil || seen != n {
		t.Errorf("%d values, %v", seen, err)
	}
	v.Close()
	db.Close()
	checkWithBolt(t, path)
	return changed
}

// Whatever kill -9 leaves: each record whole, the file sound; a second run
// finishes; undoing the journals, the newest first, brings everything back.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	const n, size = 1500, 2000
	path := newDB(t, nil, many(n, size))
	before := dump(t, path)
	r := rand.New(rand.NewPCG(1, 2))
	kills, deadline := 0, time.Now().Add(8*time.Second)
	for time.Now().Before(deadline) {
		c := child("apply", path, "65536")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(r.IntN(400))*time.Millisecond, func() { c.Process.Kill() })
		err := c.Wait()
		timer.Stop()
		changed := wantWhole(t, path, n, size)
		if err == nil {
			break
		}
		kills++
		t.Logf("kill %d: %d records changed", kills, changed)
	}
	if out, err := run("apply", path, "65536"); err != nil {
		t.Fatalf("the last run: %s, %v", out, err)
	}
	if changed := wantWhole(t, path, n, size); changed != n {
		t.Errorf("%d records changed", changed)
	}
	for _, f := range files(t, filepath.Dir(path)) {
		if strings.HasSuffix(f, tempEnd) {
			t.Errorf("%s was left", f)
		}
	}
	undoJournals(t, path)
	if dump(t, path) != before {
		t.Error("undoing all journals did not bring the first state back")
	}
}

func undoJournals(t *testing.T, path string) {
	t.Helper()
	all, err := Journals(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range all {
		if res, err := Undo(ctx, j, "", UndoOptions{}, nil); err != nil || res.Left > 0 {
			t.Errorf("undo of %s: %+v, %v", filepath.Base(j), res, err)
		}
	}
}

// straceOf finds strace. A run for everybody must not pass without it.
func straceOf(t *testing.T) string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-f", "-o", os.DevNull, "true").Run()
	}
	switch {
	case err == nil:
		return strace
	case runtime.GOOS == "linux" && os.Getenv("BOLTMEND_CI") != "":
		t.Fatalf("strace cannot be used: %v; install Debian's package of that name", err)
	}
	t.Skipf("needs strace to make system calls fail: %v", err)
	return ""
}

// traced runs the child under strace with a fault injected into one call.
func traced(t *testing.T, path, inject string) (out string, err error) {
	t.Helper()
	strace := straceOf(t)
	c := child("apply", path, "6000")
	c.Path, c.Args = strace, append([]string{"strace", "-f", "-o", os.DevNull, "-e", "inject=" + inject}, c.Args...)
	c.Args[6] = os.Args[0]
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err = c.Run()
	return b.String(), err
}

// Killed at each write and each sync in turn.
func TestKilledAtEachCall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("short")
	}
	const n, size = 6, 1500
	for _, call := range []string{"pwrite64", "fdatasync", "fsync", "write", "linkat", "unlinkat"} {
		for when := 1; ; when++ {
			path := newDB(t, &bolt.Options{NoFreelistSync: when%2 == 0}, many(n, size))
			before := dump(t, path)
			out, err := traced(t, path, fmt.Sprintf("%s:signal=SIGKILL:when=%d", call, when))
			changed := wantWhole(t, path, n, size)
			if err == nil {
				if when == 1 {
					t.Errorf("no %s at all: %s", call, out)
				}
				if changed != n {
					t.Errorf("%d changed without a kill", changed)
				}
				break
			}
			if out, err := run("apply", path, "6000"); err != nil {
				t.Errorf("after a kill at %s %d: %s", call, when, out)
			}
			if changed := wantWhole(t, path, n, size); changed != n {
				t.Errorf("after a kill at %s %d and a second run %d records are changed", call, when, changed)
			}
			undoJournals(t, path)
			if dump(t, path) != before {
				t.Errorf("after a kill at %s %d the undo does not bring all back", call, when)
			}
		}
	}
}

// A sync that fails is final and said, wherever it is.
func TestFailedCalls(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("short")
	}
	const n, size = 6, 1500
	for call, errs := range map[string][]string{
		"fdatasync": {"EIO"}, "fsync": {"EIO"}, "pwrite64": {"EIO"}, "write": {"ENOSPC"}, "ftruncate": {"ENOSPC"},
	} {
		for _, e := range errs {
			for when := 1; when < 40; when++ {
				path := newDB(t, nil, many(n, size))
				out, err := traced(t, path, fmt.Sprintf("%s:error=%s:when=%d", call, e, when))
				wantWhole(t, path, n, size)
				if err == nil {
					break
				}
				if code := new(exec.ExitError); !errors.As(err, &code) || code.ExitCode() != 1 {
					t.Errorf("%s %s %d ends with %v: %s", call, e, when, err, out)
				}
				t.Logf("%s %s %d: %s", call, e, when, out)
				if call == "fdatasync" && !strings.Contains(out, "unsynced") {
					t.Errorf("%s %s %d says %q", call, e, when, out)
				}
				if out, err := run("apply", path, "6000"); err != nil {
					t.Errorf("a run after %s %s %d: %s", call, e, when, out)
				}
				if changed := wantWhole(t, path, n, size); changed != n {
					t.Errorf("%d records changed in the end", changed)
				}
			}
		}
	}
}
