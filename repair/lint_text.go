package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// Halves of characters. A text that was cut between the two UTF-16 halves of a
// character is stored with an escape such as \ud83d that stands for none.
//
// Source: Anthropic, "no low surrogate in string" (claude-code issue 69927),
// read 2026-11-30.

// surrogates finds the messages with half of a character in what is sent.
func (v *review) surrogates(arr jsonedit.Ref) {
	if !v.rd.doc.Surrogates() || !hasHalf(v.rd.doc.Raw(arr)) {
		return
	}
	for i := range v.t.messages {
		if !v.t.messages[i].aside {
			v.halves(int32(i), &v.rd.sources[i])
		}
	}
}

// halves finds the halves of one message.
func (v *review) halves(i int32, s *source) {
	var nodes []jsonedit.Ref
	d := v.rd.doc
	for key, value := range d.Members(s.node) {
		if m := nameOf(d, key); m == mOther && !sentBeside[fold(d.Text(key))] || m == mID {
			continue
		}
		for r := value; r < d.End(value); r++ {
			if d.Escaped(r) && hasHalf(d.Inner(r)) {
				nodes = append(nodes, r)
			}
		}
	}
	if len(nodes) == 0 {
		return
	}
	fix := v.may(LoneSurrogate, i)
	switch {
	case !fix:
	case v.isSigned(s.node):
		v.because(signedReason)
		fix = false
	default:
		fix = v.fillHalves(i, nodes)
	}
	v.find(LoneSurrogate, i, nil, "", fix)
}

// sentBeside are members, folded, that are sent and that no dialect gives a
// meaning to.
var sentBeside = map[string]bool{"reasoningcontent": true, "reasoning": true, "thinking": true, "refusal": true, "summary": true}

// fillHalves puts U+FFFD in the place of each half, as every decoder would. An
// id or a name stays: something else may be found by it. It reports whether
// none is left.
func (v *review) fillHalves(i int32, nodes []jsonedit.Ref) bool {
	d := v.rd.doc
	keep := make(map[jsonedit.Ref]bool)
	for c := range v.rd.calls {
		keep[v.rd.calls[c].id], keep[v.nameNode(&v.rd.calls[c])] = true, true
	}
	for r := range v.rd.results {
		keep[v.rd.results[r].id], keep[v.rd.results[r].name] = true, true
	}
	for _, r := range nodes {
		if keep[r] || v.isKey(r) || v.hasID(r) {
			return false
		}
	}
	for _, r := range nodes {
		v.remove("content", LoneSurrogate, i, nil, r)
		raw := bytes.Clone(d.Raw(r))
		for at := nextHalf(raw, 0); at >= 0; at = nextHalf(raw, at+6) {
			copy(raw[at:], `\ufffd`)
		}
		v.edit.Replace(r, raw)
	}
	return true
}

// isKey reports whether a string is the name of a member.
func (v *review) isKey(r jsonedit.Ref) bool {
	_, end := v.rd.doc.Span(r)
	src := v.rd.doc.Src()
	for ; end < len(src); end++ {
		switch src[end] {
		case ' ', '\t', '\r', '\n':
		default:
			return src[end] == ':'
		}
	}
	return false
}

// hasID reports whether a string is the value of a member that may be an id.
func (v *review) hasID(r jsonedit.Ref) bool {
	return r > 0 && v.isKey(r-1) && bytes.HasSuffix([]byte(fold(v.rd.doc.Text(r-1))), []byte("id"))
}

// hasHalf reports whether a JSON text has half of a character.
func hasHalf(raw []byte) bool { return nextHalf(raw, 0) >= 0 }

// nextHalf returns where the next half of a character is escaped, -1 if there
// is none.
func nextHalf(raw []byte, at int) int {
	for {
		i := bytes.IndexByte(raw[at:], '\\')
		if i < 0 {
			return -1
		}
		switch at += i; {
		case !isSurrogate(raw[at:]):
			at += 2
		case raw[at+3]|0x20 >= 'c' || !isSurrogate(raw[at+6:]) || raw[at+9]|0x20 < 'c':
			return at // a second half, or a first one without the second
		default:
			at += 12
		}
	}
}

// isSurrogate reports whether an escape of UTF-16 for one half of a character
// stands at the beginning of s. The text is valid JSON.
func isSurrogate(s []byte) bool {
	return len(s) >= 6 && s[0] == '\\' && s[1] == 'u' && s[2]|0x20 == 'd' && s[3] >= '8'
}
