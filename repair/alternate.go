package repair

import "boltmend/internal/jsonedit"

// keepRoles takes messages that lost all they had out of gone, where their
// going would put two messages of one role side by side, or an assistant
// first: such a message stays and says the marker.
func (w *writer) keepRoles(gone map[int32]bool) {
	before := roleOther
	for i, s := range w.p.slots {
		role := w.slotRole(s)
		if s.message == none || !gone[s.message] {
			if role != roleOther {
				before = role
			}
			continue
		}
		behind := w.nextRole(w.p.slots[i+1:], gone)
		if behind == roleOther || behind != before && !(before == roleOther && behind == roleAssistant) {
			continue
		}
		delete(gone, s.message)
		before = role
		text := append([]byte(w.dl.spelling().text), jsonedit.Quote(w.opts.marker())...)
		src := &w.rd.sources[s.message]
		w.edit.SetElems(src.members[w.dl.spelling().parts], []jsonedit.Item{{Ref: jsonedit.None, Raw: append(text, '}')}})
	}
}

// slotRole is the role of a message of the repaired history, roleOther for
// what is no message.
func (w *writer) slotRole(s slot) role {
	if s.message == none {
		return roleUser
	}
	if m := &w.t.messages[s.message]; !m.aside {
		return m.role
	}
	return roleOther
}

// nextRole is the role of the next message that stays.
func (w *writer) nextRole(rest []slot, gone map[int32]bool) role {
	for _, s := range rest {
		if s.message != none && gone[s.message] {
			continue
		}
		if r := w.slotRole(s); r != roleOther {
			return r
		}
	}
	return roleOther
}
