package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// The help is plain text made here and handed to urfave/cli as a template
// without actions: its own templates know no exit codes and no examples.

// appHelp is the help of boltmend itself.
func appHelp(all []command) string {
	var b strings.Builder
	b.WriteString(`boltmend finds and repairs LLM conversations in bbolt databases whose tool
calls and results no longer pair, so that the provider answers every turn
with the same 400.

usage: boltmend COMMAND [FLAGS] ARGUMENTS

commands:
`)
	for _, c := range all {
		fmt.Fprintf(&b, "  %-8s %s\n", c.name, c.short)
	}
	b.WriteString("\nboltmend COMMAND --help says more. Flags may stand before and behind\narguments; -- ends them.\n\n")
	writeFlags(&b, appFlags())
	b.WriteString("\n" + exitHelp)
	writeExamples(&b, []string{
		"boltmend scan chat.db",
		"boltmend repair --dry-run chat.db",
		"boltmend repair chat.db",
	})
	return b.String()
}

// help is the help of a command.
func (c command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "boltmend %s - %s\n\nusage: boltmend %s [FLAGS]", c.name, c.short, c.name)
	if c.args != "" {
		b.WriteString(" " + c.args)
	}
	b.WriteString("\n\n" + strings.TrimSpace(c.long) + "\n\n")
	writeFlags(&b, c.flags)
	b.WriteString("\n" + exitHelp)
	writeExamples(&b, c.examples)
	return b.String()
}

func writeFlags(b *strings.Builder, flags []cli.Flag) {
	b.WriteString("flags:\n")
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		if v, hides := f.(cli.VisibleFlag); !ok || hides && !v.IsVisible() {
			continue
		}
		// The value's name stands between backquotes in the usage.
		usage := d.GetUsage()
		name := "--" + f.Names()[0]
		if parts := strings.SplitN(usage, "`", 3); len(parts) == 3 {
			name += " " + parts[1]
			usage = strings.Join(parts, "")
		}
		fmt.Fprintf(b, "  %-21s %s\n", name, usage)
	}
	fmt.Fprintf(b, "  %-21s %s\n", "--help, -h", "print this")
}

func writeExamples(b *strings.Builder, examples []string) {
	b.WriteString("\nexample:\n")
	for _, e := range examples {
		b.WriteString("  " + e + "\n")
	}
}
