package cli

import (
	"context"
	"fmt"

	"boltmend/migrate"
)

func checkCommand() command {
	return command{
		name:  "check",
		args:  "DB...",
		short: "check the pages of each database",
		long: `
Reads every page in use and says what is wrong with the file itself: errors,
with which nothing may write to it, and oddities, which hurt nobody. Each names
the page, the bucket and the keys concerned. Reads no value and writes nothing.
scan and repair do the same first.`,
		examples: []string{
			"boltmend check chat.db",
			"boltmend check --json *.db | jq -r 'select(.severity==\"error\").kind'",
		},
		flags: join(outputFlags(), one(lockFlag())),
		least: 1, most: -1,
		run: runCheck,
	}
}

func runCheck(ctx context.Context, p *program, o options, args []string) (int, error) {
	paths, err := p.databases(o, args)
	if err != nil {
		return 0, err
	}
	return p.each(ctx, o, &checkView{printer: p.printer(o), o: o}, paths, p.check), nil
}

// A checkView shows a page check: the verdict first.
type checkView struct {
	printer
	o       options
	printed bool

	file             *migrate.File
	errors, oddities list
}

func (v *checkView) event(e migrate.Event) {
	switch e := e.(type) {
	case *migrate.Page:
		if e.Severity == "error" {
			v.errors.add("%s", pageLine(e))
		} else {
			v.oddities.add("%s", pageLine(e))
		}
	case *migrate.File:
		v.file = e
	case *migrate.Summary:
		if v.printed {
			v.line("")
		}
		v.summary(e)
		*v = checkView{printer: v.printer, o: v.o, printed: true}
	}
}

// pageLine is a page in words.
func pageLine(p *migrate.Page) string {
	line := p.Kind + ": " + p.Detail
	if p.Page > 0 || p.Kind == "meta" { // else it is not known which
		line = fmt.Sprintf("page %d: %s", p.Page, line)
	}
	if p.Bucket != "" {
		line += ", bucket " + p.Bucket
	}
	if p.KeyFrom != "" {
		line += ", keys from " + p.KeyFrom
	}
	if p.KeyTo != "" {
		line += ", keys before " + p.KeyTo
	}
	return line
}

func (v *checkView) summary(s *migrate.Summary) {
	size := ""
	if f := v.file; f != nil {
		size = fmt.Sprintf(": %s of %d bytes, %s in use", count(int(f.Pages), "page"), f.PageSize, number(int(f.Used)))
	}
	switch s.Verdict {
	case migrate.VerdictSound:
		v.head(s.Database+": ", green, "sound", size)
	case migrate.VerdictDamaged:
		v.head(s.Database+": ", red, "damaged", fmt.Sprintf(": %s%s", count(s.Remaining, "error"), size))
	default:
		v.head(s.Database+": ", red, "not checked", "")
	}
	v.errors.print(v.printer)
	switch s.Lint {
	case 0:
	case 1:
		v.line("1 oddity, which hurts nobody:")
	default:
		v.line("%s oddities, which hurt nobody:", number(s.Lint))
	}
	v.oddities.print(v.printer)
	if f := v.file; f != nil {
		v.line("meta %d counts, of transaction %d: %s", f.Meta, f.Transaction, f.Reason)
	}
	if s.Verdict == migrate.VerdictDamaged {
		v.line("nothing should write to this file: put a backup in its place")
		if v.file != nil { // else there is nothing to begin from
			v.line("next: %s", v.o.nextCommand("scan", s.Database))
		}
	}
}
