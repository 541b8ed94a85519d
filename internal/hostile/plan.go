package hostile

import "strconv"

// A kind is what a step is.
type kind int

const (
	user kind = iota
	system
	media // what a tool showed, as a user message
	text  // an assistant message without calls
	turn  // an assistant message with calls
	results
)

// A step is one message, or for dialects that are not grouped one message for
// each of its results.
type step struct {
	kind    kind
	role    string // in place of the kind's
	calls   []*call
	results []*result
	// before and after say that there is text around the results.
	before, after bool
	// content is the form of the text.
	content form
	// stop is the reason why a turn ended, status what the message says of itself.
	stop, status string
	branch       int
	// noCalls is set for an empty list of calls.
	noCalls bool
	// blocks is for what only one dialect has.
	blocks []block
}

// A form is how a text or an id is given.
type form int

const (
	asString form = iota
	asArray
	asEmpty
	asNull
	asAbsent
	asEmptyArray
	asPlaceholder
	asMarker
)

type call struct {
	id, name string
	form     form // of the id
	args     arguments
	status   string
	custom   bool
}

// arguments are the forms of a call's arguments.
type arguments int

const (
	argsFine arguments = iota
	argsAbsent
	argsOther // as good as argsFine: base64 or an object where text is usual
	argsCut
	argsEmptyText
	argsText // text that holds an object, where one is wanted
	argsNull
	argsList
)

type result struct {
	of      *call  // the call that it answers, nil if none
	id      string // in place of the call's
	form    form   // of the id
	name    string // in place of the call's
	blank   bool   // its tool name is blank
	content form
	failed  bool
	status  string
	tag     int // 0: none yet
}

// A block is the call of a tool that the provider runs, or its result.
type block struct {
	kind, id string
	result   bool
}

// plan makes a healthy history of up to about 60 messages; short ones are likely.
func (g *Gen) plan() {
	g.steps, g.ids, g.tags, g.serial = nil, 0, 0, 0
	g.spelled = newSpelling(g)
	f := g.r.Float64()
	n := 1 + int(36*f*f*f)
	if g.chance(0.15) {
		g.plain(system)
	}
	for len(g.steps) < n {
		switch {
		case g.chance(0.45):
			g.exchange(g.chance(0.1))
		case g.chance(0.5):
			g.plain(pick(g, user, user, user, media, system))
		default:
			g.plain(text)
		}
	}
	if g.chance(0.1) {
		g.pendingTail()
	}
	if g.also != nil {
		g.also(g)
	}
	if g.chance(0.15) {
		g.branches()
	}
}

func (g *Gen) plain(k kind) {
	s := &step{kind: k}
	if g.chance(0.1) {
		s.content = pick(g, asArray, asArray, asEmpty, asNull, asAbsent, asEmptyArray)
	}
	g.steps = append(g.steps, s)
}

// exchange adds a turn and its results.
func (g *Gen) exchange(shuffled bool) {
	s := g.turn()
	g.steps = append(g.steps, s)
	rs := make([]*result, len(s.calls))
	for i, c := range s.calls {
		rs[i] = g.answer(c)
	}
	if shuffled {
		g.r.Shuffle(len(rs), func(i, k int) { rs[i], rs[k] = rs[k], rs[i] })
	}
	if g.grouped {
		g.steps = append(g.steps, &step{kind: results, results: rs, after: g.chance(0.3)})
		return
	}
	for _, r := range rs {
		g.steps = append(g.steps, &step{kind: results, results: []*result{r}})
	}
}

func (g *Gen) turn() *step {
	s := &step{kind: turn, content: pick(g, asString, asString, asEmpty, asNull, asAbsent)}
	n := 1 + g.r.IntN(3)
	switch {
	case g.spelled.legacy:
		n = 1
	case g.chance(0.01):
		n = 20
	}
	for k := range n {
		s.calls = append(s.calls, g.call(k))
	}
	return s
}

// call returns a call with an id of the history's scheme. Those that start
// anew in each turn are taken only where the provider allows it.
func (g *Gen) call(k int) *call {
	g.ids++
	c := &call{name: pick(g, "look", "read", "bash"), args: argsFine}
	switch {
	case g.spelled.scheme == 0 && !g.unique:
		c.id = "call_0_" + strconv.Itoa(k)
	case g.spelled.scheme == 1:
		c.id = c.name + ":" + strconv.Itoa(g.ids)
	default:
		c.id = "k" + strconv.Itoa(g.ids)
	}
	if g.chance(0.1) {
		c.args = pick(g, argsAbsent, argsOther)
	}
	return c
}

func (g *Gen) answer(c *call) *result {
	r := &result{of: c, failed: g.chance(0.1)}
	if g.chance(0.15) {
		r.content = pick(g, asArray, asArray, asEmpty, asNull, asAbsent, asEmptyArray, asPlaceholder, asMarker)
	}
	return r
}

// pendingTail ends the history in a turn whose last call waits.
func (g *Gen) pendingTail() {
	g.exchange(false)
	last := len(g.steps) - 1
	s := g.steps[last]
	c := s.results[len(s.results)-1].of
	s.results = s.results[:len(s.results)-1]
	s.after = false
	if len(s.results) == 0 {
		g.steps = g.steps[:last]
	}
	c.status = pick(g, "waiting_approval", "pending", "running", "in_progress", "approval-requested")
}

// branches makes a second healthy history and weaves the two together.
func (g *Gen) branches() {
	main := g.steps
	g.steps = nil
	for len(g.steps) < 1+len(main)/2 {
		g.exchange(false)
		g.plain(pick(g, user, text))
	}
	side := g.steps
	g.steps = nil
	for len(main)+len(side) > 0 {
		if len(side) == 0 || len(main) > 0 && g.chance(0.6) {
			g.steps, main = append(g.steps, main[0]), main[1:]
			continue
		}
		side[0].branch = 1
		g.steps, side = append(g.steps, side[0]), side[1:]
	}
}
