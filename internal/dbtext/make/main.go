// Make rebuilds the databases of a folder: name.db from name.txt. Files named
// name.want.txt say what a test expects, and are none.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"boltmend/internal/dbtext"
)

func main() {
	texts, err := filepath.Glob(filepath.Join(os.Args[1], "*.txt"))
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("no .txt in %s", os.Args[1])
	}
	for _, text := range texts {
		if err == nil && !strings.HasSuffix(text, ".want.txt") {
			err = rebuild(text, strings.TrimSuffix(text, ".txt")+".db")
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func rebuild(text, db string) error {
	src, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	if err := os.Remove(db); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := dbtext.Make(db, string(src), nil); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}
