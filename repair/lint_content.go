package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// Empty texts. Providers refuse a block of text with no text in it, and some a
// text of nothing but space; a result that says nothing; and a message that
// does.
//
// Source: Anthropic, "text content blocks must be non-empty", "must have
// non-empty content"; Bedrock, "content ... is empty", "cannot be empty when
// status value is error"; Gemini, "must include at least one parts field";
// Moonshot, "assistant message must not be empty"; the threads are in
// docs/dialects.md, read 2026-11-30.

// noOutput is what an empty result comes to say.
const noOutput = "(no output)"

// contentRules are what a dialect's provider demands of texts.
type contentRules struct {
	member      // of a message, that has its texts
	texts  bool // a block without text is refused
	spaces bool // and one of nothing but space
	// results that say nothing are refused, messages of the user as well.
	results, users bool
}

// contentRules returns the rules of a dialect. The AI SDK leaves out blocks
// without text; Ollama and grouped have no blocks. In a history without calls
// the spelling has to tell.
func (v *review) contentRules() contentRules {
	switch v.dialect {
	case Anthropic:
		return contentRules{mContent, true, true, true, true}
	case BedrockConverse:
		return contentRules{mContent, true, true, true, true}
	case Gemini, ADK:
		return contentRules{mParts, true, false, false, true}
	case OpenAIChat, OpenAIResponses, Pi, LangChain, "":
		return contentRules{mContent, true, false, false, false}
	case AISDKUI:
		return contentRules{member: mParts}
	}
	return contentRules{member: mContent}
}

// content looks at the texts of one message.
func (v *review) content(i int32, m *message, s *source) {
	rules := v.rules
	list := s.members[rules.member]
	if v.dialect == "" && list == jsonedit.None {
		if list = s.members[mParts]; list == jsonedit.None {
			return // some other form
		}
		rules.users = true
	}
	if rules.results {
		for r := m.results.lo; r < m.results.hi; r++ {
			v.resultContent(i, r)
		}
	}
	d := v.rd.doc
	switch d.Kind(list) {
	case jsonedit.Array:
		v.blockList(i, m, s, list, rules)
	case jsonedit.String:
		if v.isBlank(list, rules.spaces) {
			v.saysNothing(i, m, s, rules)
		}
	case jsonedit.Null, jsonedit.Missing:
		v.saysNothing(i, m, s, rules)
	}
}

// blockList looks at the blocks of one message.
func (v *review) blockList(i int32, m *message, s *source, list jsonedit.Ref, rules contentRules) {
	d := v.rd.doc
	blank, all := 0, 0
	for b, end := list+1, d.End(list); b < end; b = d.End(b) {
		all++
		typ, said, more := v.block(b)
		switch {
		case said != jsonedit.None && !more && v.isBlank(said, rules.spaces):
			blank++
		case v.dialect == Anthropic && d.Kind(typ) == jsonedit.String:
			v.thinking(i, m, b, typ, d.End(b) == end)
		}
	}
	switch {
	case blank == all && m.calls.len() == 0 && m.results.len() == 0:
		v.saysNothing(i, m, s, rules)
	case blank > 0 && rules.texts:
		fix := blank < all && v.may(EmptyContent, i)
		v.find(EmptyContent, i, nil, "", fix)
		if fix {
			v.dropBlank(i, list, rules.spaces, nil)
		}
	}
}

// block reads a block of content: its type, its text, and whether it has
// anything else.
func (v *review) block(b jsonedit.Ref) (typ, said jsonedit.Ref, more bool) {
	typ, said = jsonedit.None, jsonedit.None
	d := v.rd.doc
	if d.Kind(b) != jsonedit.Object {
		return typ, said, true
	}
	for key, end := b+1, d.End(b); key < end; key = d.End(key + 1) {
		switch nameOf(d, key) {
		case mType:
			typ = key + 1
		case mText:
			said = key + 1
		default:
			more = more || !v.rd.isNothing(key+1) && !v.isDecoration(key)
		}
	}
	if typ != jsonedit.None && !bytes.HasSuffix(text(d, typ), []byte("text")) || d.Kind(said) != jsonedit.String {
		said = jsonedit.None
	}
	return typ, said, more
}

// isDecoration reports whether a member of a block says nothing itself: a mark
// for a cache, or an empty list or object.
func (v *review) isDecoration(key jsonedit.Ref) bool {
	d := v.rd.doc
	if k := d.Kind(key + 1); (k == jsonedit.Array || k == jsonedit.Object) && d.End(key+1) == key+2 {
		return true
	}
	return fold(d.Text(key)) == "cachecontrol"
}

// isBlank reports whether a string has no text, or nothing but space.
func (v *review) isBlank(r jsonedit.Ref, spaces bool) bool {
	t := v.rd.doc.Inner(r)
	switch {
	case len(t) == 0:
		return true
	case !spaces || t[0] > ' ' && t[0] != '\\' && t[0] < 0x80:
		return false
	}
	return len(bytes.TrimSpace(text(v.rd.doc, r))) == 0
}

// dropBlank takes the blank texts out of a list of blocks; instead stands for
// all of them, if there is nothing else.
func (v *review) dropBlank(i int32, list jsonedit.Ref, spaces bool, instead []byte) {
	var kept []jsonedit.Item
	first := jsonedit.None
	for b := range v.rd.doc.Elems(list) {
		if _, said, more := v.block(b); said == jsonedit.None || more || !v.isBlank(said, spaces) {
			kept = append(kept, jsonedit.Item{Ref: b})
			continue
		} else if first == jsonedit.None {
			first = said
		}
		v.remove("content", EmptyContent, i, nil, b)
	}
	if len(kept) == 0 && first != jsonedit.None {
		v.edit.Replace(first, instead)
		for b := range v.rd.doc.Elems(list) {
			if b < first && first < v.rd.doc.End(b) {
				kept = append(kept, jsonedit.Item{Ref: b})
			}
		}
	}
	v.edit.SetElems(list, kept)
}

// resultContent looks at what one result says.
func (v *review) resultContent(i, r int32) {
	d := v.rd.doc
	content := v.rd.results[r].content
	blank, all := 0, 0
	switch d.Kind(content) {
	case jsonedit.String:
		if len(d.Inner(content)) > 0 {
			return
		}
	case jsonedit.Array:
		for b, end := content+1, d.End(content); b < end; b = d.End(b) {
			all++
			if _, said, more := v.block(b); said != jsonedit.None && !more && v.isBlank(said, v.rules.spaces) {
				blank++
			}
		}
		if all > 0 && blank == 0 {
			return
		}
	default:
		return
	}
	res := &v.t.results[r]
	fix := !res.left && v.may(EmptyContent, i)
	v.find(EmptyContent, i, res.id, "", fix)
	switch said := jsonedit.Quote(noOutput); {
	case !fix:
	case d.Kind(content) == jsonedit.String:
		v.edit.Replace(content, said)
	case all == 0:
		w := writer{rd: v.rd, t: v.t, opts: v.opts, dl: v.dl}
		block := w.textBlock(&v.rd.sources[i], said)
		v.edit.SetElems(content, []jsonedit.Item{{Ref: jsonedit.None, Raw: block}})
	default:
		v.dropBlank(i, content, v.rules.spaces, said)
	}
}
