package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"boltmend/migrate"
	"boltmend/repair"
)

func filterCommand() command {
	return command{
		name:  "filter",
		short: "repair a history from stdin to stdout",
		long: `
Reads a JSON text from stdin, an array of messages or an object that holds
one or more, and writes it repaired to stdout, every other byte as it was.
What was wrong goes to stderr. Nothing is written if the input cannot be read.
With --dialect it is read as that, if there is anything in it that can be.`,
		examples: []string{
			"boltmend filter < history.json > repaired.json",
		},
		flags: join(outputFlags(), listFlags(), judgeFlags()),
		run:   runFilter,
	}
}

// maxInput bounds what filter reads; a value in a database is no longer.
const maxInput = math.MaxInt32

func runFilter(ctx context.Context, p *program, o options, _ []string) (int, error) {
	src, err := io.ReadAll(io.LimitReader(p.stdin, maxInput+1))
	if err != nil {
		return 0, fmt.Errorf("stdin: %w", err)
	}
	if len(src) > maxInput {
		return 0, errors.New("stdin: longer than 2 GiB")
	}
	if c, ok := signalled(ctx); ok {
		return c, nil
	}
	out, histories, err := p.filter(src, o.run)
	if err != nil {
		return 0, fmt.Errorf("stdin: %w", notJSON(src, err))
	}
	// The report goes to stderr, and stdout, where a short write matters,
	// last.
	stderr := *p
	stderr.stdout = &sink{w: p.stderr}
	v := stderr.view(o, &filterView{printer{stderr.stdout, false}, o})
	code := exitDone
	for _, h := range histories {
		if len(h.Findings) > 0 || o.run.All {
			v.event(h)
		}
		code = worse(code, leftCode(h, o.run.Strict))
	}
	if _, err := p.stdout.w.Write(out); err != nil {
		return 0, fmt.Errorf("write the history: %w", err)
	}
	return code, nil
}

// notJSON says where src stops being JSON, if it does; else it returns err.
func notJSON(src []byte, err error) error {
	var raw json.RawMessage
	var syntax *json.SyntaxError
	if !json.Valid(src) && errors.As(json.Unmarshal(src, &raw), &syntax) {
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, syntax)
	}
	return err
}

// leftCode is the exit code of one history that was repaired.
func leftCode(h *migrate.History, strict bool) int {
	for _, f := range h.Findings {
		if !f.Fixed && (strict || isPoison(f)) {
			return exitLeft
		}
	}
	return exitDone
}

// A filterView prints a line a finding.
type filterView struct {
	printer
	o options
}

func (v *filterView) event(e migrate.Event) {
	h, ok := e.(*migrate.History)
	if !ok {
		return
	}
	where := ""
	if h.Path != "" {
		where = h.Path + ": "
	}
	if len(h.Findings) == 0 {
		v.line("boltmend: %ssound", where)
	}
	for _, f := range h.Findings {
		state := ""
		if !f.Fixed {
			if state = " [left]"; f.Group == string(repair.Lint) {
				state = " [lint]"
			}
			if h.Reason != "" {
				state = " [left: " + h.Reason + "]"
			}
		}
		v.line("boltmend: %smessage %d: %s%s", where, f.Message, phrases([]migrate.Finding{f}), state)
	}
}
