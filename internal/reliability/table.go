package main

import (
	"fmt"
	"strings"
)

func (r row) cells() []string {
	return []string{r.damage, r.open, r.walk, r.check, r.put, r.ourCheck, r.ourScan, r.ourRepair}
}

func (r row) line() string { return "| " + strings.Join(r.cells(), " | ") + " |" }

// table is the totals and a line for each file.
func table(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d files, of which one is sound.\n\n", len(rows))
	b.WriteString("| | ends | crash or panic | never ends | error or refused |\n|---|---|---|---|---|\n")
	for i, name := range []string{
		"bbolt, open", "bbolt, walk", "bbolt, check", "bbolt, put",
		"boltmend, check", "boltmend, scan", "boltmend, repair",
	} {
		var ends, crash, endless, refused int
		for _, r := range rows {
			switch cell := r.cells()[i+1]; {
			case strings.Contains(strings.ToLower(cell), "crash"), cell == "panic":
				crash++
			case strings.EqualFold(cell, "endless"):
				endless++
			case cell == "error", cell == "refused":
				refused++
			default:
				ends++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", name, ends, crash, endless, refused)
	}
	silent, spread, wrote := 0, 0, 0
	for _, r := range rows[1:] {
		damaged := strings.HasSuffix(r.ourCheck, "found") || r.ourCheck == "refused"
		if r.walk == "other data" && r.check == "nothing" {
			silent++
		}
		if damaged && strings.HasPrefix(r.put, "commits") {
			wrote++
		}
		if r.put == "commits, spreads" {
			spread++
		}
	}
	fmt.Fprintf(&b, `
On %d damaged files bbolt's put commits, on %d of them the file has more errors
afterwards. On %d files bbolt's walk returns other data than was stored, and its
check finds nothing.

| damage | bbolt open | walk | check | put | boltmend check | scan | repair |
|---|---|---|---|---|---|---|---|
`, wrote, spread, silent)
	for _, r := range rows {
		b.WriteString(r.line() + "\n")
	}
	b.WriteString("\n")
	return b.String()
}
