package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"boltmend/repair"
)

//go:generate go test -run TestDocsFindings -update

// TestDocsFindings holds docs/findings.md to what explain prints.
func TestDocsFindings(t *testing.T) {
	compareDoc(t, "docs/findings.md", findingsPage())
}

// compareDoc wants a document to have a text; with -update it gets it.
func compareDoc(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join(moduleRoot, name)
	got, err := os.ReadFile(path)
	if *update {
		write(t, path, want)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s, line %d is not as the program has it: go generate ./internal/cli\ngot  %q\nwant %q",
				name, i+1, g[min(i, len(g)):min(i+1, len(g))], w[min(i, len(w)):min(i+1, len(w))])
		}
	}
}

const findingsHead = `<!-- Made by go generate ./internal/cli; do not edit by hand. -->

# Findings

What can be wrong with a conversation, under the codes that reports use:
what it is, which errors of providers it causes, what a repair does, and an
example. It is what ` + "`boltmend explain CODE`" + ` prints.

The errors are fragments, as providers and servers print them. Sources, and
which dialect can have which finding, are in [dialects.md](dialects.md).

| finding | group | in a report |
|---|---|---|
`

func findingsPage() string {
	var b strings.Builder
	b.WriteString(findingsHead)
	for _, e := range explanations() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", e.Code, e.Code, e.Group, repair.Code(e.Code).Phrase(1))
	}
	for _, e := range explanations() {
		writeFinding(&b, e)
	}
	return b.String()
}

func writeFinding(b *strings.Builder, e explanation) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", e.Code, prose(e.What))
	if len(e.Errors) == 0 {
		b.WriteString("\nNo error of a provider is known for it.\n")
	} else {
		fmt.Fprintf(b, "\nErrors of providers:\n\n```text\n%s\n```\n", strings.Join(e.Errors, "\n"))
	}
	fmt.Fprintf(b, "\n%s\n", prose("Repair: "+e.Repair))
	var page bytes.Buffer
	p := printer{w: &page}
	p.messages("before", e.Before)
	p.messages("after", e.After)
	example := regexp.MustCompile(`(?m)^  `).ReplaceAllString(page.String(), "")
	fmt.Fprintf(b, "\nExample%s:\n\n```text\n%s```\n", strings.Replace(e.exampleOf(), e.Options, "`"+e.Options+"`", min(1, len(e.Options))), example)
}

var (
	markupPattern = regexp.MustCompile(`[<>*_\[\]|]`)
	flagPattern   = regexp.MustCompile(`--[a-z-]*[a-z]`)
)

// prose is a text of explain as Markdown: what would be markup is escaped, and
// flags are code.
func prose(text string) string {
	text = markupPattern.ReplaceAllString(text, `\$0`)
	return strings.Join(wrap(flagPattern.ReplaceAllString(text, "`$0`"), 78), "\n")
}

const tableHead = "\n<!-- Made by go generate ./internal/cli; do not edit by hand. -->\n"

// TestDocsFindingsTable holds the table at the end of docs/dialects.md to the
// cases in testdata/repair.
func TestDocsFindingsTable(t *testing.T) {
	doc := readDoc(t, "docs/dialects.md")
	head, _, found := strings.Cut(doc, tableHead)
	if !found {
		t.Fatal("docs/dialects.md has no place for the table")
	}
	shown := findingsOfCases(t)
	for dialect, codes := range shown {
		for code := range codes {
			if isImpossible(dialect, code) {
				t.Errorf("a case of %s shows %s, which is impossible there", dialect, code)
			}
		}
	}
	compareDoc(t, "docs/dialects.md", head+tableHead+"\n"+findingsTable(shown))
}

type findingsByDialect map[repair.Dialect]map[repair.Code]bool

// findingsOfCases reads which findings the cases show.
func findingsOfCases(t *testing.T) findingsByDialect {
	t.Helper()
	shown := findingsByDialect{}
	paths, err := filepath.Glob(filepath.Join(moduleRoot, "testdata/repair/*/*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dialect := repair.Dialect(filepath.Base(filepath.Dir(path)))
		if shown[dialect] == nil {
			shown[dialect] = map[repair.Code]bool{}
		}
		for _, f := range a.Files {
			if !strings.HasPrefix(f.Name, "findings") {
				continue
			}
			for line := range strings.Lines(string(f.Data)) {
				// message code id
				if words := strings.Fields(line); len(words) > 1 {
					shown[dialect][repair.Code(words[1])] = true
				}
			}
		}
	}
	return shown
}

func findingsTable(shown findingsByDialect) string {
	var b strings.Builder
	b.WriteString("| finding |")
	for _, d := range repair.Dialects() {
		fmt.Fprintf(&b, " %s |", d)
	}
	b.WriteString("\n|" + strings.Repeat("---|", 1+len(repair.Dialects())) + "\n")
	for _, code := range repair.Codes() {
		fmt.Fprintf(&b, "| %s |", code)
		for _, d := range repair.Dialects() {
			cell := "-"
			switch {
			case shown[d][code]:
				cell = "yes"
			case isImpossible(d, code):
				cell = "never"
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestDocsFindingsAreKnown wants the cases to name dialects and codes that
// exist, so that none is missing in the table.
func TestDocsFindingsAreKnown(t *testing.T) {
	for dialect, codes := range findingsOfCases(t) {
		if !slices.Contains(repair.Dialects(), dialect) {
			t.Errorf("testdata/repair/%s: there is no such dialect", dialect)
		}
		for code := range codes {
			if !slices.Contains(repair.Codes(), code) {
				t.Errorf("testdata/repair/%s: there is no finding %s", dialect, code)
			}
		}
	}
}
