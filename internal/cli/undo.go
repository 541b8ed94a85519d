package cli

import (
	"context"

	"boltmend/migrate"
)

func undoCommand() command {
	return command{
		name:  "undo",
		args:  "JOURNAL [DB]",
		short: "put back what a repair changed",
		long: `
Puts each record back that the journal's repair changed, and keeps a journal
of its own. A record that the app has written since is left alone and named.
DB is needed if the database has moved.`,
		examples: []string{
			"boltmend undo chat.db.boltmend-17.journal",
			"boltmend undo --only chathist/1761100000000000001 chat.db.boltmend-17.journal",
		},
		flags: join(outputFlags(), one(dryRunFlag(), onlyFlag(), lockFlag())),
		least: 1, most: 2,
		run: runUndo,
	}
}

func runUndo(ctx context.Context, p *program, o options, args []string) (int, error) {
	journal, db := args[0], ""
	if len(args) > 1 {
		db = args[1]
	}
	do := func(ctx context.Context, db string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
		return p.undo(ctx, journal, db, opts, emit)
	}
	return p.each(ctx, o, &undoView{printer: p.printer(o), o: o}, []string{db}, do), nil
}

// An undoView shows an undo.
type undoView struct {
	printer
	o              options
	restored, done int
	left           list
}

func (v *undoView) event(e migrate.Event) {
	switch e := e.(type) {
	case *migrate.Undone:
		switch e.State {
		case "restored":
			v.restored++
		case "done":
			v.done++
		default:
			v.left.add("%s", e.Ref)
		}
	case *migrate.Summary:
		if e.Exit != exitUsage {
			v.summary(e)
		}
	}
}

func (v *undoView) summary(s *migrate.Summary) {
	would := ""
	if s.DryRun {
		would = "would be "
	}
	left := len(v.left.lines) + v.left.more
	color, verdict := green, would+"put back"
	switch {
	case s.Verdict == migrate.VerdictError || s.Verdict == migrate.VerdictDamaged:
		color, verdict = red, "not undone"
	case v.restored+left == 0:
		verdict = "nothing to put back"
	case left > 0:
		color, verdict = yellow, would+"put back in part"
	}
	rest := ""
	if v.restored > 0 {
		rest = ": " + count(v.restored, "record")
	}
	name := s.Database
	if name == "" { // the journal could not be read
		name = v.o.args[0]
	}
	v.head(name+": ", color, verdict, rest)
	if v.done > 0 {
		v.line("already as before: %s", count(v.done, "record"))
	}
	if left > 0 {
		v.line("left alone, the app has written since: %s", count(left, "record"))
		v.left.print(v.printer)
	}
	if s.Backup != "" {
		v.line("%sbacked up to: %s", would, s.Backup)
	}
	switch {
	case s.DryRun && v.restored > 0:
		v.line("next: %s", v.o.nextCommand("undo", v.o.args...))
	case s.Journal != "":
		v.line("journal: %s", s.Journal)
		v.line("to undo this: %s", v.o.nextCommand("undo", s.Journal))
	}
}
