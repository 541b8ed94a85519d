package repair

import "boltmend/internal/jsonedit"

// keepRoles takes messages that lost all they had out of gone, where their
// going would put two messages of one role side by side in their branch, or an
// assistant first: such a message stays and says the marker.
func (w *writer) keepRoles(gone map[int32]bool) {
	last := make(map[int32]role) // by branch
	for i, s := range w.p.slots {
		role, branch := w.slotRole(s)
		if s.message == none || !gone[s.message] {
			if role != roleOther {
				last[branch] = role
			}
			continue
		}
		before, behind := last[branch], w.nextRole(w.p.slots[i+1:], branch, gone)
		if behind == roleOther || behind != before && !(before == roleOther && behind == roleAssistant) {
			continue
		}
		delete(gone, s.message)
		last[branch] = role
		src := &w.rd.sources[s.message]
		text := w.textBlock(src, jsonedit.Quote(w.opts.marker()))
		w.edit.SetElems(src.members[w.dl.spelling().parts], []jsonedit.Item{{Ref: jsonedit.None, Raw: text}})
	}
}

// slotRole is the role and the branch of a message of the repaired history,
// roleOther for what is no message.
func (w *writer) slotRole(s slot) (role, int32) {
	if s.message == none {
		return roleUser, w.t.messages[s.turn].branch
	}
	if m := &w.t.messages[s.message]; !m.aside {
		return m.role, m.branch
	}
	return roleOther, 0
}

// nextRole is the role of the next message of a branch that stays.
func (w *writer) nextRole(rest []slot, branch int32, gone map[int32]bool) role {
	for _, s := range rest {
		if s.message != none && gone[s.message] {
			continue
		}
		if r, b := w.slotRole(s); r != roleOther && b == branch {
			return r
		}
	}
	return roleOther
}
