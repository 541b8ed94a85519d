package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"boltmend/repair"
)

func explainCommand() command {
	return command{
		name:  "explain",
		args:  "[CODE]",
		short: "say what a finding means and what repair does",
		long: `
Says what a finding is, which errors of providers it causes, what repair does
about it, and an example. Without CODE lists all findings.`,
		examples: []string{
			"boltmend explain missing-result",
		},
		flags: join(outputFlags()),
		least: 0, most: 1,
		run: runExplain,
	}
}

// An explanation is what explain knows about a code.
type explanation struct {
	Type  string `json:"type"` // "explain"
	Code  string `json:"code"`
	Group string `json:"group"`
	What  string `json:"what"`
	// Errors are fragments of the errors that providers answer with.
	Errors  []string `json:"errors"`
	Repair  string   `json:"repair"`
	Dialect string   `json:"dialect"`
	// Options are the flags of the example's repair, "" for none.
	Options string `json:"options"`
	// Before and After are a history with the fault, and repaired.
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}

func runExplain(_ context.Context, p *program, o options, args []string) (int, error) {
	all := explanations()
	if len(args) == 1 {
		i := slices.IndexFunc(all, func(e explanation) bool { return e.Code == args[0] })
		if i < 0 {
			return 0, unknownCode(args[0], all)
		}
		all = all[i : i+1]
	}
	switch {
	case o.json:
		v := newJSONView(p.stdout)
		for _, e := range all {
			v.line(e)
		}
	case o.quiet:
	case len(args) == 1:
		p.printer(o).explanation(all[0])
	default:
		for _, e := range all {
			p.printer(o).line("%-20s %s", e.Code, strings.TrimPrefix(repair.Code(e.Code).Phrase(1), "1 "))
		}
	}
	return exitDone, nil
}

func unknownCode(code string, all []explanation) error {
	var codes []string
	for _, e := range all {
		codes = append(codes, e.Code)
	}
	hint := didYouMean(code, codes)
	if hint == "" {
		hint = ": boltmend explain lists them"
	}
	return usagef("unknown code %s%s", code, hint)
}

func (p printer) explanation(e explanation) {
	p.head("", yellow, e.Code, " ("+e.Group+")")
	p.paragraph("what", wrap(e.What, 72))
	// Not wrapped: one may search for them.
	errors := e.Errors
	if len(errors) == 0 {
		errors = []string{"none known"}
	}
	p.paragraph("errors of providers", errors)
	p.paragraph("repair", wrap(e.Repair, 72))
	p.line("")
	p.line("example%s:", e.exampleOf())
	p.messages("before", e.Before)
	p.messages("after", e.After)
}

// exampleOf says what the example is of: its dialect, and the flags.
func (e *explanation) exampleOf() string {
	of := e.Dialect
	if e.Options != "" {
		of += ", " + e.Options
	}
	if of == "" {
		return ""
	}
	return " (" + of + ")"
}

func (p printer) paragraph(label string, lines []string) {
	p.line("")
	p.line("%s:", label)
	for _, l := range lines {
		p.line("  %s", l)
	}
}

// messages prints a history, a message a line.
func (p printer) messages(label string, history json.RawMessage) {
	p.line("  %s:", label)
	var list []json.RawMessage
	if err := json.Unmarshal(history, &list); err != nil {
		panic("cli: explanation: " + err.Error())
	}
	for _, m := range list {
		p.line("    %s", compact(m))
	}
}

// explanations returns what there is to explain, in the order of the codes.
func explanations() []explanation {
	var all []explanation
	for _, code := range repair.Codes() {
		e, ok := explainedPairing[code]
		if !ok {
			e, ok = explainedLint[code]
		}
		if !ok {
			panic("cli: no explanation of " + string(code))
		}
		e.Type, e.Code, e.Group = "explain", string(code), string(code.Group())
		e.Errors = listed(e.Errors)
		all = append(all, e)
	}
	return all
}
