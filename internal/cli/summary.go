package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"boltmend/migrate"
	"boltmend/repair"
)

// summary writes the report of a database: the verdict, what is wrong where,
// what was only counted, what was written, and the next step.
func (v *reportView) summary(s *migrate.Summary) {
	color, verdict, rest := v.verdict(s)
	v.head(s.Database+": ", color, verdict, rest)
	v.poisoned.print(v.printer)
	if v.o.run.Strict || v.o.run.All {
		v.lint.print(v.printer)
	}
	if v.o.run.All {
		v.sound.print(v.printer)
	}
	v.counted(s)
	v.written(s)
	v.next(s)
}

// verdict returns a color, the verdict and what it rests on.
func (v *reportView) verdict(s *migrate.Summary) (color, verdict, rest string) {
	of := fmt.Sprintf(": %s of %s", number(max(s.Poisoned, v.faulty)), count(s.Histories, "conversation"))
	would := ""
	if s.DryRun {
		would = "would be "
	}
	switch s.Verdict {
	case migrate.VerdictSound:
		return green, "sound", ": " + count(s.Histories, "conversation")
	case migrate.VerdictPoisoned:
		if target := v.o.run.Repair.Target; target != "" {
			return red, "poisoned for " + string(target), of
		}
		return red, "poisoned", of
	case migrate.VerdictRepaired:
		return green, would + "repaired", of + ", " + count(s.Fixed, "fault")
	case migrate.VerdictPartly:
		if v.o.command == "scan" {
			return yellow, "scanned in part", of + " poisoned"
		}
		return yellow, would + "repaired in part", fmt.Sprintf("%s, %s, %s left", of, count(s.Fixed, "fault"), number(s.Remaining))
	case migrate.VerdictDamaged:
		switch {
		case v.o.command == "scan" && s.Histories > 0:
			return red, "damaged", fmt.Sprintf(": %s that can be read, %s poisoned", count(s.Histories, "conversation"), number(s.Poisoned))
		case v.o.command == "scan":
			return red, "damaged", ": no conversation that can be read"
		case s.Backup != "":
			return red, "damaged", ": what was written does not read back"
		}
		return red, "damaged", ": not opened for writing"
	case migrate.VerdictNoConversations:
		if v.o.narrowed() {
			return yellow, "nothing looked at", ": no conversation matches the flags that narrow"
		}
		return green, "no conversations found", ""
	case migrate.VerdictError:
		if s.Fixed > 0 && !s.DryRun {
			return red, "stopped", ": " + count(s.Fixed, "fault") + " repaired"
		}
		return red, "not " + map[string]string{"scan": "scanned", "repair": "repaired"}[v.o.command], ""
	}
	return yellow, s.Verdict, of
}

// counted writes what was counted and not judged.
func (v *reportView) counted(s *migrate.Summary) {
	if lint := v.lintCounts(s.Findings); lint != "" {
		v.line("lint, not repaired: %s (boltmend explain CODE says what it is)", lint)
	}
	if s.ReportOnly > 0 {
		v.line("report only: %s in a form that is never written", count(s.ReportOnly, "conversation"))
	}
	if s.Unreadable > 0 {
		what := "value"
		if s.Verdict == migrate.VerdictDamaged {
			what = "part"
		}
		v.line("unreadable: %s", count(s.Unreadable, what))
		v.unreadable.print(v.printer)
	} else if len(v.pages.lines) > 0 {
		v.line("passed over, since written to without pause:")
	}
	v.pages.print(v.printer)
	if s.Unrecognised > 0 {
		mention := "mention"
		if s.Unrecognised == 1 {
			mention = "mentions"
		}
		v.line("unrecognised: %s %s tool calls and could not be understood", count(s.Unrecognised, "value"), mention)
		v.unrecognised.print(v.printer)
	}
}

// lintCounts lists the lint that is not changed. Broken values are said to be
// unreadable elsewhere.
func (v *reportView) lintCounts(findings map[string]int) string {
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(findings)) {
		n := findings[code] - v.lintFixed[code]
		if repair.Code(code).Group() == repair.Lint && code != string(repair.BrokenJSON) && n > 0 {
			parts = append(parts, number(n)+" "+code)
		}
	}
	return strings.Join(parts, ", ")
}

// written says what a repair left on disk beside the database.
func (v *reportView) written(s *migrate.Summary) {
	would := ""
	if s.DryRun {
		would = "would be "
	}
	if v.o.run.Output != "" && s.Verdict != migrate.VerdictError && s.Verdict != migrate.VerdictDamaged {
		v.line("%swritten to: %s (%s is untouched)", would, v.o.run.Output, s.Database)
	}
	if s.Backup != "" {
		v.line("%sbacked up to: %s", would, s.Backup)
	}
	if s.Journal != "" {
		v.line("%sjournal: %s", would, s.Journal)
	}
	if s.Plan != "" {
		v.line("plan: %s", s.Plan)
	}
}

// What boltmend cannot see from the file: an app that keeps the conversation in
// memory writes the old one back.
const (
	stopFirst = "stop the app first: one that keeps the conversation in memory writes the old one back"
	stopped   = "if the app was not stopped first, it may write the old conversation back from memory: stop it and repair again"
)

// next writes the next steps, as commands that can be pasted.
func (v *reportView) next(s *migrate.Summary) {
	fixable := v.mends && v.o.command == "scan" || s.DryRun && s.Fixed > 0
	switch {
	case ownFile.MatchString(s.Database):
		return // a backup is to stay as it is
	case v.o.wayBack(s) != "":
		v.line("next: %s", v.o.wayBack(s))
		return
	case s.Verdict == migrate.VerdictDamaged:
		v.line("nothing should write to this file: put a backup in its place")
		v.line("next: %s", v.o.nextCommand("check", s.Database))
		return
	case fixable:
		v.line("%s", stopFirst)
	case v.o.command == "repair" && s.Fixed > 0 && v.o.run.Output == "":
		v.line("%s", stopped)
	}
	var steps []string
	if fixable {
		o := v.o
		if s.Plan != "" {
			o.given = append(slices.Clone(o.given), given{flag: "--plan", value: s.Plan, has: true})
		}
		steps = append(steps, o.nextCommand("repair", s.Database))
	}
	if v.shifts {
		o := v.o
		// A plan is of what was looked at, without the rows.
		o.given = slices.DeleteFunc(slices.Clone(o.given), func(g given) bool { return g.name() == "plan" || g.name() == "rows" })
		o.given = append(o.given, given{flag: "--rows", value: "shift", has: true})
		steps = append(steps, o.nextCommand("repair", s.Database))
	}
	if v.left != "" {
		steps = append(steps, v.o.nextCommand("show", s.Database, v.left))
	}
	if s.Unrecognised > 0 {
		steps = append(steps, v.o.nextCommand("inspect", s.Database))
	}
	for _, step := range steps {
		v.line("next: %s", step)
	}
	if s.Journal != "" && s.Fixed > 0 && !s.DryRun && v.o.run.Output == "" {
		v.line("to undo: %s", v.o.nextCommand("undo", s.Journal))
	}
}
