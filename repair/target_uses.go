package repair

import "boltmend/internal/jsonedit"

// suspects reports whether some call id may be one that a rule refuses. It
// allocates nothing.
func (v *review) suspects(rule idRule) bool {
	ids := &v.judge.ids
	ids.reset()
	for i := range v.t.calls {
		if c := &v.t.calls[i]; len(c.id) > 0 && (!rule.takes(c.id) || rule.unique && !ids.add(c.id)) {
			return true
		}
	}
	return false
}

// uses lists the ids of all calls with the results that answer them, and with
// what else in their messages goes by such an id. What is never sent, and tools
// of the provider, have ids of their own.
func (v *review) uses() []idUse {
	if !v.suspects(v.to.ids) {
		return nil
	}
	v.judge.plan()
	uses := make([]idUse, 0, len(v.t.calls))
	at := make([]int32, len(v.t.calls))
	in := make(map[int32]map[string]int32) // by message and id: the use
	for i := range v.t.calls {
		c, node := &v.t.calls[i], v.rd.calls[i].id
		at[i] = none
		if c.aside || c.wrongRole || len(c.id) == 0 || node == jsonedit.None {
			continue
		}
		at[i] = int32(len(uses))
		uses = append(uses, idUse{
			message: c.message, branch: v.t.messages[c.message].branch, id: c.id,
			name: string(c.name), nodes: []jsonedit.Ref{node}, left: c.left, call: int32(i),
		})
		note(in, c.message, c.id, at[i])
	}
	for r := range v.t.results {
		res, node := &v.t.results[r], v.rd.results[r].id
		if res.owner == none || at[res.owner] == none || node == jsonedit.None {
			continue
		}
		if u := &uses[at[res.owner]]; string(res.id) == string(u.id) {
			u.nodes = append(u.nodes, node)
			note(in, res.message, res.id, at[res.owner])
		}
	}
	for i := range v.rd.sources {
		if ids := in[int32(i)]; ids != nil {
			n := namer{review: v, message: v.rd.sources[i].node, ids: ids, uses: uses, whole: v.ofCalls(int32(i))}
			n.object(n.message, false)
		}
	}
	return uses
}

func note(in map[int32]map[string]int32, message int32, id []byte, use int32) {
	if in[message] == nil {
		in[message] = make(map[string]int32)
	}
	if first, twice := in[message][string(id)]; twice && first != use {
		use = none // whose it is cannot be told
	}
	in[message][string(id)] = use
}

// uiUses is uses where a call and its result are one part. The older list of
// invocations says the same ids again.
func (v *review) uiUses() (uses []idUse) {
	for i := range v.t.messages {
		m, s := &v.t.messages[i], &v.rd.sources[i]
		if m.aside || m.role != roleAssistant {
			continue
		}
		first := len(uses)
		aiSDKUI{}.invocations(v.rd, s, func(inv *invocation) {
			node := inv.members[mToolCallID]
			id := v.rd.id(node)
			if len(id) == 0 || v.rd.isTrue(inv.members[mProviderExecuted]) {
				return
			}
			for k := first; k < len(uses) && inv.listed; k++ {
				if string(uses[k].id) == string(id) {
					uses[k].nodes = append(uses[k].nodes, node)
					return
				}
			}
			u := uiRepair{rd: v.rd}
			uses = append(uses, idUse{
				call: none, message: int32(i), branch: m.branch, id: id, name: u.toolName(inv), nodes: []jsonedit.Ref{node},
				left: v.opts.KeepTail && int32(i) == v.lastMessages()[m.branch],
			})
		})
	}
	return uses
}

// uiParts looks at the names of tools where a call is a part, and at tools of
// the provider that never came to an end.
func (v *review) uiParts() {
	last := v.lastMessages()
	for i := range v.t.messages {
		m, s := &v.t.messages[i], &v.rd.sources[i]
		if m.aside || m.role != roleAssistant {
			continue
		}
		aiSDKUI{}.invocations(v.rd, s, func(inv *invocation) {
			u := uiRepair{rd: v.rd}
			id, name := v.rd.id(inv.members[mToolCallID]), u.toolName(inv)
			if inv.listed && v.rd.doc.Kind(s.members[mParts]) == jsonedit.Array {
				return // said in the parts
			}
			if !v.names.takes([]byte(name)) {
				v.find(ToolName, int32(i), id, name, false)
			}
			if int32(i) != last[m.branch] && v.rd.isTrue(inv.members[mProviderExecuted]) && u.isOpen(inv) {
				v.find(ServerToolUnanswered, int32(i), id, name, false)
			}
		})
	}
}
