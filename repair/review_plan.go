package repair

// plan lets the planner pair the history that is reviewed, if it has not done
// so, for what has to know which result is whose.
func (j *Judge) plan() {
	if !j.planned {
		j.reader.rankAll()
		j.planner.plan(&j.reader.thread, j.reader.opts)
		j.planned = true
	}
}

// read reads the open history as one dialect writes it. Where there is nothing
// to pair, or calls and results are one, only the messages are read.
func (j *Judge) read(name Dialect) *thread {
	j.planned = false
	dl, err := lookup(name)
	if err != nil || name == AISDKUI {
		return j.reader.readMessages()
	}
	return j.reader.read(dl)
}

// readMessages reads who speaks and no more.
func (rd *reader) readMessages() *thread {
	t := &rd.thread
	rd.begin(rules{})
	for i := range rd.sources {
		s := &rd.sources[i]
		if s.family&^itemFamily == 0 || rd.isTrue(s.members[mLocalOnly]) {
			t.addMessage(message{aside: true})
			continue
		}
		t.addMessage(message{branch: rd.branch(s), pending: rd.isPending(&s.members), content: true, role: s.role.speaker()})
	}
	return t
}

// speaker is what a role may do where no dialect tells.
func (r roleName) speaker() role {
	switch r {
	case assistantRole, modelRole:
		return roleAssistant
	case userRole:
		return roleUser
	case toolRole, functionRole, toolResultRole:
		return roleTool
	}
	return roleOther
}

// inTail reports whether a message belongs to an exchange at the end that is
// to be left alone.
func (v *review) inTail(message int32) bool {
	m := &v.t.messages[message]
	if v.dialect == AISDKUI {
		return message == v.lastMessages()[m.branch]
	}
	if v.dl == nil {
		return false
	}
	v.judge.plan()
	tail := v.judge.planner.tails[m.branch]
	return tail != none && message >= tail
}

// lastMessages are the last messages of all branches.
func (v *review) lastMessages() []int32 {
	if len(v.last) == 0 {
		for i := range v.t.messages {
			if m := &v.t.messages[i]; !m.aside && !v.gone[int32(i)] {
				for len(v.last) <= int(m.branch) {
					v.last = append(v.last, none)
				}
				v.last[m.branch] = int32(i)
			}
		}
	}
	return v.last
}

// asRead returns a call as it was first read: the repair before may have given
// it an id, but it neither makes up calls nor moves them.
func (v *review) asRead(call int32) *callSource {
	if v.judge == v.first {
		return &v.rd.calls[call]
	}
	if len(v.firstCalls) == 0 {
		t := &v.first.reader.thread
		for i := range t.calls {
			if c := &t.calls[i]; !t.messages[c.message].drop && (!c.wrongRole || c.aside) {
				v.firstCalls = append(v.firstCalls, int32(i))
			}
		}
	}
	return &v.first.reader.calls[v.firstCalls[call]]
}

// callID is the id of a call as it was first read.
func (v *review) callID(call int32) []byte { return v.first.reader.id(v.asRead(call).id) }
