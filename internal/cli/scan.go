package cli

import "context"

func scanCommand() command {
	return command{
		name:  "scan",
		args:  "DB...",
		short: "say what is wrong in each database",
		long: `
Reads every bucket of each database, finds the conversations in it and says
which are poisoned: tool calls and results that do not pair. Writes nothing.
Other processes can read meanwhile, and wait until the end to write; with
--live nobody waits, and each value is as it was at some moment of the scan:
what is written to without pause is passed over after --lock-wait, exit 4. Of a
damaged database what can be read is scanned, and the rest is named. Call ids
and tool names that do not look like any are shown as len=BYTES sha256=HEX.`,
		examples: []string{
			"boltmend scan chat.db",
			"boltmend scan --id call_abc123 chat.db   # the call that an error names",
			"boltmend scan --live chat.db             # while the app runs",
			"boltmend scan --json *.db | jq -r 'select(.type==\"history\").ref'",
		},
		flags: join(outputFlags(), listFlags(), narrowFlags(), judgeFlags(), layoutFlags(), one(liveFlag(), lockFlag())),
		least: 1, most: -1,
		run: runScan,
	}
}

func runScan(ctx context.Context, p *program, o options, args []string) (int, error) {
	paths, err := p.databases(o, args)
	if err != nil {
		return 0, err
	}
	return p.each(ctx, o, &reportView{printer: p.printer(o), o: o}, paths, p.scan), nil
}
