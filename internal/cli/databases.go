package cli

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"

	"boltmend/migrate"
)

// What a repair leaves beside a database; "boltmend scan *" means neither.
var ownFile = regexp.MustCompile(`\.boltmend-[0-9]+(-[0-9a-f]+){0,2}\.(bak|journal)$`)

// databases returns the databases that args name, each once. Among several,
// backups and journals are passed over.
func (p *program) databases(o options, args []string) ([]string, error) {
	var paths []string
	var infos []os.FileInfo
	for _, path := range args {
		if len(args) > 1 && ownFile.MatchString(path) {
			p.notice(o, path+": passed over: boltmend made it beside a database")
			continue
		}
		// What cannot be stated cannot be opened, which is said later.
		info, err := os.Stat(path)
		if err == nil {
			if first := sameFile(info, infos); first >= 0 {
				p.notice(o, path+": passed over: the same file as "+paths[first])
				continue
			}
		}
		paths, infos = append(paths, path), append(infos, info)
	}
	if len(paths) == 0 {
		return nil, usagef("%s: nothing left to do: all arguments are backups or journals", o.command)
	}
	return paths, nil
}

func sameFile(info os.FileInfo, seen []os.FileInfo) int {
	for i, s := range seen {
		if s != nil && os.SameFile(info, s) {
			return i
		}
	}
	return -1
}

// notice writes a line to stderr that is no error.
func (p *program) notice(o options, line string) {
	if !o.quiet {
		p.complain(line)
	}
}

// work is what a command does with one database.
type work func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary

// each does the work on each database and shows it, and returns the exit code
// of all.
func (p *program) each(ctx context.Context, o options, text view, paths []string, do work) int {
	v := p.view(o, text)
	code := exitDone
	for _, path := range paths {
		if c, ok := signalled(ctx); ok {
			return worse(code, c)
		}
		code = worse(code, p.one(ctx, o, v, path, do))
	}
	return code
}

// one does the work on one database.
func (p *program) one(ctx context.Context, o options, v view, path string, do work) int {
	bar := p.progress(o)
	if bar != nil {
		o.run.Progress = bar.update
	}
	defer bar.clear()
	var failed *migrate.Error // to be said when it is known what there is to go back to
	s := do(ctx, path, o.run, func(e migrate.Event) {
		switch e := e.(type) {
		case *migrate.Error:
			failed = e
		case *migrate.Note:
			if e.Kind == "warning" {
				bar.clear()
				p.notice(o, e.Database+": "+e.Reason)
			}
		case *migrate.Summary:
			bar.clear()
			s := *e
			s.Exit = exitCode(ctx, s)
			if failed != nil {
				p.complain(o.errorLine(failed, &s) + o.wayBackFrom(failed, &s))
			}
			v.event(&s)
			return
		}
		v.event(e)
	})
	return exitCode(ctx, s)
}

// exitCode is the exit code of a database's run: that of the signal, if one
// came before the end.
func exitCode(ctx context.Context, s migrate.Summary) int {
	if c, ok := signalled(ctx); ok {
		return worse(s.Exit, c)
	}
	return s.Exit
}

// hints name the flag that helps.
var hints = map[string]string{
	migrate.CodeLocked: "--lock-wait 1m",
}

// movable says how to put elsewhere what does not fit where it goes.
var movable = []struct {
	what, flag string
	commands   []string
}{
	{"the backup", "--backup-dir DIR", []string{"repair", "restore"}},
	{"the journal", "--journal FILE", []string{"repair"}},
	{"the backup and the journal", "--backup-dir DIR --journal FILE", []string{"repair"}},
	{"the backup and the journal", "--backup-dir DIR", []string{"restore"}},
}

// wayBack is the command that undoes a repair that did not read back, with
// what leads to it.
func (o options) wayBack(s *migrate.Summary) string {
	if s.Verdict != migrate.VerdictDamaged || s.Backup == "" || o.command != "repair" {
		return ""
	}
	return o.nextCommand("restore", s.Backup, s.Database)
}

// wayBackFrom is that as the end of an error's line.
func (o options) wayBackFrom(e *migrate.Error, s *migrate.Summary) string {
	const how = "restore the backup"
	back := o.wayBack(s)
	switch {
	case back == "":
		return ""
	case strings.HasSuffix(e.Message, how):
		return ": " + back
	}
	return "; stop using the database and " + how + ": " + back
}

// errorLine is an error in words.
func (o options) errorLine(e *migrate.Error, s *migrate.Summary) string {
	name := e.Database
	if name == "" { // of an undo that did not come as far as the database
		name = o.args[0]
	}
	line := e.Message
	if !strings.HasPrefix(line, name+": ") {
		line = name + ": " + line
	}
	if hint := hints[e.Code]; hint != "" {
		line += ": " + hint
	}
	for _, m := range movable {
		if e.Movable == m.what && slices.Contains(m.commands, o.command) {
			line += ", or put " + e.Movable + " elsewhere: " + m.flag
		}
	}
	// What is damaged of a restore may be the backup.
	if e.Code == migrate.CodeDamaged && o.command != "restore" && o.wayBack(s) == "" {
		line += ": " + o.nextCommand("check", name) + " names the pages"
	}
	return line
}
