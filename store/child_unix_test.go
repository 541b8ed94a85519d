//go:build unix

package store

import (
	"os"
	"os/exec"
)

// children are what a test runs in a process of its own, by the name that the
// environment gives; they get the arguments behind the program's name.
var children = map[string]func(args []string) error{
	"hold":  holdLock,
	"open":  openChild,
	"apply": applyChild,
	"limit": limitChild,
}

func child(name string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), childVar+"="+name)
	c.Stderr = os.Stderr
	return c
}

// run runs a child to its end and returns all that it says.
func run(name string, args ...string) (out string, err error) {
	c := child(name, args...)
	c.Stderr = nil
	b, err := c.CombinedOutput()
	return string(b), err
}

func runChild(name string) error { return children[name](os.Args[1:]) }
