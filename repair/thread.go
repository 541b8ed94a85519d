package repair

// A thread is a history as the planner sees it: who called, who answered and
// where, but no JSON and no provider. A dialect reads it from a history; the
// planner decides over it; the writer carries the decisions out.
type thread struct {
	rules    rules
	messages []message
	calls    []call   // in document order
	results  []result // in document order
	servers  []server // in document order

	key []byte // scratch of sound
}

// rules are what a dialect wants of the planner.
type rules struct {
	// families are the elements that are messages; 0 is those with a role.
	families family
	// blocks: results are content blocks of one message behind the turn.
	// Otherwise each result is a message of its own.
	blocks bool
	// uniqueIDs: no call id may repeat anywhere in the history.
	uniqueIDs bool
	// objectArguments: arguments are an object and no string.
	objectArguments bool
	// optionalIDs: calls and results may do without ids and then pair by
	// name and order.
	optionalIDs bool
	// alternate: no two messages of one role side by side, and no assistant
	// first. A repair must not make that worse.
	alternate bool
	// set: a result may stand anywhere behind its call.
	set bool
	// many: a call may have several results, interim and final ones.
	many bool
	// spread: results over several messages are right if all are there.
	spread bool
}

// messages are the families of elements that are messages.
func (r rules) messages() family {
	if r.families == 0 {
		return roleFamily
	}
	return r.families
}

// runs reports whether a turn is a run of an assistant's items and not one
// message.
func (r rules) runs() bool { return r.set && !r.blocks }

// A role is what a message's role may do.
type role uint8

const (
	roleOther role = iota
	roleUser
	roleAssistant
	roleTool // may hold nothing but results
)

// A message is one element of the history.
type message struct {
	role   role
	branch int32
	// aside: no message to the provider at all (no role, local only, a turn
	// that is never replayed). It stays where it is and does not count as
	// standing between.
	aside bool
	// with is a message that it goes with, if that is taken out; none if it is
	// of no other.
	with int32
	// content: it holds something besides results.
	content bool
	// canHost: it can take in the results of the turn before it.
	canHost bool
	// calls and results are ranges of thread.calls and thread.results.
	calls, results span
	// pending: the message itself says that it still runs.
	pending bool
	// emptyCalls: an assistant message with a list of calls and none in it.
	emptyCalls bool

	// What the planner decided.
	drop bool // taken out
	// right: of a turn: its results stand as they should, and stay.
	right bool
	// keepOrder: of a turn: its results stay in the order in which they are.
	keepOrder bool
	// guest: of a message that takes in the results of a turn: that turn.
	guest int32
	// host: of a turn: the message that takes in its results; newHost if one
	// is put in for them.
	host int32
}

const newHost int32 = -2

// A span is a range of indexes, hi excluded.
type span struct{ lo, hi int32 }

func (s span) len() int { return int(s.hi - s.lo) }

// A call is one tool call.
type call struct {
	message int32
	index   int32 // within its message, as read
	id      []byte
	// byName: the call has no id and needs none: results find it by name.
	byName bool
	name   []byte
	// aside: of a turn that is never replayed. wrongRole: its message's role
	// cannot call.
	aside, wrongRole bool
	pending          bool
	badArguments     bool
	// reportOnly: a result that is missing cannot be made up.
	reportOnly bool
	// kind parts the calls that only a result of the same kind answers.
	kind byte

	// What the planner decided.
	key     int32  // calls and results of one id share a key
	group   int32  // the exchange
	result  int32  // the result that answers it, or none
	best    rank   // the rank of that result
	newID   string // "" keeps the id
	missing bool   // it has no result
	answer  bool   // a result is made up
	left    bool   // its exchange is left alone
	waits   bool   // it has no result and may still get one
}

// A result is one tool result.
type result struct {
	message int32
	branch  int32 // of the calls that it may answer
	index   int32 // the part of its message
	id      []byte
	byName  bool
	name    []byte
	// blankName: it has a name and the name is blank.
	blankName bool
	// behind: other content of its message stands before it.
	behind    bool
	wrongRole bool
	inline    bool // the provider's own, in the message of its call
	kind      byte
	emptyID   bool // it has an id, and the id is empty
	otherKind byte // a kind of calls that it answers too
	rank      rank

	// What the planner decided.
	key     int32
	group   int32 // the last exchange before it
	owner   int32 // the call that it goes to, or none
	touches bool  // only results stand between its exchange and it
	left    bool  // its exchange is left alone
	drop    Code  // why it is removed, "" for a result that stays
	place   Code  // what is wrong with where a result that stays stands
	setID   bool  // its id becomes its call's
	setName bool
}

// A server is a call that the provider runs itself, or its result. Both stand
// in one assistant message.
type server struct {
	message  int32
	index    int32
	id       []byte
	isResult bool

	owner int32 // of a result: its call, or none
	moved bool  // of a result: goes back behind its call
	drop  bool
}

// A rank says how good a result is; of several the best stays.
type rank uint8

const (
	rankNone rank = iota
	rankMarker
	rankPlaceholder
	rankEmpty
	rankReal
	rankInline // the provider's own, in the message of its call: stays and wins
)

// standIn reports whether r stands for a result that never came.
func (r rank) standIn() bool { return r == rankMarker || r == rankPlaceholder }

const none int32 = -1

// reset empties t for another history and keeps its memory.
func (t *thread) reset(r rules) {
	t.rules = r
	t.messages = t.messages[:0]
	t.calls = t.calls[:0]
	t.results = t.results[:0]
	t.servers = t.servers[:0]
}

// addCall appends a call of the last message.
func (t *thread) addCall(c call) {
	m := &t.messages[len(t.messages)-1]
	c.message = int32(len(t.messages) - 1)
	c.index = m.calls.hi - m.calls.lo
	c.aside = c.aside || m.aside
	c.pending = c.pending || m.pending
	c.result, c.group = none, none
	t.calls = append(t.calls, c)
	m.calls.hi = int32(len(t.calls))
}

// addResult appends a result of the last message.
func (t *thread) addResult(r result) {
	m := &t.messages[len(t.messages)-1]
	r.message = int32(len(t.messages) - 1)
	r.branch = m.branch
	r.owner, r.group = none, none
	t.results = append(t.results, r)
	m.results.hi = int32(len(t.results))
}

// addMessage appends a message without calls and results so far.
func (t *thread) addMessage(m message) {
	n, k := int32(len(t.calls)), int32(len(t.results))
	m.calls, m.results = span{n, n}, span{k, k}
	m.guest, m.host, m.with = none, none, none
	t.messages = append(t.messages, m)
}

// isTurn reports whether m calls, so that an exchange begins at it.
func (t *thread) isTurn(m *message) bool {
	if m.aside || m.calls.len() == 0 {
		return false
	}
	return !t.calls[m.calls.lo].wrongRole
}
