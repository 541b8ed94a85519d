package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"boltmend/migrate"
)

func restoreCommand() command {
	return command{
		name:  "restore",
		args:  "BACKUP DB",
		short: "make a database what a backup of it is",
		long: `
Makes the whole file what it was before a repair, in place. It is for a file
that is broken; undo puts back what the repair changed and keeps the rest. A
journal of the database has to name the backup. What the app has written since
would be lost, so it is refused then, unless --force is given. The database as
it is is backed up first. A restore that was cut off leaves a file that nobody
can open; the same command goes on with it.`,
		examples: []string{
			"boltmend restore --dry-run chat.db.boltmend-17.bak chat.db",
			"boltmend restore chat.db.boltmend-17.bak chat.db",
		},
		flags: join(outputFlags(), one(dryRunFlag()), restoreFlags(), one(lockFlag())),
		least: 2, most: 2,
		run: runRestore,
	}
}

func restoreFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "force", Usage: "lose what the app has written since the backup"},
		&cli.StringFlag{Name: "backup-dir", Usage: "put the backup into `DIR`"},
		&cli.StringFlag{Name: "journal", Usage: "the repair's journal is `FILE`, if it is elsewhere"},
	}
}

func runRestore(ctx context.Context, p *program, o options, args []string) (int, error) {
	do := func(ctx context.Context, db string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
		return p.restore(ctx, args[0], db, opts, emit)
	}
	return p.each(ctx, o, &restoreView{printer: p.printer(o), o: o}, args[1:], do), nil
}

// A restoreView shows a restore.
type restoreView struct {
	printer
	o options
}

func (v *restoreView) event(e migrate.Event) {
	s, ok := e.(*migrate.Summary)
	if !ok || s.Exit == exitUsage {
		return
	}
	would := ""
	if s.DryRun {
		would = "would be "
	}
	backup := v.o.args[0]
	switch s.Verdict {
	case migrate.VerdictRepaired:
		v.head(s.Database+": ", green, would+"restored", ": as in "+backup)
	case migrate.VerdictSound:
		v.head(s.Database+": ", green, "nothing to restore", ": as in "+backup+" already")
	default:
		v.head(s.Database+": ", red, "not restored", "")
	}
	if s.Backup != "" {
		v.line("backed up to: %s, as it was before", s.Backup)
	}
	if s.Journal != "" {
		v.line("journal: %s", s.Journal)
	}
	switch {
	case s.Verdict != migrate.VerdictRepaired:
	case s.DryRun:
		v.line("%s", stopFirst)
		v.line("next: %s", v.o.nextCommand("restore", v.o.args...))
	case s.Backup != "":
		v.line("to undo this: %s", v.o.nextCommand("restore", s.Backup, s.Database))
	}
}
