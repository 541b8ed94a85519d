package cli

import (
	"context"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// A command is one verb of the command line.
type command struct {
	name string
	// args is what follows the flags, for the usage line.
	args string
	// short says on one line what the command does, long says the rest.
	short, long string
	examples    []string
	flags       []cli.Flag
	// least and most bound the number of arguments; most is -1 for any.
	least, most int
	run         func(ctx context.Context, p *program, o options, args []string) (int, error)
}

// commands lists the commands in the order of the help.
func commands() []command {
	return []command{
		scanCommand(), repairCommand(), undoCommand(), restoreCommand(), checkCommand(),
		inspectCommand(), showCommand(), explainCommand(), filterCommand(),
	}
}

// dispatch reads the command line and runs its command.
func (p *program) dispatch(ctx context.Context, args []string) (int, error) {
	all := commands()
	words, flags := permute(args, valueFlags(all))
	if wantsHelp(flags) {
		// With arguments left the library looks for help topics among them.
		words = words[:min(1, len(words))]
	}
	appArgs := []string{"boltmend"}
	if len(words) == 0 {
		if err := checkFlags("", appFlags(), flags); err != nil {
			return 0, err
		}
		if len(flags) == 0 {
			return 0, usagef("no command: boltmend --help lists them")
		}
		appArgs = append(appArgs, arrange(flags, nil)...)
	} else {
		i := slices.IndexFunc(all, func(c command) bool { return c.name == words[0] })
		if i < 0 {
			return 0, unknownCommand(words[0], all)
		}
		if err := checkFlags(words[0], all[i].flags, flags); err != nil {
			return 0, err
		}
		appArgs = append(append(appArgs, words[0]), arrange(flags, words[1:])...)
	}
	code := exitDone
	err := p.app(all, flags, &code).RunContext(ctx, appArgs)
	return code, err
}

func wantsHelp(flags []given) bool {
	return slices.ContainsFunc(flags, func(g given) bool {
		return slices.Contains(cli.HelpFlag.Names(), g.name()) && g.value != "false"
	})
}

func unknownCommand(name string, all []command) error {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	hint := didYouMean(name, names)
	if hint == "" {
		hint = ": boltmend --help lists the commands"
	}
	return usagef("unknown command %s%s", name, hint)
}

// app is the command line as urfave/cli sees it. The exit code of the command
// that runs goes to code.
func (p *program) app(all []command, flags []given, code *int) *cli.App {
	app := &cli.App{
		Name:                  "boltmend",
		Flags:                 appFlags(),
		HideVersion:           true, // its -v and its text are not ours
		HideHelpCommand:       true, // "help" would be a command that eats arguments
		CustomAppHelpTemplate: appHelp(all),
		Writer:                p.stdout,
		ErrWriter:             p.stderr,
		// A ref or a placeholder may hold a comma.
		DisableSliceFlagSeparator: true,
		// The library exits by itself for some errors.
		ExitErrHandler: func(*cli.Context, error) {},
		// It prints its own text to stdout for errors of usage.
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return usageError(err.Error()) },
		Action: func(c *cli.Context) error {
			_, err := io.WriteString(c.App.Writer, "boltmend "+version()+"\n")
			return err
		},
	}
	for _, c := range all {
		app.Commands = append(app.Commands, &cli.Command{
			Name:               c.name,
			Flags:              c.flags,
			HideHelpCommand:    true,
			CustomHelpTemplate: c.help(),
			OnUsageError:       app.OnUsageError,
			Action: func(ctx *cli.Context) error {
				args := ctx.Args().Slice()
				if err := c.checkArgs(args); err != nil {
					return err
				}
				o, err := readOptions(ctx, c, flags)
				if err != nil {
					return err
				}
				*code, err = c.run(ctx.Context, p, o, args)
				return err
			},
		})
	}
	return app
}

// checkArgs checks the number of arguments and that none is empty: an unset
// variable in a script must not mean something else.
func (c command) checkArgs(args []string) error {
	usage := strings.TrimSpace("boltmend " + c.name + " " + c.args)
	switch {
	case len(args) < c.least:
		return usagef("%s: missing argument: %s", c.name, usage)
	case c.most >= 0 && len(args) > c.most:
		return usagef("%s: too many arguments, from %s on: %s", c.name, shellQuote(args[c.most]), usage)
	case slices.Contains(args, ""):
		return usagef("%s: an argument is empty: %s", c.name, usage)
	}
	return nil
}

// version is the version of the main module as the go command recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
