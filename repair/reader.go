package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// A reader holds a history while it is read, and what its thread points to in
// the document. It is reused from one history to the next.
type reader struct {
	doc     *jsonedit.Doc
	opts    *Options
	sources []source
	thread  thread
	calls   []callSource   // beside thread.calls
	results []resultSource // beside thread.results
	servers []jsonedit.Ref // beside thread.servers

	unread   bool       // there are calls that were not read
	families [16]family // of the dialects in the table, once asked for
	branches map[string]int32
	// unbranched: no message so far was of a branch, and branches is empty.
	unbranched bool
	// callBranch is the branch of the calls of an id, none if it is not one; of
	// those before branched.
	callBranch map[string]int32
	branched   int
	linked     bool               // messages name the one before them
	invalid    map[callName]int32 // calls that could not be read, of langchain: their message
	block      members            // of the block or call being read
	inner      members            // of the object within it
	buf        []byte
}

// A callName is the id of a call in its branch.
type callName struct {
	branch int32
	id     string
}

// A callSource is where a call stands in the document. The object that has
// its id is node itself, or within it.
type callSource struct {
	node, holder, id, arguments jsonedit.Ref
	// inMessage: the call is a member of its message and no element of a
	// list.
	inMessage bool
	// textArguments: they are a string, which in this dialect may be right.
	textArguments bool
	// listed is where the message names it once more, as one that runs long; 0
	// if nowhere.
	listed jsonedit.Ref
}

// A resultSource is where a result stands: a message or a block. The object
// that has its id is node itself, or within it.
type resultSource struct {
	node, holder, id, name, content, status jsonedit.Ref
}

// open takes the elements of a history in. It reports false for an array
// that holds no message.
func (rd *reader) open(d *jsonedit.Doc, elems []jsonedit.Ref) bool {
	if rd.branches == nil {
		rd.branches = make(map[string]int32)
		rd.callBranch = make(map[string]int32)
	}
	rd.doc = d
	rd.sources = rd.sources[:0]
	found := false
	for _, e := range elems {
		rd.sources = append(rd.sources, source{node: e})
		s := &rd.sources[len(rd.sources)-1]
		s.identify(d, e)
		found = found || s.isMessage()
	}
	return found
}

// begin begins a thread.
func (rd *reader) begin(rules rules) {
	rd.thread.reset(rules)
	rd.calls, rd.results, rd.servers = rd.calls[:0], rd.results[:0], rd.servers[:0]
	clear(rd.branches)
	clear(rd.callBranch)
	rd.unbranched, rd.unread, rd.branched, rd.invalid = false, false, 0, nil
}

// read reads the history as one dialect writes it.
func (rd *reader) read(dl dialect) *thread {
	rules := dl.rules()
	rd.begin(rules)
	families := rules.messages()
	for i := range rd.sources {
		s := &rd.sources[i]
		if s.family&families == 0 || rd.isTrue(s.members[mLocalOnly]) {
			rd.thread.addMessage(message{aside: true})
			continue
		}
		rd.thread.addMessage(message{
			branch:  rd.branch(s),
			pending: rd.isPending(&s.members),
			content: true,
		})
		dl.read(rd, s, rd.last())
		rd.settleRole(s)
	}
	return &rd.thread
}

// settleRole takes a message that calls for an assistant's if its role is none
// that is known: only of known roles can one say that they cannot call.
func (rd *reader) settleRole(s *source) {
	m := rd.last()
	if s.role != otherRole || s.family == itemFamily || m.calls.len() == 0 {
		return
	}
	m.role = roleAssistant
	for c := m.calls.lo; c < m.calls.hi; c++ {
		rd.thread.calls[c].wrongRole = false
	}
}

// last is the message being read.
func (rd *reader) last() *message { return &rd.thread.messages[len(rd.thread.messages)-1] }

// branch numbers the branch of a message; the first one seen is 0.
func (rd *reader) branch(s *source) int32 {
	if len(rd.branches) == 0 && s.members[mBranch] == jsonedit.None &&
		s.members[mLaneID] == jsonedit.None && s.members[mIsSidechain] == jsonedit.None {
		rd.unbranched = true
		return 0
	}
	if rd.unbranched {
		rd.unbranched = false
		rd.branches[""] = 0
	}
	key := rd.buf[:0]
	for _, m := range [...]member{mBranch, mLaneID, mIsSidechain} {
		if r := s.members[m]; r != jsonedit.None && !rd.isNothing(r) {
			key = append(key, byte(m))
			key = append(key, rd.doc.Raw(r)...)
		}
	}
	rd.buf = key
	b, found := rd.branches[string(key)]
	if !found {
		b = int32(len(rd.branches))
		rd.branches[string(key)] = b
	}
	return b
}

// isNothing reports whether a value says no more than its absence would.
func (rd *reader) isNothing(r jsonedit.Ref) bool {
	switch rd.doc.Kind(r) {
	case jsonedit.Missing, jsonedit.Null, jsonedit.False:
		return true
	case jsonedit.String:
		return len(rd.doc.Inner(r)) == 0
	}
	return false
}

func (rd *reader) isTrue(r jsonedit.Ref) bool {
	return r != jsonedit.None && rd.doc.Kind(r) == jsonedit.True
}

// id returns an id as text: of what is no string the JSON text, nil for null
// and for nothing.
func (rd *reader) id(r jsonedit.Ref) []byte {
	if r == jsonedit.None || rd.doc.Kind(r) == jsonedit.Null {
		return nil
	}
	if rd.doc.Kind(r) == jsonedit.String {
		return text(rd.doc, r)
	}
	return rd.doc.Raw(r)
}

// addCall notes a call of the message being read.
func (rd *reader) addCall(c call, src callSource) {
	if src.holder == 0 {
		src.holder = src.node
	}
	rd.thread.addCall(c)
	rd.calls = append(rd.calls, src)
}

// addResult notes a result of the message being read.
func (rd *reader) addResult(r result, src resultSource) {
	if src.holder == 0 {
		src.holder = src.node
	}
	r.blankName = src.name != jsonedit.None && rd.doc.Kind(src.name) == jsonedit.String &&
		len(bytes.TrimSpace(r.name)) == 0
	rd.thread.addResult(r)
	rd.results = append(rd.results, src)
}

// addServer notes a provider-run call or its result.
func (rd *reader) addServer(node jsonedit.Ref, index int32, id []byte, isResult bool) {
	rd.thread.servers = append(rd.thread.servers, server{
		message: int32(len(rd.thread.messages) - 1), index: index,
		id: id, isResult: isResult, owner: none,
	})
	rd.servers = append(rd.servers, node)
}

// order tells where the elements of a history to be come from.
func (rd *reader) order(items []jsonedit.Item) []int {
	at := make(map[jsonedit.Ref]int, len(rd.sources))
	for i := range rd.sources {
		at[rd.sources[i].node] = i
	}
	order := make([]int, len(items))
	for i, it := range items {
		if order[i] = -1; it.Raw == nil {
			order[i] = at[it.Ref]
		}
	}
	return order
}

// array returns a value and whether it is an array.
func (rd *reader) array(r jsonedit.Ref) (jsonedit.Ref, bool) {
	return r, rd.doc.Kind(r) == jsonedit.Array
}

// readBlocks reads the blocks of a message one by one. read is told whether
// other content stands before a block, and says whether it is a result. A
// message of nothing but results has no content of its own.
func (rd *reader) readBlocks(list jsonedit.Ref, read func(b jsonedit.Ref, index int32, behind bool) bool) (behind bool) {
	arr, ok := rd.array(list)
	if !ok {
		return true
	}
	index := int32(0)
	for b, end := arr+1, rd.doc.End(arr); b < end; b = rd.doc.End(b) {
		isResult := read(b, index, behind)
		behind = behind || !isResult
		index++
	}
	m := rd.last()
	m.content = behind || m.results.len() == 0
	return behind
}

// is reports whether a value is one of some texts.
func (rd *reader) is(r jsonedit.Ref, texts ...string) bool {
	if r == jsonedit.None {
		return false
	}
	for _, t := range texts {
		if rd.doc.Is(r, t) {
			return true
		}
	}
	return false
}

// isPending reports whether an object says that its work goes on.
func (rd *reader) isPending(m *members) bool {
	if m[mStatus] == jsonedit.None && m[mState] == jsonedit.None {
		return false
	}
	return rd.pendingStatus(m[mStatus]) || rd.pendingStatus(m[mState])
}

func (rd *reader) pendingStatus(r jsonedit.Ref) bool {
	return rd.is(r, "waiting_approval", "pending", "running", "in_progress", "approval-requested")
}
