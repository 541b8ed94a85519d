package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"boltmend/store/page"
)

const (
	// childTime is when a child of bbolt is taken to be endless.
	childTime = 5 * time.Second
	// programTime is the same for boltmend.
	programTime = time.Minute
)

// A maker makes rows.
type maker struct {
	dir, program string
	sound        string // what a walk of the sound file says
}

func (m *maker) row(file, damage string) (r row, err error) {
	r.damage = damage
	if r.open, err = m.bolt("open", file); err != nil {
		return r, err
	}
	if r.walk, err = m.bolt("walk", file); err != nil {
		return r, err
	}
	if m.sound == "" {
		m.sound = r.walk
	}
	switch {
	case r.walk == m.sound:
		r.walk = "ok"
	case strings.Contains(r.walk, " "):
		r.walk = "other data"
	}
	if r.check, err = m.bolt("check", file); err != nil {
		return r, err
	}
	if r.check == "0" {
		r.check = "nothing"
	} else if strings.Trim(r.check, "0123456789") == "" {
		r.check = r.check + " found"
	}
	before := pageErrors(file)
	if r.put, err = m.bolt("put", file); err != nil {
		return r, err
	}
	if after := pageErrors(m.copyName()); r.put == "commits" && after > before {
		r.put = "commits, spreads"
	}
	if r.ourCheck, err = m.ours("check", file); err != nil {
		return r, err
	}
	if r.ourScan, err = m.ours("scan", file); err != nil {
		return r, err
	}
	r.ourRepair, err = m.ours("repair", file)
	return r, err
}

func (m *maker) copyName() string { return filepath.Join(m.dir, "copy.db") }

// copy makes a file to work on.
func (m *maker) copy(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	old, err := filepath.Glob(m.copyName() + "*") // a backup and a journal too
	for _, name := range old {
		err = errors.Join(err, os.Remove(name))
	}
	return m.copyName(), errors.Join(err, os.WriteFile(m.copyName(), b, 0o600))
}

// bolt runs an operation of bbolt and says in a word or two what came of it.
func (m *maker) bolt(op, file string) (string, error) {
	path, err := m.copy(file)
	if err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), childTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-op", op, path)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "endless", nil
	case err != nil && !errors.As(err, &exit):
		return "", err
	}
	switch cmd.ProcessState.ExitCode() {
	case childDone:
		return strings.TrimSpace(stdout.String()), nil
	case childError:
		return "error", nil
	case childPanics:
		return "panic", nil
	}
	for fragment, word := range map[string]string{"out of memory": "out of memory", "stack overflow": "stack overflow"} {
		if strings.Contains(stderr.String(), fragment) {
			return "crash: " + word, nil
		}
	}
	return "crash", nil
}

// ours runs boltmend and says what came of it. After a repair the file has to
// pass the page check and be as it was but for what was repaired.
func (m *maker) ours(command, file string) (string, error) {
	path, err := m.copy(file)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), programTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, m.program, command, "--json", path)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	lines := bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
	var s struct {
		Verdict                                     string
		Exit, Poisoned, Remaining, Lint, Unreadable int
	}
	if ctx.Err() != nil {
		return "ENDLESS", nil
	}
	if code := cmd.ProcessState.ExitCode(); code < 0 || code > 4 || json.Unmarshal(lines[len(lines)-1], &s) != nil || s.Exit != code {
		return "CRASH", nil
	}
	untouched := sameBytes(path, file)
	switch {
	case command != "repair" && !untouched:
		return "WROTE", nil
	case s.Verdict == "error":
		return "refused", nil
	case command == "check" && s.Verdict == "damaged":
		return fmt.Sprintf("%d found", s.Remaining), nil
	case command == "check" && s.Lint > 0:
		return fmt.Sprintf("%d odd", s.Lint), nil
	case command == "check":
		return "nothing", nil
	case command == "repair" && s.Verdict == "damaged" && untouched:
		return "refused", nil
	case command == "repair" && s.Verdict == "repaired" && pageErrors(path) == 0:
		return "repaired", nil
	case command == "scan" && s.Verdict == "damaged" && !hasMeta(path):
		return "nothing to begin from", nil
	case command == "scan" && s.Verdict == "damaged":
		return fmt.Sprintf("rest read, %d named", s.Unreadable), nil
	case s.Verdict == "poisoned":
		return "read", nil
	case s.Verdict == "no-conversations" && untouched:
		return "none there", nil
	}
	return "WRONG: " + s.Verdict, nil
}

func sameBytes(a, b string) bool {
	x, errX := os.ReadFile(a)
	y, errY := os.ReadFile(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// pageErrors counts what is wrong with a file; one that is no database counts
// as one error.
func pageErrors(path string) int {
	b, err := os.ReadFile(path)
	if err != nil {
		return 1
	}
	res, err := page.Check(context.Background(), bytes.NewReader(b), int64(len(b)), page.Options{}, nil)
	if err != nil {
		return 1
	}
	return res.Errors
}

// hasMeta reports whether one of both metas counts.
func hasMeta(path string) bool {
	b, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	_, err = page.ReadMetas(bytes.NewReader(b), int64(len(b)))
	return err == nil
}
