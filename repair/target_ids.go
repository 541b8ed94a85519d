package repair

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"boltmend/internal/jsonedit"
)

// An idUse is a call's id and all places where it stands.
type idUse struct {
	call            int32 // none where a call is a part
	message, branch int32
	id              []byte
	name            string
	nodes           []jsonedit.Ref
	left            bool // its exchange is left alone
}

// takes reports whether an id is taken.
func (r idRule) takes(id []byte) bool { return r.fault(id) == "" }

// fault says what is wrong with an id by itself, "" if nothing is.
func (r idRule) fault(id []byte) Code {
	if r.chars != nil {
		for _, c := range id {
			if !r.chars(c) {
				return IDCharset
			}
		}
	}
	if r.max > 0 && (len(id) > r.max || r.exact && len(id) != r.max) {
		return IDLength
	}
	return ""
}

// A renamer finds other ids for those that a provider refuses. Two ids are
// never given one, and the same history always gets the same ids: an id that
// is good keeps it, and none that stands anywhere in the history is given to
// another.
type renamer struct {
	rule  idRule
	taken map[string]bool
	table map[string]string // old to new
}

// rename returns the new id for one that is refused. again says that the id
// is already another call's.
func (r *renamer) rename(id []byte, again bool) string {
	if next, known := r.table[string(id)]; known && !again {
		return next
	}
	next := r.free(id, again)
	r.taken[next] = true
	if !again {
		r.table[string(id)] = next
	}
	return next
}

// free returns the first free id that is made of another: its letters, with
// what is forbidden replaced, or if it is too long the beginning and a hash.
func (r *renamer) free(id []byte, again bool) string {
	if r.rule.exact {
		return r.short(id, again)
	}
	base, dash, n := r.clean(id), "-", 2
	if again {
		dash = "_"
	} else if !r.taken[base] {
		return base
	}
	for ; ; n++ {
		tail := dash + strconv.Itoa(n)
		head := base
		if over := len(head) + len(tail) - r.rule.max; r.rule.max > 0 && over > 0 {
			head = head[:len(head)-over]
		}
		if !r.taken[head+tail] {
			return head + tail
		}
	}
}

// clean replaces the characters that are forbidden, and shortens what is too
// long so that its end still tells.
func (r *renamer) clean(id []byte) string {
	clean := bytes.Clone(id)
	for i, c := range clean {
		if r.rule.chars != nil && !r.rule.chars(c) {
			clean[i] = '_'
		}
	}
	if r.rule.max == 0 || len(clean) <= r.rule.max {
		return string(clean)
	}
	sum := sha256.Sum256(id)
	tail := "-" + hex.EncodeToString(sum[:4])
	return string(clean[:r.rule.max-len(tail)]) + tail
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// short makes an id of an exact length of the hash of another.
func (r *renamer) short(id []byte, again bool) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(append([]byte(strconv.Itoa(n)+":"), id...))
		next := make([]byte, r.rule.max)
		for i := range next {
			next[i] = base62[int(sum[i])%len(base62)]
		}
		if !r.taken[string(next)] {
			return string(next)
		}
	}
}

// ids finds the call ids that the target refuses and renames them, their
// results with them.
func (v *review) ids() {
	rule := v.to.ids
	if rule.chars == nil && rule.max == 0 && !rule.unique {
		return
	}
	var uses []idUse
	if v.dialect == AISDKUI {
		uses = v.uiUses()
	} else {
		uses = v.uses()
	}
	r := renamer{rule: rule}
	seen := make(map[idKey]bool)
	for i := range uses {
		u := &uses[i]
		code := rule.fault(u.id)
		key := idKey{u.branch, string(u.id)}
		again := rule.unique && seen[key]
		seen[key] = true
		switch {
		case code == "" && !again:
			continue
		case code == "":
			code = IDNotUnique
		}
		fix := false
		if u.left {
			v.because("the last exchange is left alone")
		} else if v.locked != "" {
			v.because(v.locked)
		} else {
			fix = true
		}
		id := u.id
		if u.call != none {
			id = v.callID(u.call)
		}
		v.find(code, u.message, id, u.name, fix)
		if fix {
			if r.taken == nil {
				r.taken, r.table = v.allIDs(uses), make(map[string]string)
			}
			v.setIDs(u, code, r.rename(u.id, again))
		}
	}
}

type idKey struct {
	branch int32
	id     string
}

// allIDs are all ids of the history.
func (v *review) allIDs(uses []idUse) map[string]bool {
	all := make(map[string]bool)
	for i := range uses {
		all[string(uses[i].id)] = true
	}
	for i := range v.t.calls {
		all[string(v.t.calls[i].id)] = true
	}
	for i := range v.t.results {
		all[string(v.t.results[i].id)] = true
	}
	for i := range v.t.servers {
		all[string(v.t.servers[i].id)] = true
	}
	return all
}

// setIDs writes a new id wherever the old one stands, and notes the old one as
// it was first read.
func (v *review) setIDs(u *idUse, code Code, id string) {
	doc, node := v.rd.doc, u.nodes[0]
	if u.call != none {
		doc, node = v.first.reader.doc, v.asRead(u.call).id
	}
	if node != jsonedit.None {
		v.removed = append(v.removed, Removed{
			Kind: "id", Code: code, Message: v.origin(u.message), ID: string(u.id), Text: bytes.Clone(doc.Raw(node)),
		})
	}
	for _, node := range u.nodes {
		v.edit.Replace(node, jsonedit.Quote(id))
	}
}
