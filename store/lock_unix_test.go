//go:build unix

package store

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// holdLock opens a database as an app does and keeps it until its input ends.
func holdLock(args []string) error {
	db, err := bolt.Open(args[0], 0o600, &bolt.Options{ReadOnly: args[1] == "shared", Timeout: time.Second})
	if err != nil {
		return err
	}
	fmt.Println("locked")
	io.Copy(io.Discard, os.Stdin)
	return db.Close()
}

// openChild opens for reading or for writing and says what became of it.
func openChild(args []string) error {
	db, err := Open(args[0], Options{Write: args[1] == "write"})
	if err != nil {
		if e := asError(err); e != nil {
			fmt.Println(e.Code, e)
		}
		return nil
	}
	fmt.Println("opened")
	return db.Close()
}

// hold has another process hold the lock until the function that it returns is
// called.
func hold(t *testing.T, path, kind string) (pid int, release func()) {
	t.Helper()
	c := child("hold", path, kind)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("child says %q", line)
	}
	return c.Process.Pid, func() {
		in.Close()
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
}

func TestLockedSaysByWhom(t *testing.T) {
	path := newDB(t, nil, plain)
	pid, release := hold(t, path, "exclusive")
	_, err := Open(path, Options{LockWait: 100 * time.Millisecond})
	wantError(t, err, CodeLocked, ErrLocked)
	if runtime.GOOS == "linux" {
		wantError(t, err, CodeLocked, ErrLocked, "process "+strconv.Itoa(pid)+" (")
	}
	release()
	if _, err := Open(path, Options{}); err != nil {
		t.Errorf("still locked: %v", err)
	}
}

// A reader beside us lets us read, and plan, but not write.
func TestSharedLockKeepsBeginOut(t *testing.T) {
	path := newDB(t, nil, plain)
	_, release := hold(t, path, "shared")
	defer release()
	db, err := Open(path, Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Begin(ctx, BeginOptions{LockWait: 100 * time.Millisecond})
	wantError(t, err, CodeLocked, ErrLocked)
}

func TestLockIsWaitedFor(t *testing.T) {
	path := newDB(t, nil, plain)
	_, release := hold(t, path, "exclusive")
	opened := make(chan error)
	go func() {
		db, err := Open(path, Options{LockWait: 10 * time.Second})
		if err == nil {
			err = db.Close()
		}
		opened <- err
	}()
	release()
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

// While a database is open for reading, an app can open it for reading and
// not for writing; while it is open for writing, not at all.
func TestLockKeepsAppsOut(t *testing.T) {
	path := newDB(t, nil, plain)
	app := func(readOnly bool) error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: readOnly, Timeout: time.Millisecond})
		if err == nil {
			db.Close()
		}
		return err
	}
	db, err := Open(path, Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := db.View()
	if err != nil {
		t.Fatal(err)
	}
	if app(true) != nil || app(false) == nil {
		t.Error("the lock of a reader is not a shared one")
	}
	v.Close()
	if app(false) == nil {
		t.Error("no lock when the view is closed")
	}
	w, err := db.Begin(ctx, BeginOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err = w.View()
	if err != nil {
		t.Fatal(err)
	}
	if app(true) == nil {
		t.Error("an app can read while we write")
	}
	v.Close()
	if app(true) == nil {
		t.Error("no exclusive lock when the view is closed")
	}
	w.Close()
	if err := app(false); err != nil {
		t.Errorf("still locked: %v", err)
	}
}

func TestOpenRefusesFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	_, err := Open(path, Options{}) // hangs if it is opened
	wantError(t, err, CodeNotDatabase, ErrNotDatabase, "pipe")
}

func TestOpenRefusesDevice(t *testing.T) {
	_, err := Open("/dev/null", Options{})
	wantError(t, err, CodeNotDatabase, ErrNotDatabase, "regular")
}

func TestNoPermission(t *testing.T) {
	path := newDB(t, nil, plain)
	dir := filepath.Dir(path)
	run := func(kind string) string {
		c := child("open", path, kind)
		if os.Geteuid() == 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if os.Geteuid() == 0 {
		// The child has to reach the file and its own program, which lie in
		// folders made for this test run.
		for _, p := range []string{dir, filepath.Dir(dir), filepath.Dir(os.Args[0]), filepath.Dir(filepath.Dir(os.Args[0]))} {
			if st, err := os.Stat(p); err == nil && st.Mode().Perm() == 0o700 && strings.HasPrefix(p, os.TempDir()) {
				os.Chmod(p, 0o755)
			}
		}
		if err := runs(os.Args[0]); err != nil {
			t.Skip("another user cannot run the test program: ", err)
		}
	}
	for _, c := range []struct {
		mode       os.FileMode
		kind, want string
	}{
		{0o444, "read", "opened"},
		{0o444, "write", CodePermission},
		{0o000, "read", CodePermission},
	} {
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		if got := run(c.kind); !strings.HasPrefix(got, c.want) {
			t.Errorf("mode %o, %s: %q, want %s", c.mode, c.kind, got, c.want)
		}
	}
	os.Chmod(path, 0o600)
}

// runs tells whether any user could start a program.
func runs(exe string) error {
	for p := exe; p != filepath.Dir(p); p = filepath.Dir(p) {
		st, err := os.Stat(p)
		if err != nil {
			return err
		}
		if st.Mode().Perm()&1 == 0 {
			return fmt.Errorf("mode of %s is %v", p, st.Mode())
		}
	}
	return nil
}
