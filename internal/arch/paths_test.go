package arch

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// homes are the folders in which people work. They are put together here so
// that this file names none.
var homes = regexp.MustCompile(`(?i)(^|[^\w.])(` +
	`/` + `home/[a-z_]` +
	`|/` + `root/` +
	`|/` + `Users/[a-z_]` +
	`|[a-z]:\\{1,2}` + `Users\\` +
	`|/` + `work/` +
	`|~/` + `[a-z.])`)

// TestNoPathOfAHome looks into every file, databases too: what was made on
// somebody's machine must not say on whose.
func TestNoPathOfAHome(t *testing.T) {
	for _, name := range files(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err == nil && filepath.Ext(name) == ".gz" {
			text, err = unpacked(text) // packed bytes spell anything
		}
		if err != nil {
			t.Fatal(err)
		}
		if at := homes.FindIndex(text); at != nil {
			t.Errorf("%s names the path of a home: %q", name, text[at[0]:min(len(text), at[1]+20)])
		}
	}
}

// unpacked is what was packed, but for the length of runs of one byte, of which
// databases are full.
func unpacked(packed []byte) (short []byte, err error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r)
	for i, c := range text {
		if i < 3 || c != text[i-1] || c != text[i-2] || c != text[i-3] {
			short = append(short, c)
		}
	}
	return short, err
}

func TestHomesBite(t *testing.T) {
	for text, want := range map[string]bool{
		"see /" + "home/ann/x":          true,
		`"/` + `root/go"`:               true,
		"/" + "Users/Ann":               true,
		`C:\` + `Users\ann`:             true,
		"the root/branch":               false,
		"https://example.com/home/page": false,
		"/srv/chat/chat.db":             false,
	} {
		if got := homes.MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
