package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// A flag means the same, and has a value or none, in every command that has
// it. Flags are made anew for each run: urfave/cli keeps values in them.

// repeatable names the flags that may be given more than once.
var repeatable = []string{"bucket", "dialect", "fix", "id", "only", "placeholder"}

const defaultLockWait = 5 * time.Second

func appFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "version", Usage: "print the version"},
	}
}

// outputFlags say how the report looks.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "report as JSON lines"},
		&cli.BoolFlag{Name: "quiet", Usage: "no text report, only errors and the exit code"},
		&cli.BoolFlag{Name: "no-color", Usage: "no color, also on a terminal"},
	}
}

// listFlags say what the report holds.
func listFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "all", Usage: "report sound conversations too"},
		&cli.BoolFlag{Name: "strict", Usage: "lint counts for the exit code"},
		&cli.BoolFlag{Name: "show-content", Usage: "call ids and tool names as stored, whatever they hold"},
	}
}

// narrowFlags say what to look at.
func narrowFlags() []cli.Flag {
	return []cli.Flag{
		onlyFlag(),
		&cli.StringSliceFlag{Name: "id", Usage: "only conversations with the call `ID`"},
		bucketFlag(),
	}
}

func onlyFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "only", Usage: "only the record or conversation `REF`"}
}

func bucketFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "bucket", Usage: "only buckets matching `GLOB`; ** crosses names"}
}

// dialectFlag narrows what is taken for a conversation.
func dialectFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "dialect", Usage: "only conversations in the dialect `NAME`"}
}

// judgeFlags steer the repair. Commands that only look have them too: what
// they report is what a repair with the same flags would do.
func judgeFlags() []cli.Flag {
	return []cli.Flag{
		dialectFlag(),
		&cli.StringFlag{Name: "on-missing", Usage: "missing results: `HOW` is answer (default) or drop-turn"},
		&cli.BoolFlag{Name: "keep-tail", Usage: "leave a last exchange alone that may still be running"},
		&cli.BoolFlag{Name: "keep-order", Usage: "leave results in another order than their calls"},
		&cli.StringFlag{Name: "marker", Usage: "`TEXT` of a made-up result, or en (default [interrompu])"},
		&cli.StringSliceFlag{Name: "placeholder", Usage: "`TEXT` that stands for a result that never came"},
		&cli.StringFlag{Name: "target", Usage: "judge for `PROVIDER` too, and rename ids that it refuses"},
		&cli.StringSliceFlag{Name: "fix", Usage: "change what lint `CODE` reports, where it can be"},
	}
}

// layoutFlags are about how conversations are stored.
func layoutFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rows", Usage: "no free key for a row: `HOW` is report (default) or shift"},
		maxValueFlag(),
		layoutFlag(),
	}
}

func layoutFlag() cli.Flag {
	return &cli.StringFlag{Name: "layout", Usage: "how buckets are stored, as `FILE` says (inspect --save)"}
}

// maxValueFlag bounds what a compressed value may become.
func maxValueFlag() cli.Flag {
	return &cli.StringFlag{Name: "max-value", Usage: "open values of up to `SIZE` decompressed (default 1GiB)"}
}

func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Usage: "do all of it but write nothing"}
}

func liveFlag() cli.Flag {
	return &cli.BoolFlag{Name: "live", Usage: "read while the app writes: no lock, no copy"}
}

func lockFlag() cli.Flag {
	return &cli.StringFlag{Name: "lock-wait", Usage: "wait `DURATION` for another process's lock (default 5s)"}
}

// valueFlags tells which flags of any command have a value.
func valueFlags(all []command) func(name string) bool {
	takes := map[string]bool{}
	for _, c := range all {
		for _, f := range c.flags {
			if hasValue(f) {
				takes[f.Names()[0]] = true
			}
		}
	}
	return func(name string) bool { return takes[name] }
}

func hasValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// checkFlags checks the flags given to a command against those that it knows,
// so that the library never has to complain.
func checkFlags(name string, known []cli.Flag, flags []given) error {
	seen := map[string]bool{}
	for _, g := range flags {
		f, err := findFlag(name, known, g)
		if err != nil {
			return err
		}
		canonical := f.Names()[0]
		if seen[canonical] && !slices.Contains(repeatable, canonical) {
			return usagef("--%s is given twice: leave one out", canonical)
		}
		seen[canonical] = true
		switch {
		case hasValue(f) && !g.has:
			return usagef("--%s needs a value", canonical)
		case hasValue(f) && g.value == "":
			return usagef("--%s has an empty value: leave it out or give one", canonical)
		case !hasValue(f) && g.has && g.value != "true" && g.value != "false":
			return usagef("--%s has no value: write --%s alone", canonical, canonical)
		}
	}
	return nil
}

// findFlag returns the flag that g means. "-json" is not taken for "--json",
// though the library would: elsewhere that is four short flags.
func findFlag(command string, known []cli.Flag, g given) (cli.Flag, error) {
	var names []string
	for _, f := range append([]cli.Flag{cli.HelpFlag}, known...) {
		for _, n := range f.Names() {
			spelled := "--" + n
			if len(n) == 1 {
				spelled = "-" + n
			}
			if g.flag == spelled {
				return f, nil
			}
			names = append(names, spelled)
		}
	}
	help := "boltmend --help"
	if command != "" {
		help = "boltmend " + command + " --help"
	}
	hint := didYouMean("--"+g.name(), names)
	if hint == "" {
		hint = ": " + help + " lists them (a file of that name is " + shellQuote("./"+g.flag) + ")"
	}
	return nil, usagef("unknown flag %s%s", g.flag, hint)
}

// one is a group of single flags.
func one(flags ...cli.Flag) []cli.Flag { return flags }

// join puts groups of flags together, each flag once.
func join(groups ...[]cli.Flag) []cli.Flag {
	var all []cli.Flag
	var names []string
	for _, g := range groups {
		for _, f := range g {
			if n := strings.Join(f.Names(), ","); !slices.Contains(names, n) {
				names = append(names, n)
				all = append(all, f)
			}
		}
	}
	return all
}
