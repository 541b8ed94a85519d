package cli

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"
)

func repairCommand() command {
	return command{
		name:  "repair",
		args:  "DB...",
		short: "repair the conversations of each database",
		long: `
Repairs what scan finds. Before it writes, it makes a verified backup and a
journal beside the database; undo takes the journal. A database without a
fault is not touched. Stop the app first: one that keeps the conversation in
memory writes the old one back.`,
		examples: []string{
			"boltmend repair --dry-run chat.db",
			"boltmend repair chat.db",
			"boltmend repair --output fixed.db chat.db",
		},
		flags: join(outputFlags(), listFlags(), one(dryRunFlag()), diskFlags(), narrowFlags(), judgeFlags(), layoutFlags(), one(lockFlag())),
		least: 1, most: -1,
		run: runRepair,
	}
}

// diskFlags are the flags about what a repair writes, and where.
func diskFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Usage: "repair a compacted copy, `NEW`; the database is untouched"},
		&cli.StringFlag{Name: "backup-dir", Usage: "put the backup into `DIR`"},
		&cli.BoolFlag{Name: "no-backup", Usage: "make no backup; the journal is written all the same"},
		&cli.StringFlag{Name: "journal", Usage: "write the journal to `FILE`"},
		&cli.StringFlag{Name: "save-plan", Usage: "with --dry-run: write what would change to `FILE`"},
		&cli.StringFlag{Name: "plan", Usage: "change what is in the plan `FILE` and nothing else"},
		// For tests that need many transactions.
		&cli.StringFlag{Name: "batch-bytes", Usage: "bound a transaction to `N` bytes", Hidden: true},
	}
}

func runRepair(ctx context.Context, p *program, o options, args []string) (int, error) {
	switch {
	case len(args) > 1 && o.run.Output != "":
		return 0, usagef("--output takes one database: repair them one by one")
	case len(args) > 1 && o.run.Journal != "":
		return 0, usagef("--journal takes one database: repair them one by one")
	case len(args) > 1 && o.run.SavePlan+o.run.Plan != "":
		return 0, usagef("a plan is of one database: repair them one by one")
	case o.run.SavePlan != "" && !o.run.DryRun:
		return 0, usagef("--save-plan is for a look before: give --dry-run too")
	case o.run.SavePlan != "" && o.run.Plan != "":
		return 0, usagef("--save-plan and --plan contradict each other: leave one out")
	case o.run.Output != "" && samePath(o.run.Output, args[0]):
		return 0, usagef("--output %s is the database itself: name a new file", o.run.Output)
	}
	paths, err := p.databases(o, args)
	if err != nil {
		return 0, err
	}
	return p.each(ctx, o, &reportView{printer: p.printer(o), o: o}, paths, p.repair), nil
}

func samePath(a, b string) bool {
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}
