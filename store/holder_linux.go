package store

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// lockHolder finds in /proc/locks which process holds the lock of f's file;
// pid 0 if that is not known.
func lockHolder(f *os.File) (pid int, name string) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return 0, ""
	}
	id := fmt.Sprintf("%02x:%02x:%d", unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev)), st.Ino)
	locks, err := os.Open("/proc/locks")
	if err != nil {
		return 0, ""
	}
	defer locks.Close()
	for s := bufio.NewScanner(locks); s.Scan(); {
		if pid = holderIn(s.Text(), id); pid > 0 {
			return pid, processName(pid)
		}
	}
	return 0, ""
}

// holderIn reads a line like "1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF"
// and returns the process if it holds a lock of the file id. A line of one
// that waits has "->" behind its number.
func holderIn(line, id string) int {
	f := strings.Fields(line)
	if len(f) < 6 || f[1] != "FLOCK" || f[5] != id {
		return 0
	}
	pid, err := strconv.Atoi(f[4])
	if err != nil {
		return 0
	}
	return pid
}

// processName is the name of a process as it is safe to print, or "".
func processName(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, string(b))
}
