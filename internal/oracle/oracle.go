// Package oracle holds validators that judge a history as the provider would:
// does every call have its result where the provider looks for it, does every
// result answer a call, can the stored arguments be parsed. It is for tests
// only and shares no code with package repair, so that a rule misread there
// is not misread here in the same way. Errors are worded like the provider's.
//
// A validator judges pairing and arguments. It says nothing on empty content,
// the order of roles, names or signatures.
package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A judge applies one provider's rules to the messages of one branch.
type judge func(ms []message) error

// A dialect is what differs between providers. A new one is a file of its
// own and a line in dialects.
type dialect struct {
	name  string
	judge judge
	// turn and result say what a message is, to find where the tail begins.
	turn, result func(message) bool
	// replayed is false for messages that never reach the provider.
	replayed func(message) bool
	// role tells the role of an element that has it elsewhere than in "role",
	// and whether it is a message at all.
	role func(object) (string, bool)
	// join makes one message of elements that are one turn.
	join func([]message) []message
	// across moves what a message of no branch says to another branch there.
	across func([][]message) [][]message
	// behind is set where a result of any turn may stand behind the tail: it
	// returns a message of results without those of a turn.
	behind func(turn, results message) message
}

var dialects = []dialect{
	openAIChat,
	anthropic,
	pi,
	responses,
	gemini,
	adk,
	bedrock,
	ollama,
	aiSDKModel,
	aiSDKUI,
	langChain,
	grouped,
}

// Dialects returns the names that For knows.
func Dialects() []string {
	var names []string
	for _, d := range dialects {
		names = append(names, d.name)
	}
	return names
}

// For returns the validator of a dialect, nil if there is none. It accepts
// calls without a result only in the last turn and only if they are marked
// as pending.
func For(name string) func(src []byte) error {
	return find(name, false)
}

// ForOpenTail returns a validator that does not judge a turn with calls
// behind which only results stand: its tools may still be running.
func ForOpenTail(name string) func(src []byte) error {
	return find(name, true)
}

func find(name string, openTail bool) func([]byte) error {
	for _, d := range dialects {
		if d.name == name {
			return func(src []byte) error { return d.validate(src, openTail) }
		}
	}
	return nil
}

// validate judges each branch by itself: each is a request of its own.
func (d dialect) validate(src []byte, openTail bool) error {
	branches, err := read(src, d.role)
	if err != nil {
		return err
	}
	if d.across != nil {
		branches = d.across(branches)
	}
	for _, ms := range branches {
		ms = d.sent(ms)
		if d.join != nil {
			ms = d.join(ms)
		}
		if openTail {
			ms = d.withoutTail(ms)
		}
		if err := d.judge(ms); err != nil {
			return err
		}
	}
	return nil
}

// sent leaves out the messages that are never replayed.
func (d dialect) sent(ms []message) []message {
	if d.replayed == nil {
		return ms
	}
	var kept []message
	for _, m := range ms {
		if d.replayed(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

func (d dialect) withoutTail(ms []message) []message {
	last := len(ms) - 1
	for last >= 0 && d.result(ms[last]) {
		last--
	}
	if last < 0 || !d.turn(ms[last]) {
		return ms
	}
	if d.behind != nil {
		return d.withoutCalls(ms, last)
	}
	return ms[:last]
}

// A message is an element of the history that has a role.
type message struct {
	object
	index int
	role  string
}

// read splits a history into the messages of its branches, in order. What is
// no object, has no role or never leaves the app is no message.
func read(src []byte, roleOf func(object) (string, bool)) ([][]message, error) {
	if roleOf == nil {
		roleOf = func(o object) (string, bool) { role, ok := o["role"].(string); return role, ok }
	}
	v, err := decode(src)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("messages: expected an array")
	}
	var branches [][]message
	known := map[string]int{}
	for i, e := range list {
		o, _ := e.(object)
		role, ok := roleOf(o)
		if !ok || o.unsent() {
			continue
		}
		key := o.branch()
		at, ok := known[key]
		if !ok {
			at = len(branches)
			known[key] = at
			branches = append(branches, nil)
		}
		branches[at] = append(branches[at], message{o, i, role})
	}
	return branches, nil
}

// branch names the branch of a message. A member with a zero value is as good
// as none, since Go may or may not write it.
func (o object) branch() string {
	var key [3]any
	for i, name := range []string{"branch", "laneid", "issidechain"} {
		if v := o[name]; v != nil && v != "" && v != false {
			key[i] = v
		}
	}
	return fmt.Sprintf("%q", key)
}

// pending reports whether a call or a message says of itself that its result
// is still to come.
func (o object) pending() bool {
	for _, name := range []string{"status", "state"} {
		switch o[name] {
		case "waiting_approval", "pending", "running", "in_progress", "approval-requested":
			return true
		}
	}
	return false
}

// A call waits for a result. Legacy calls have no id and go by name.
type call struct {
	id, name string
	legacy   bool
	pending  bool
	fault    error // what is wrong with the call itself
}

// label is what an error calls c.
func (c call) label() string {
	if c.legacy {
		return c.name
	}
	return c.id
}

// A result answers a call.
type result struct {
	id, name string
	legacy   bool
	index    int
}

func (r result) answers(c call) bool {
	if r.legacy != c.legacy {
		return false
	}
	if c.legacy {
		return r.name == c.name
	}
	return r.id == c.id
}

// parses reports whether an argument string can be parsed again by a server
// that does so on each request. Go writes a []byte as base64.
func parses(s string) bool {
	return json.Valid([]byte(s)) || json.Valid(unbase64(s))
}

// unsent reports whether a message says of itself that it is for the screen
// alone, or is gone.
func (o object) unsent() bool {
	for _, name := range []string{"localonly", "hidden", "displayonly", "uionly", "deleted", "isdeleted"} {
		if o[name] == true {
			return true
		}
	}
	return false
}
