package page

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

var writeDamaged = flag.String("damaged", "", "write a file with each kind of damage into this folder")

// TestWriteDamaged writes the damaged files for the table in
// docs/reliability.md, the sound one first, and a list of them.
func TestWriteDamaged(t *testing.T) {
	if *writeDamaged == "" {
		t.Skip("without -damaged FOLDER")
	}
	base := sample(t, bolt.Options{PageSize: 4096})
	var list strings.Builder
	write := func(i int, name string, m *image) {
		file := fmt.Sprintf("%03d.db", i)
		if err := os.WriteFile(filepath.Join(*writeDamaged, file), m.b, 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&list, "%s\t%s\n", file, name)
	}
	write(0, "none", base)
	for i, d := range allDamages(base) {
		m := base.clone()
		d.do(m)
		write(i+1, d.name, m)
	}
	if err := os.WriteFile(filepath.Join(*writeDamaged, "list"), []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTableOfDamages wants a line in docs/reliability.md for each damage.
func TestTableOfDamages(t *testing.T) {
	doc, err := os.ReadFile("../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	all := allDamages(sample(t, bolt.Options{PageSize: 4096}))
	for _, d := range all {
		if !bytes.Contains(doc, []byte("\n| "+d.name+" | ")) {
			t.Errorf("no line for %q: go generate ./internal/reliability", d.name)
		}
	}
	if want := fmt.Sprintf("%d files, of which one is sound", len(all)+1); !bytes.Contains(doc, []byte(want)) {
		t.Errorf("it is not about %s", want)
	}
	for _, bad := range []string{"| CRASH", "| ENDLESS", "| WROTE", "| WRONG"} {
		if bytes.Contains(doc, []byte(bad)) {
			t.Errorf("it holds %s", bad)
		}
	}
}
