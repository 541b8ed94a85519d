package cli

import (
	"context"
	"strings"

	"boltmend/migrate"
)

func inspectCommand() command {
	return command{
		name:  "inspect",
		args:  "DB...",
		short: "say what lies where",
		long: `
Lists the buckets of each database: how many values, in which form, and which
conversations were found there on what evidence. Prints no stored value.`,
		examples: []string{
			"boltmend inspect chat.db",
			"boltmend inspect --bucket 'chat*' chat.db",
		},
		flags: join(outputFlags(), one(bucketFlag(), dialectFlag(), maxValueFlag(), lockFlag())),
		least: 1, most: -1,
		run: runInspect,
	}
}

func runInspect(ctx context.Context, p *program, o options, args []string) (int, error) {
	paths, err := p.databases(o, args)
	if err != nil {
		return 0, err
	}
	return p.each(ctx, o, &inspectView{printer: p.printer(o)}, paths, p.inspect), nil
}

// An inspectView prints buckets as they come: there may be one a
// conversation.
type inspectView struct {
	printer
	opened  string
	printed bool
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
		v.line("  %s: %s: %s", e.Ref, e.Kind, e.Reason)
	case *migrate.Summary:
		if e.Exit == exitUsage {
			return
		}
		v.open(e.Database)
		v.summary(e)
		v.opened = ""
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
	if b.Reason != "" {
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
