package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestOneDescriptor: a repair and a restore open the database once, so that
// what was checked, planned on and locked is what is written.
func TestOneDescriptor(t *testing.T) {
	s := newScene(t)
	strace := straceOf(t)
	for _, sub := range subjects(s) {
		sub.strace = strace
		d := sub.folder()
		got := sub.run(d, "open,openat,openat2,creat")
		opens := regexp.MustCompile(`(?m)^.*`+regexp.QuoteMeta(d.path("a.db"))+`".*$`).FindAllString(got.trace, -1)
		if len(opens) != 1 || got.code != 0 {
			t.Errorf("%s opens the database %d times:\n%s", sub.name, len(opens), got.trace)
		}
		os.RemoveAll(filepath.Clean(d.dir))
	}
}
