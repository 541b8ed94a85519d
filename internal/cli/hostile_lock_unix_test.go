//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// hold takes a lock on a file as another process would, until the test lets
// go of it.
func (s scene) hold(name string, how int) (letGo func()) {
	s.Helper()
	f, err := os.OpenFile(s.path(name), os.O_RDWR, 0)
	if err != nil {
		s.Fatal(err)
	}
	if err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { f.Close() })
	return func() { f.Close() }
}

// until waits for something that another process does.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}

// opened tells that a process has a file open.
func opened(t *testing.T, cmd *exec.Cmd, path string) bool {
	t.Helper()
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && to == path {
			return true
		}
	}
	return false
}

func needsProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("needs /proc to see what the program is at")
	}
}

// TestLockWait: a command waits for the lock as long as it was told, says who
// has it, and goes on when it is let go of.
func TestLockWait(t *testing.T) {
	needsProc(t)
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	before := s.stamp("a.db")
	letGo := s.hold("a.db", unix.LOCK_EX)
	for _, args := range [][]string{{"scan"}, {"repair"}, {"repair", "--dry-run"}, {"inspect"}, {"repair", "--output", "new.db"}} {
		got := s.run(append(args, "--lock-wait", "60ms", "a.db")...)
		if got.code != 4 || !strings.HasPrefix(got.err, "boltmend: a.db: database is in use by ") ||
			!strings.HasSuffix(got.err, "; stop it, or wait longer for the lock: --lock-wait 1m\n") || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if s.stamp("a.db") != before {
		t.Error("the file has changed")
	}
	s.has("a.db")

	cmd := s.command("repair", "--quiet", "--lock-wait", "1m", "a.db")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the program to open the file", func() bool { return opened(t, cmd, s.path("a.db")) })
	letGo()
	if err := cmd.Wait(); err != nil {
		t.Errorf("after the lock was let go of: %v", err)
	}
	s.exits(0, "scan", "a.db")
}

// TestSignalWhileWaiting: a signal ends the wait at once.
func TestSignalWhileWaiting(t *testing.T) {
	needsProc(t)
	s := newScene(t)
	s.db("a.db", "chat/a "+poisonedHistory)
	before := s.stamp("a.db")
	s.hold("a.db", unix.LOCK_EX)
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		var stderr bytes.Buffer
		cmd := s.command("repair", "--lock-wait", "1h", "a.db")
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, "the program to open the file", func() bool { return opened(t, cmd, s.path("a.db")) })
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != code ||
			stderr.String() != "boltmend: a.db: interrupted: the file is whole; run the same command again to finish\n" {
			t.Errorf("%v: exit %d, want %d\n%s", sig, got, code, stderr.String())
		}
	}
	if s.stamp("a.db") != before {
		t.Error("the file has changed")
	}
	s.has("a.db")
}

// TestWriterBetween: another process writes after the repair has planned and
// before it has the lock. What it wrote is not lost, and repaired too. Which of
// the two gets the lock first is nearly always decided, and it is tried until it
// was the other one.
func TestWriterBetween(t *testing.T) {
	needsProc(t)
	s := newScene(t)
	news := strings.Replace(poisonedHistory, "list", "new", 1)
	for try := 1; ; try++ {
		name := fmt.Sprintf("%d.db", try)
		s.db(name, "chat/a "+poisonedHistory, "chat/b "+soundHistory, "chat/c "+poisonedHistory)
		first := s.writeBetween(name, news)
		for key, want := range map[string]string{"a": news, "b": news, "c": poisonedHistory} {
			got := string(s.get(name, "chat", key))
			if first || key == "c" {
				want = strings.TrimSuffix(want, "]") + strings.TrimPrefix(repairedHistory, strings.TrimSuffix(poisonedHistory, "]"))
			}
			if got != want {
				t.Errorf("try %d, writer first %v: chat/%s is\n%s\nwant\n%s", try, first, key, got, want)
			}
		}
		if first || t.Failed() {
			return
		}
		if try == 20 {
			t.Fatal("the repair always had the lock first")
		}
	}
}

// writeBetween lets a repair begin while a reader has the lock, so that it
// plans and then waits, and then writes: the reader's lock becomes that of a
// writer, which the repair finds in its way when it asks again. It reports
// whether that was before the repair wrote.
func (s scene) writeBetween(name, news string) bool {
	s.Helper()
	f, err := os.OpenFile(s.path(name), os.O_RDWR, 0)
	if err == nil {
		err = unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	}
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	cmd := s.command("repair", "--quiet", "--no-backup", "--lock-wait", "1m", name)
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	// Asking for the exclusive lock in vain costs it the shared one.
	until(s.T, "the program to have planned", func() bool {
		return opened(s.T, cmd, s.path(name)) && s.readers(name) <= 1
	})
	db, err := bbolt.Open(s.path(name), 0, &bbolt.Options{Timeout: time.Minute, OpenFile: func(string, int, os.FileMode) (*os.File, error) {
		fd, err := unix.Dup(int(f.Fd()))
		return os.NewFile(uintptr(fd), f.Name()), err
	}})
	if err != nil {
		s.Fatal(err)
	}
	first := false
	err = db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("chat"))
		first = !bytes.Contains(b.Get([]byte("c")), []byte("[interrompu]"))
		for _, key := range []string{"a", "b"} {
			if err := b.Put([]byte(key), []byte(news)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = db.Close()
	}
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		s.Fatal(err)
	}
	return first
}

// readers counts the shared locks on a file, 0 where that cannot be known.
func (s scene) readers(name string) (n int) {
	s.Helper()
	var st unix.Stat_t
	if err := unix.Stat(s.path(name), &st); err != nil {
		s.Fatal(err)
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return 0
	}
	for l := range strings.Lines(string(locks)) {
		if strings.Contains(l, "FLOCK") && strings.Contains(l, " READ ") && strings.Contains(l, fmt.Sprintf(":%d ", st.Ino)) {
			n++
		}
	}
	return n
}

// TestManyAtOnce: an app that opens the file for each message it adds, and
// several repairs, all at the same time. No message is lost, and in the end
// every call is answered once.
func TestManyAtOnce(t *testing.T) {
	s := newScene(t)
	s.db("a.db", "chat/a "+soundHistory)
	const rounds = 25
	repairs := make(chan error)
	for range 2 {
		go func() {
			for range rounds / 2 {
				if out, err := s.command("repair", "--quiet", "--no-backup", "--lock-wait", "1m", "a.db").CombinedOutput(); err != nil {
					repairs <- fmt.Errorf("repair: %w\n%s", err, out)
					return
				}
			}
			repairs <- nil
		}()
	}
	for i := range rounds {
		s.append("a.db", fmt.Sprintf(`{"role":"user","content":"message %d."},{"role":"assistant","tool_calls":[{"id":"call_%d.","type":"function","function":{"name":"ls","arguments":"{}"}}]}`, i, i))
		time.Sleep(10 * time.Millisecond) // an app pauses
	}
	for range 2 {
		if err := <-repairs; err != nil {
			t.Error(err)
		}
	}
	s.exits(0, "repair", "--quiet", "--no-backup", "a.db")
	end := string(s.get("a.db", "chat", "a"))
	for i := range rounds {
		for _, part := range []string{`"message %d."`, `"id":"call_%d."`, `"tool_call_id":"call_%d."`} {
			if part = fmt.Sprintf(part, i); strings.Count(end, part) != 1 {
				t.Errorf("%s is there %d times", part, strings.Count(end, part))
			}
		}
	}
}

// append adds to the one conversation as an app does.
func (s scene) append(name, messages string) {
	s.Helper()
	db, err := bbolt.Open(s.path(name), 0, &bbolt.Options{Timeout: time.Minute, NoSync: true})
	if err != nil {
		s.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("chat"))
		old := bytes.TrimSuffix(b.Get([]byte("a")), []byte("]"))
		return b.Put([]byte("a"), fmt.Appendf(nil, "%s,%s]", old, messages))
	})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		s.Fatal(err)
	}
}
