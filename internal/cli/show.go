package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"boltmend/migrate"
)

func showCommand() command {
	return command{
		name:  "show",
		args:  "DB REF",
		short: "print one conversation with its faults in place",
		long: `
Prints the messages of the record or conversation REF, one a line as stored,
each with its faults beneath. With --diff also what a repair would make of
it: lines with - go, lines with + come. This prints stored text, which may
hold secrets.`,
		examples: []string{
			"boltmend show chat.db 'chathist/1761100000000000001#/messages'",
			"boltmend show --diff chat.db chat/conversation",
		},
		flags: join(outputFlags(),
			one(&cli.BoolFlag{Name: "diff", Usage: "show what a repair would change"}),
			judgeFlags(), layoutFlags(), one(lockFlag())),
		least: 2, most: 2,
		run: runShow,
	}
}

func runShow(ctx context.Context, p *program, o options, args []string) (int, error) {
	ref := args[1]
	if err := checkRef("show", ref); err != nil {
		return 0, err
	}
	o.showContent = true // what show is for
	do := func(ctx context.Context, path string, opts migrate.Options, emit func(migrate.Event)) migrate.Summary {
		return p.show(ctx, path, ref, o.diff, opts, emit)
	}
	return p.each(ctx, o, &showView{printer: p.printer(o), diff: o.diff}, args[:1], do), nil
}

// A showView prints messages as they come.
type showView struct {
	printer
	diff bool
	ref  string
}

func (v *showView) event(e migrate.Event) {
	switch e := e.(type) {
	case *migrate.Message:
		if v.ref != e.Ref {
			v.ref = e.Ref
			v.line("%s", e.Ref)
		}
		v.message(e)
	case *migrate.Note:
		if e.Kind == "warning" {
			return // said on stderr
		}
		v.line("%s: %s: %s", e.Ref, e.Kind, e.Reason)
	}
}

func (v *showView) message(m *migrate.Message) {
	op := ""
	if v.diff {
		op = m.Op + " "
	}
	index := ""
	if m.Message >= 0 {
		index = fmt.Sprint(m.Message)
	}
	gutter := fmt.Sprintf("%s%5s  ", op, index)
	text := fmt.Sprintf("%s%-10s %s", gutter, role(m.JSON), compact(m.JSON))
	switch {
	case m.Op == "-":
		v.head("", red, text, "")
	case m.Op == "+":
		v.head("", green, text, "")
	default:
		v.line("%s", text)
	}
	for _, f := range m.Findings {
		v.head(strings.Repeat(" ", len(gutter))+"^ ", yellow, phrases([]migrate.Finding{f}), "")
	}
}

// compact returns a JSON text without the space between its parts; a text
// that is none as it is.
func compact(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}

// role is what a message calls its role: a guess for people, not the
// dialect's.
func role(text []byte) string {
	var m struct {
		Role    any
		Type    any
		Message struct{ Role any }
	}
	// A member of another form leaves the others readable.
	_ = json.Unmarshal(text, &m)
	for _, r := range []any{m.Role, m.Message.Role, m.Type} {
		if s, ok := r.(string); ok && s != "" {
			return s
		}
	}
	return "?"
}
