package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"boltmend/migrate"
	"boltmend/repair"
)

// options are what the flags of a command say.
type options struct {
	json        bool
	quiet       bool
	noColor     bool
	showContent bool
	diff        bool
	why, save   string
	run         migrate.Options

	command string
	args    []string
	// given are the flags as given, to say the next command with them.
	given []given
}

// readOptions reads the flags of any command; those that it does not have are
// zero. A value that cannot be right is an error here, before any database is
// opened.
func readOptions(c *cli.Context, cmd command, flags []given) (options, error) {
	o := options{
		json:        c.Bool("json"),
		quiet:       c.Bool("quiet"),
		noColor:     c.Bool("no-color"),
		showContent: c.Bool("show-content"),
		diff:        c.Bool("diff"),
		why:         c.String("why"),
		save:        c.String("save"),
		command:     cmd.name,
		args:        c.Args().Slice(),
		given:       flags,
		run: migrate.Options{
			Buckets:   c.StringSlice("bucket"),
			Only:      c.StringSlice("only"),
			IDs:       c.StringSlice("id"),
			All:       c.Bool("all"),
			Strict:    c.Bool("strict"),
			Live:      c.Bool("live"),
			DryRun:    c.Bool("dry-run"),
			NoBackup:  c.Bool("no-backup"),
			BackupDir: c.String("backup-dir"),
			Journal:   c.String("journal"),
			Output:    c.String("output"),
			Force:     c.Bool("force"),
			SavePlan:  c.String("save-plan"),
			Plan:      c.String("plan"),
		},
	}
	var err error
	if o.run.Repair, err = readRepair(c); err != nil {
		return o, err
	}
	if o.run.Dialects, err = readDialects(c); err != nil {
		return o, err
	}
	if o.run.LockWait, err = readLockWait(c.String("lock-wait")); err != nil {
		return o, err
	}
	if n := c.String("batch-bytes"); n != "" {
		if o.run.BatchBytes, err = strconv.Atoi(n); err != nil || o.run.BatchBytes <= 0 {
			return o, usagef("--batch-bytes %s: want a number of bytes above 0", n)
		}
	}
	if err = o.readLayout(c); err != nil {
		return o, err
	}
	for _, ref := range o.run.Only {
		if err := checkRef("--only", ref); err != nil {
			return o, err
		}
	}
	return o, o.checkTogether()
}

func readRepair(c *cli.Context) (repair.Options, error) {
	r := repair.Options{
		OnMissing:    repair.OnMissing(c.String("on-missing")),
		KeepTail:     c.Bool("keep-tail"),
		KeepOrder:    c.Bool("keep-order"),
		Marker:       c.String("marker"),
		Placeholders: c.StringSlice("placeholder"),
		Target:       repair.Provider(c.String("target")),
	}
	for _, code := range c.StringSlice("fix") {
		r.Fix = append(r.Fix, repair.Code(code))
	}
	if err := checkTarget(r); err != nil {
		return r, err
	}
	switch r.OnMissing {
	case "", repair.Answer, repair.DropTurn:
	default:
		return r, usagef("--on-missing %s: use %s or %s", r.OnMissing, repair.Answer, repair.DropTurn)
	}
	// Providers refuse a result that is blank.
	if r.Marker != "" && strings.TrimSpace(r.Marker) == "" {
		return r, usagef("--marker is blank: give a text that says what happened")
	}
	return r, nil
}

// readDialects reads the dialects that are asked for.
func readDialects(c *cli.Context) (all []repair.Dialect, err error) {
	names := dialectNames()
	for _, d := range c.StringSlice("dialect") {
		if !slices.Contains(names, d) {
			return nil, usagef("unknown dialect %s: use one of %s", d, strings.Join(names, ", "))
		}
		all = append(all, repair.Dialect(d))
	}
	return all, nil
}

// dialectNames lists the dialects that can be asked for.
func dialectNames() []string {
	var names []string
	for _, d := range repair.Dialects() {
		names = append(names, string(d))
	}
	return names
}

func readLockWait(s string) (time.Duration, error) {
	if s == "" {
		return defaultLockWait, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, usagef("--lock-wait %s: want a duration such as 5s or 2m, or 0 not to wait", s)
	}
	return d, nil
}

// A ref is made of these; anything else can name nothing.
var refText = regexp.MustCompile(`^[A-Za-z0-9._:~%/#@-]+$`)

func checkRef(what, ref string) error {
	if !refText.MatchString(ref) {
		return usagef("%s %s: not a ref: give it as scan prints it, percent-encoded", what, shellQuote(ref))
	}
	return nil
}

// checkTogether refuses flags that contradict one another.
func (o options) checkTogether() error {
	r := o.run
	switch {
	case r.NoBackup && r.BackupDir != "":
		return usagef("--no-backup and --backup-dir contradict each other: leave one out")
	case r.Output != "" && r.BackupDir != "":
		return usagef("--output leaves the database as it is and makes no backup: leave out --backup-dir")
	case r.Output != "" && r.Journal != "":
		return usagef("--output leaves the database as it is and makes no journal: leave out --journal")
	}
	return nil
}

// nextCommand is the command line of verb over args, one that can be pasted.
// It carries on the flags given to this run that verb has too, but not those
// about how it is reported.
func (o options) nextCommand(verb string, args ...string) string {
	line := []string{"boltmend", verb}
	known := map[string]cli.Flag{}
	for _, c := range commands() {
		if c.name == verb {
			for _, f := range c.flags {
				known[f.Names()[0]] = f
			}
		}
	}
	leaveOut := []string{"json", "quiet", "no-color", "all", "strict", "show-content", "dry-run", "save-plan"}
	if !o.run.DryRun || verb != o.command { // it is for what was looked at, not for what comes after
		leaveOut = append(leaveOut, "force")
	}
	for _, g := range o.given {
		f := known[g.name()]
		switch {
		case f == nil || slices.Contains(leaveOut, g.name()):
		case hasValue(f):
			line = append(line, g.flag, shellQuote(g.value))
		case g.value != "false":
			line = append(line, g.flag)
		}
	}
	// A file or a ref may begin with "-".
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		line = append(line, "--")
	}
	for _, a := range args {
		line = append(line, shellQuote(a))
	}
	return strings.Join(line, " ")
}

// narrowed reports whether flags narrow what is looked at.
func (o options) narrowed() bool {
	return len(o.run.Buckets)+len(o.run.Only)+len(o.run.IDs)+len(o.run.Dialects) > 0
}
