package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"boltmend/migrate"
)

// A command line that cannot be meant says on one line what to do instead,
// and reaches no database.
func TestUsageErrors(t *testing.T) {
	tests := []struct{ args, want string }{
		{"", "no command: boltmend --help lists them"},
		{"scna a.db", "unknown command scna: did you mean scan?"},
		{"help", "unknown command help: boltmend --help lists the commands"},
		{"-- help", "unknown command help: boltmend --help lists the commands"},
		{"--frobnicate", "unknown flag --frobnicate: boltmend --help lists them (a file of that name is ./--frobnicate)"},
		{"scan", "scan: missing argument: boltmend scan DB..."},
		{"scan --", "scan: missing argument: boltmend scan DB..."},
		{"show a.db", "show: missing argument: boltmend show DB REF"},
		{"undo j a.db b.db", "undo: too many arguments, from b.db on: boltmend undo JOURNAL [DB]"},
		{"filter x", "filter: too many arguments, from x on: boltmend filter"},
		{"scan a.db --dry-run", "unknown flag --dry-run: boltmend scan --help lists them (a file of that name is ./--dry-run)"},
		{"repair a.db --dryrun", "unknown flag --dryrun: did you mean --dry-run?"},
		{"scan -json a.db", "unknown flag -json: did you mean --json?"},
		{"scan -q a.db", "unknown flag -q: boltmend scan --help lists them (a file of that name is ./-q)"},
		{"scan --json a.db --json", "--json is given twice: leave one out"},
		{"repair --journal x --journal=x a.db", "--journal is given twice: leave one out"},
		{"scan -h --help a.db", "--help is given twice: leave one out"},
		{"scan a.db --only", "--only needs a value"},
		{"scan a.db --only=", "--only has an empty value: leave it out or give one"},
		{"scan --json=yes a.db", "--json has no value: write --json alone"},
		{"scan --only a,b a.db", "--only a,b: not a ref: give it as scan prints it, percent-encoded"},
		{"show a.db a,b", "show a,b: not a ref: give it as scan prints it, percent-encoded"},
		{"scan --dialect openai a.db", "unknown dialect openai: use one of " + strings.Join(dialectNames(), ", ")},
		{"scan --on-missing drop a.db", "--on-missing drop: use answer or drop-turn"},
		{"scan --lock-wait 5 a.db", "--lock-wait 5: want a duration such as 5s or 2m, or 0 not to wait"},
		{"scan --lock-wait -5s a.db", "--lock-wait -5s: want a duration such as 5s or 2m, or 0 not to wait"},
		{"repair --batch-bytes 0 a.db", "--batch-bytes 0: want a number of bytes above 0"},
		{"repair --no-backup --backup-dir d a.db", "--no-backup and --backup-dir contradict each other: leave one out"},
		{"repair --output n --backup-dir d a.db", "--output leaves the database as it is and makes no backup: leave out --backup-dir"},
		{"repair --output n a.db b.db", "--output takes one database: repair them one by one"},
		{"repair --journal n a.db b.db", "--journal takes one database: repair them one by one"},
		{"repair --output ./a.db a.db", "--output ./a.db is the database itself: name a new file"},
		{"scan a.db.boltmend-1.bak b.db.boltmend-2.journal", "scan: nothing left to do: all arguments are backups or journals"},
		{"explain mising-result", "unknown code mising-result: did you mean missing-result?"},
		{"explain x", "unknown code x: boltmend explain lists them"},
	}
	events := []migrate.Event{&migrate.Error{Message: "a database was opened"}, &migrate.Summary{}}
	for _, tt := range tests {
		out, errs, code := runFake(t, events, strings.Fields(tt.args)...)
		errs = strings.TrimSuffix(errs, "\n")
		if i := strings.LastIndex(errs, "\n"); i >= 0 && strings.HasPrefix(tt.args, "scan a.db.boltmend") {
			errs = errs[i+1:] // behind the lines about what is passed over
		}
		if errs != "boltmend: "+tt.want || out != "" || code != exitUsage {
			t.Errorf("%q: %q, %q, exit %d, want %q", tt.args, out, errs, code, tt.want)
		}
	}
	if _, errs, code := runFake(t, events, "scan", ""); code != exitUsage {
		t.Errorf("empty argument: %q, exit %d", errs, code)
	}
	if _, errs, code := runFake(t, events, "scan", "--marker", " ", "a.db"); code != exitUsage {
		t.Errorf("blank marker: %q, exit %d", errs, code)
	}
}

// What the flags say reaches package migrate, wherever they stand, and a
// comma splits nothing.
func TestFlagsReachMigrate(t *testing.T) {
	var r migrate.Options
	p := &program{stdout: &sink{w: &strings.Builder{}}, stderr: &strings.Builder{}}
	p.repair = fakeOptions(&r)
	args := []string{"repair", "a.db", "--dry-run", "--placeholder", "no, never", "--only", "chat/x", "--only=chat/y",
		"--id", "a,b", "--bucket", "c*", "--marker", "en", "--lock-wait", "0", "--batch-bytes", "65536", "--keep-tail", "--keep-order",
		"--on-missing", "drop-turn", "--dialect", "pi", "--dialect", "pi", "--all", "--strict=false", "--backup-dir", "d", "--journal", "j"}
	if code, err := p.dispatch(t.Context(), args); code != 0 || err != nil {
		t.Fatalf("%d, %v", code, err)
	}
	if !r.DryRun || !r.All || r.Strict || r.BatchBytes != 65536 || r.LockWait != 0 || r.BackupDir != "d" || r.Journal != "j" ||
		strings.Join(r.Only, " ") != "chat/x chat/y" || strings.Join(r.IDs, " ") != "a,b" || strings.Join(r.Buckets, " ") != "c*" || len(r.Dialects) != 2 {
		t.Errorf("got %+v", r)
	}
	f := r.Repair
	if len(f.Placeholders) != 1 || f.Placeholders[0] != "no, never" || f.Marker != "en" || !f.KeepTail || !f.KeepOrder ||
		f.OnMissing != "drop-turn" {
		t.Errorf("got %+v", f)
	}
}

// A flag takes a value in every command or in none: the command line is taken
// apart before the command is known.
func TestFlagsAgree(t *testing.T) {
	takes := map[string]bool{}
	for _, c := range commands() {
		seen := map[string]bool{}
		for _, f := range append(c.flags, appFlags()...) {
			name := f.Names()[0]
			if v, ok := takes[name]; ok && v != hasValue(f) {
				t.Errorf("--%s of %s takes a value elsewhere", name, c.name)
			}
			if seen[name] {
				t.Errorf("--%s of %s is there twice", name, c.name)
			}
			takes[name], seen[name] = hasValue(f), true
			if len(f.Names()) != 1 {
				t.Errorf("--%s has an alias", name)
			}
		}
	}
}

func TestHelp(t *testing.T) {
	for _, c := range commands() {
		for _, args := range []string{c.name + " --help", c.name + " a b c -h", "--help " + c.name} {
			out, errs, code := runFake(t, nil, strings.Fields(args)...)
			if out != c.help() || errs != "" || code != 0 {
				t.Errorf("%s: exit %d, %q, not the help: %s", args, code, errs, out)
			}
		}
		for line := range strings.Lines(c.help()) {
			if len(line) > 81 {
				t.Errorf("%s: too wide: %s", c.name, line)
			}
		}
		for _, want := range []string{exitHelp, "example:\n  boltmend " + c.name, c.short} {
			if !strings.Contains(c.help(), want) {
				t.Errorf("help of %s lacks %q", c.name, want)
			}
		}
		for _, f := range c.flags {
			hidden := f.Names()[0] == "batch-bytes"
			if strings.Contains(c.help(), "  --"+f.Names()[0]+" ") == hidden {
				t.Errorf("help of %s: --%s", c.name, f.Names()[0])
			}
		}
	}
	out, _, code := runFake(t, nil, "--help")
	if out != appHelp(commands()) || code != 0 || !strings.Contains(out, exitHelp) {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestRepeatable(t *testing.T) {
	for _, c := range commands() {
		for _, f := range c.flags {
			_, many := f.(*cli.StringSliceFlag)
			if name := f.Names()[0]; many != slices.Contains(repeatable, name) {
				t.Errorf("%s --%s: takes several values: %v", c.name, name, many)
			}
		}
	}
}
