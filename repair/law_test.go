package repair_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"boltmend/internal/oracle"
	"boltmend/repair"
)

// What holds for every history and every repair of it. Each law is a function
// that says what breaks it.
var laws = []law{
	{"valid", validOutput},
	{"idempotent", idempotent},
	{"no change without a finding", changedByFinding},
	{"untouched messages stay", untouchedStay},
	{"order tells where elements come from", orderTells},
	{"nothing is lost", nothingLost},
	{"results add up", resultsAddUp},
	{"the provider accepts", providerAccepts},
	{"what the provider accepts is sound", acceptedIsSound},
	{"what is left is found again", leftIsFoundAgain},
	{"the target takes the ids", targetTakesIDs},
	{"new ids are injective", idsAreInjective},
	{"mirrors stay the same", mirrorsStay},
	{"no name comes twice", noNameTwice},
	{"what is removed has a finding", removedByFinding},
}

type law struct {
	name  string
	check func(trial) error
}

// A trial is one history, its repair and the repair of that.
type trial struct {
	dialect       string
	opts          repair.Options
	src           []byte
	result, again repair.Result
}

// try repairs src and checks laws.
func try(dialect string, opts repair.Options, src []byte, laws []law) error {
	opts.Dialect = repair.Dialect(dialect)
	in := bytes.Clone(src)
	r, err := repair.History(in, opts)
	if errors.Is(err, repair.ErrNotHistory) && !hasMessage(src) {
		return nil
	}
	if err != nil {
		return err
	}
	x := trial{dialect: dialect, opts: opts, src: src, result: r}
	if err := ownsItsMemory(in, &x); err != nil {
		return err
	}
	x.again, err = repair.History(r.JSON, opts)
	switch {
	case errors.Is(err, repair.ErrNotHistory) && !hasMessage(r.JSON):
		x.again.JSON = r.JSON // all messages are gone
	case err != nil:
		return fmt.Errorf("second repair: %w\n%s", err, r.JSON)
	}
	for _, law := range laws {
		if err := law.check(x); err != nil {
			return fmt.Errorf("%s: %w\nfindings %v\noutput\n%s", law.name, err, r.Findings, r.JSON)
		}
	}
	return nil
}

// ownsItsMemory wants the input as it was, a result that shares no memory
// with it, and the same result each time.
func ownsItsMemory(in []byte, x *trial) error {
	once, err := repair.History(in, x.opts)
	if err != nil || !reflect.DeepEqual(once, x.result) {
		return errors.New("the same input gave another output")
	}
	wipe(once.JSON)
	for _, r := range once.Removed {
		wipe(r.Text)
	}
	if !bytes.Equal(in, x.src) {
		return errors.New("the input was written to, or is shared with the output")
	}
	wipe(in)
	if once, _ := repair.History(x.src, x.opts); !reflect.DeepEqual(once, x.result) {
		return errors.New("the output is shared with the input")
	}
	return nil
}

func wipe(b []byte) {
	for i := range b {
		b[i] = 'x'
	}
}

func validOutput(x trial) error {
	if !json.Valid(x.result.JSON) {
		return errors.New("output is no JSON")
	}
	return nil
}

func idempotent(x trial) error {
	if !bytes.Equal(x.again.JSON, x.result.JSON) {
		return fmt.Errorf("a second repair changes the output, findings %v, to\n%s", x.again.Findings, x.again.JSON)
	}
	for _, f := range x.again.Findings {
		if f.Fixed {
			return fmt.Errorf("a second repair finds %v", f)
		}
	}
	return nil
}

func changedByFinding(x trial) error {
	if x.result.Reason == "" && slices.ContainsFunc(x.result.Findings, func(f repair.Finding) bool { return !f.Fixed && f.Group() != repair.Lint }) {
		return errors.New("a finding is left and there is no reason given")
	}
	changed := !bytes.Equal(x.result.JSON, x.src)
	fixed := slices.ContainsFunc(x.result.Findings, func(f repair.Finding) bool { return f.Fixed })
	if changed != fixed || changed != x.result.Changed() {
		return fmt.Errorf("changed %v, fixed findings %v, Changed() %v", changed, fixed, x.result.Changed())
	}
	return nil
}

// untouchedStay wants the elements without a finding byte for byte and in
// their order. Results may move, and change where their call got another id;
// where results are blocks, a message may take some in, but only one for each
// finding: a user's the results of calls, a turn those of server tools. A call
// without a result does not put its turn at fault, unless its id is no good
// either: a call has but one finding.
func untouchedStay(x trial) error {
	if !x.result.Changed() {
		return nil
	}
	touched := map[int]bool{}
	ids := map[string]int{}
	countIDs(decoded(x.src), ids)
	for _, f := range x.result.Findings {
		if !f.Fixed && f.Group() == repair.Lint || f.Code == repair.TargetRole {
			continue
		}
		if f.Code != repair.MissingResult || f.IDs[0] == "" || ids[f.IDs[0]] > 1 || x.opts.OnMissing == repair.DropTurn || x.dialect == "ai-sdk-ui" {
			touched[f.Message] = true
		}
	}
	for _, r := range x.result.Removed {
		touched[r.Message] = true
	}
	out := elements(x.result.JSON)
	kept, taken, back := out, 0, 0
	for i, e := range elements(x.src) {
		role := roleOf(e)
		mayTake := strings.Contains(hosts[x.dialect], role) && role != ""
		if touched[i] || !mayTake && (role == "tool" || role == "function" || role == "toolResult" || carrier.Match(plain(e))) {
			continue
		}
		switch {
		case mayTake:
			// Of an exchange at fault, all results come together in one message.
			joined := x.dialect == "ai-sdk-model" && x.result.Order != nil && !slices.Contains(x.result.Order, i)
			if place(out, e) < 0 && !joined {
				taken++
			}
		case serverCall.Match(plain(e)):
			if place(out, e) < 0 {
				back++
			}
		case place(kept, e) < 0:
			return fmt.Errorf("message %d is gone or has moved\n%s", i, e)
		default:
			kept = kept[place(kept, e)+1:]
		}
	}
	servers := 0
	for _, f := range x.result.Findings {
		if f.Code == repair.ServerOrphan {
			servers++
		}
	}
	if taken > len(x.result.Findings) || back > servers {
		return fmt.Errorf("%d user messages and %d turns changed", taken, back)
	}
	return nil
}

var serverCall = regexp.MustCompile(`"(server|mcp)_tool_use"|(?i)"provider_?Executed"`)

// hosts are the roles of the messages that take results in, where results are
// blocks. carrier tells an element that holds results.
var (
	hosts = map[string]string{
		"anthropic": "user", "bedrock-converse": "user", "gemini": "user function tool", "grouped": "user tool", "ai-sdk-model": "tool",
	}
	carrier = regexp.MustCompile(`(?i)function_?response|tool_?results?"|"tool-result"|_output"|ToolMessage|"type"\s*:\s*"tool"`)
)

var tags = regexp.MustCompile(`[mra][0-9]+;`)

// nothingLost goes by the tags in the texts of the generator: each is in the
// output or in the removed items, none is there twice, and those of messages
// keep their order.
func nothingLost(x trial) error {
	if !x.result.Changed() {
		return nil
	}
	in, out, removed := map[string]int{}, map[string]int{}, map[string]int{}
	for _, tag := range tags.FindAllString(string(x.src), -1) {
		in[tag]++
	}
	last := 0
	for _, tag := range tags.FindAllString(string(x.result.JSON), -1) {
		out[tag]++
		if n := 0; tag[0] == 'm' {
			fmt.Sscanf(tag, "m%d;", &n)
			if n < last {
				return fmt.Errorf("%s stands behind m%d;", tag, last)
			}
			last = n
		}
	}
	for _, r := range x.result.Removed {
		for _, tag := range tags.FindAllString(string(r.Text), -1) {
			removed[tag]++
		}
	}
	for tag, n := range in {
		if out[tag]+removed[tag] < n || out[tag] > n {
			return fmt.Errorf("%s: %d in, %d out, %d removed", tag, n, out[tag], removed[tag])
		}
	}
	return nil
}

// resultsAddUp wants results in to be results out, less those made up, and
// those removed.
func resultsAddUp(x trial) error {
	made, removed := x.result.Made, 0
	for _, r := range x.result.Removed {
		if r.Kind == "result" {
			removed++
		}
	}
	if x.result.Results != x.again.Results-made+removed {
		return fmt.Errorf("results: %d in, %d out, %d made up, %d removed", x.result.Results, x.again.Results, made, removed)
	}
	return nil
}

func providerAccepts(x trial) error {
	switch {
	case x.result.Reason != "":
		return nil
	case x.opts.KeepTail && (x.dialect == "openai-responses" || x.dialect == "adk"):
		return nil // results of earlier calls may stand in the open tail
	case x.opts.KeepTail:
		return oracle.ForOpenTail(x.dialect)(x.result.JSON)
	}
	return oracle.For(x.dialect)(x.result.JSON)
}

func acceptedIsSound(x trial) error {
	if x.dialect == "adk" && repeatsApart(x.src) {
		return nil // what comes late may be one more response of any of those calls
	}
	if oracle.For(x.dialect)(x.src) != nil {
		return nil
	}
	for _, f := range x.result.Findings {
		if f.Code != repair.OutOfOrderResult && isPoison(f) && x.result.Reason == "" {
			return fmt.Errorf("the provider accepts the input, the repair finds %v", f)
		}
	}
	return nil
}
