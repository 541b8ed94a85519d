package cli

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"boltmend/migrate"
)

// screen is how many lines of a kind the text report prints. What it keeps in
// memory is bounded by that too.
const screen = 20

// A printer writes the lines of a text report.
type printer struct {
	w     io.Writer
	color bool
}

func (p *program) printer(o options) printer {
	color := !o.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(p.stdout.w)
	// A console of Windows takes colors only once it is asked to.
	color = color && runtime.GOOS != "windows"
	return printer{p.stdout, color}
}

// The colors of a verdict.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

// line writes one line.
func (p printer) line(format string, args ...any) {
	fmt.Fprintln(p.w, clean(fmt.Sprintf(format, args...)))
}

// head writes a line with a part in color.
func (p printer) head(before, color, part, after string) {
	part = clean(part)
	if p.color {
		part = "\x1b[" + color + "m" + part + "\x1b[0m"
	}
	fmt.Fprintln(p.w, clean(before)+part+clean(after))
}

// A list is lines, of which only the first few are kept.
type list struct {
	lines []string
	more  int
}

func (l *list) add(format string, args ...any) {
	if len(l.lines) < screen {
		l.lines = append(l.lines, fmt.Sprintf(format, args...))
	} else {
		l.more++
	}
}

// print writes the list, indented.
func (l list) print(p printer) {
	for _, line := range l.lines {
		p.line("  %s", line)
	}
	if l.more > 0 {
		p.line("  and %s more: --json lists all", number(l.more))
	}
}

// A reportView shows a scan or a repair. The verdict comes first, so it
// prints nothing before the summary.
type reportView struct {
	printer
	o       options
	printed bool

	poisoned, lint, sound, unreadable, unrecognised, pages list
	// faulty counts the histories with a fault, or with lint that is changed;
	// lintFixed counts such lint by code.
	faulty    int
	lintFixed map[string]int
	mends     bool // a repair would change something
	shifts    bool // it would with leave to renumber rows
	// left is the ref of the first history that is not repaired, for the
	// next step.
	left string
}

func (v *reportView) event(e migrate.Event) {
	switch e := e.(type) {
	case *migrate.History:
		v.history(e)
	case *migrate.Note:
		switch e.Kind {
		case "unreadable":
			v.unreadable.add("%s: %s", e.Ref, e.Reason)
		case "unrecognised":
			v.unrecognised.add("%s: %s", e.Ref, e.Reason)
		}
	case *migrate.Page:
		v.pages.add("%s", pageLine(e))
	case *migrate.Summary:
		if e.Exit != exitUsage {
			if v.printed {
				v.line("")
			}
			v.summary(e)
			v.printed = true
		}
		*v = reportView{printer: v.printer, o: v.o, printed: v.printed}
	}
}

func (v *reportView) history(h *migrate.History) {
	var poison, lint []migrate.Finding
	for _, f := range h.Findings {
		if isPoison(f) {
			poison = append(poison, f)
			continue
		}
		lint = append(lint, f)
		if f.Fixed {
			if v.lintFixed == nil {
				v.lintFixed = map[string]int{}
			}
			v.lintFixed[f.Code]++
		}
	}
	changes := h.State == migrate.Fixed || h.State == migrate.Fixable
	shifts := h.State == migrate.Left && strings.Contains(h.Reason, "--rows shift")
	v.shifts = v.shifts || shifts
	v.mends = v.mends || h.State == migrate.Fixable || h.State == migrate.Left && !shifts
	if len(poison) > 0 || changes {
		v.faulty++
	}
	switch {
	case len(poison) > 0:
		v.poisoned.add("%s: %s%s", h.Ref, phrases(poison), v.state(h))
		if v.left == "" && h.State != migrate.Fixed && h.State != migrate.Fixable {
			v.left = h.Ref
		}
	case h.State == migrate.Stale: // a record of which nothing more is known
		v.poisoned.add("%s:%s", h.Ref, v.state(h))
	case changes:
		v.poisoned.add("%s: %s", h.Ref, phrases(lint))
	case len(lint) > 0:
		v.lint.add("%s: %s%s", h.Ref, phrases(lint), v.state(h))
	default:
		v.sound.add("%s: sound (%s, %s, %s)", h.Ref,
			count(h.Messages, "message"), count(h.Calls, "call"), count(h.Results, "result"))
	}
}

// state says what becomes of a history where that is not what the verdict
// says of all.
func (v *reportView) state(h *migrate.History) string {
	var s string
	switch h.State {
	case migrate.Left:
		s = "left as it is"
	case migrate.ReportOnly:
		s = "reported, never written"
	case migrate.Stale:
		s = "changed since, left as it is"
	case migrate.Sound, migrate.Fixable, migrate.Fixed:
		return ""
	default:
		s = h.State
	}
	if h.Reason != "" {
		s += ": " + h.Reason
	}
	return " [" + s + "]"
}
