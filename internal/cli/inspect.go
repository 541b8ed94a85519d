package cli

import (
	"context"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"boltmend/migrate"
)

func inspectCommand() command {
	return command{
		name:  "inspect",
		args:  "DB...",
		short: "say what lies where",
		long: `
Lists the buckets of each database: how many values, in which form, and which
conversations were found there on what evidence. With --why, how one record is
seen, step by step. With --save, what was found goes into a file too, to be
corrected and given back by --layout. Prints no stored value.`,
		examples: []string{
			"boltmend inspect chat.db",
			"boltmend inspect --why chat/conversation chat.db",
			"boltmend inspect --save chat.layout chat.db",
		},
		flags: join(outputFlags(), one(
			&cli.StringFlag{Name: "why", Usage: "explain the record or conversation `REF`"},
			&cli.StringFlag{Name: "save", Usage: "write what was found to the layout `FILE`"},
			bucketFlag(), dialectFlag(), layoutFlag(), maxValueFlag(), lockFlag())),
		least: 1, most: -1,
		run: runInspect,
	}
}

func runInspect(ctx context.Context, p *program, o options, args []string) (int, error) {
	switch {
	case len(args) > 1 && o.why != "":
		return 0, usagef("--why takes one database: a ref is of one")
	case len(args) > 1 && o.save != "":
		return 0, usagef("--save takes one database: inspect them one by one")
	case o.why != "" && o.save != "":
		return 0, usagef("--save goes without --why")
	}
	if o.why != "" {
		if err := checkRef("--why", o.why); err != nil {
			return 0, err
		}
	}
	paths, err := p.databases(o, args)
	if err != nil {
		return 0, err
	}
	do := p.inspect
	if o.why != "" {
		do = func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
			return p.why(ctx, path, o.why, opts, emit)
		}
	}
	if o.save != "" {
		if _, err := os.Lstat(o.save); err == nil {
			return 0, usagef("--save %s: file exists: name a new file", o.save)
		}
		do = saving(o.save, do)
	}
	return p.each(ctx, o, &inspectView{printer: p.printer(o)}, paths, do), nil
}

// saving is work that also writes what it found to a new layout file, if all
// else went well.
func saving(name string, do work) work {
	return func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
		var found []migrate.BucketLayout
		code := exitDone
		s := do(ctx, path, opts, func(e migrate.Event) {
			switch x := e.(type) {
			case *migrate.Bucket:
				if x.How != nil {
					found = append(found, *x.How)
				}
			case *migrate.Summary:
				s := *x
				if s.Exit == exitDone && ctx.Err() == nil {
					code = saveLayout(name, path, found, emit)
				}
				s.Exit = worse(s.Exit, code)
				e = &s
			}
			emit(e)
		})
		s.Exit = worse(s.Exit, code)
		return s
	}
}

// saveLayout reports what went wrong, and returns the exit code.
func saveLayout(name, database string, found []migrate.BucketLayout, emit func(migrate.Event)) int {
	e := migrate.SaveLayout(name, database, found)
	if e == nil {
		return exitDone
	}
	emit(e)
	if e.Code == migrate.CodeUsage {
		return exitUsage
	}
	return exitTrouble
}

// An inspectView prints buckets as they come: there may be one a
// conversation.
type inspectView struct {
	printer
	opened  string
	printed bool
	steps   int // of --why
}

func (v *inspectView) event(e migrate.Event) {
	switch e := e.(type) {
	case *migrate.Bucket:
		v.open(e.Database)
		v.bucket(e)
	case *migrate.Note:
		if e.Kind == "warning" {
			return // said on stderr
		}
		v.open(e.Database)
		if e.Kind == "advice" {
			v.line("  %s", e.Reason)
			return
		}
		v.line("  %s: %s: %s", e.Ref, e.Kind, e.Reason)
	case *migrate.Why:
		v.open(e.Database)
		v.line("  %s: %s", e.Step, e.Outcome)
		v.steps++
	case *migrate.Summary:
		if e.Exit == exitUsage {
			return
		}
		v.open(e.Database)
		if v.steps == 0 {
			v.summary(e)
		}
		v.opened, v.steps = "", 0
	}
}

// open writes the database's name once above its buckets.
func (v *inspectView) open(database string) {
	if v.opened == database {
		return
	}
	if v.printed {
		v.line("")
	}
	v.line("%s", database)
	v.opened, v.printed = database, true
}

func (v *inspectView) bucket(b *migrate.Bucket) {
	facts := []string{count(b.Keys, "value")}
	if b.Bytes > 0 {
		facts = append(facts, count(int(b.Bytes), "byte"))
	}
	if b.Buckets > 0 {
		facts = append(facts, count(b.Buckets, "bucket")+" inside")
	}
	for _, word := range []string{b.Codec, b.Layout, strings.Join(b.Dialects, " and ")} {
		if word != "" {
			facts = append(facts, word)
		}
	}
	if b.Histories > 0 {
		facts = append(facts, count(b.Histories, "conversation"))
	}
	if b.Unrecognised > 0 {
		facts = append(facts, number(b.Unrecognised)+" unrecognised")
	}
	if b.Unreadable > 0 {
		facts = append(facts, number(b.Unreadable)+" unreadable")
	}
	v.line("  %s: %s", b.Ref, strings.Join(facts, ", "))
	if b.Evidence != "" {
		v.line("    because %s", b.Evidence)
	}
	switch {
	case b.Reason != "" && b.Histories > 0:
		v.line("    not written: %s", b.Reason)
	case b.Reason != "":
		v.line("    nothing here: %s", b.Reason)
	}
}

func (v *inspectView) summary(s *migrate.Summary) {
	switch s.Verdict {
	case migrate.VerdictError:
		v.line("  not inspected")
	case migrate.VerdictDamaged:
		v.line("  damaged")
	case migrate.VerdictNoConversations:
		v.line("  no conversations found")
	default:
		v.line("  in all %s", count(s.Histories, "conversation"))
	}
	if s.Unrecognised > 0 {
		v.line("  %s with calls that could not be understood", count(s.Unrecognised, "value"))
	}
}
