package repair

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// Names of tools that a provider refuses: those that the model made up with
// markup in them, and those that were never stored.
//
// Source: Bedrock, the pattern of toolUse.name (docker-agent issue 3974);
// OpenAI, "Invalid 'input[n].name': empty string" and a pattern of 64 letters,
// digits, "_" and "-", as at Anthropic (128); read 2026-11-30.

// nameRule returns what names have to be: for the target, or where there is
// none for the provider whose dialect it is. Where that is not one provider
// alone, any spelling is taken that some provider takes.
func (v *review) nameRule() nameRule {
	if v.to != nil {
		if v.to.names.chars == nil {
			return anyName
		}
		return v.to.names
	}
	switch v.dialect {
	case Anthropic:
		return nameRule{isWord, 128}
	case BedrockConverse, OpenAIResponses:
		return nameRule{isWord, 64}
	case Gemini, ADK:
		return nameRule{isGeminiName, 64}
	}
	return anyName
}

// anyName takes what some provider takes.
var anyName = nameRule{isNameSomewhere, 128}

// takes reports whether a name is taken.
func (r nameRule) takes(name []byte) bool {
	for _, c := range name {
		if !r.chars(c) {
			return false
		}
	}
	return 0 < len(name) && len(name) <= r.max
}

// toolName looks at the name of the tool that a call is of.
func (v *review) toolName(i int32) {
	c := &v.t.calls[i]
	if c.aside || v.names.takes(c.name) || c.kind != 0 && c.kind != 'c' {
		return
	}
	var name string
	if v.may(ToolName, c.message) {
		switch {
		case c.left:
		case v.isSigned(v.rd.sources[c.message].node):
			v.because(signedReason)
		default:
			name = v.renameTool(i)
		}
	}
	v.find(ToolName, c.message, v.callID(i), string(c.name), name != "")
}

const signedReason = "its turn is signed, or its reasoning encrypted"

// renameTool gives a call, and its results, a name that is taken, and returns
// it: what stands before the markup, or where there is no name that of its
// result or one that stands beside. It returns "" if there is none, or if the
// name would be another tool's.
func (v *review) renameTool(i int32) string {
	src := &v.rd.calls[i]
	node := v.nameNode(src)
	if node == jsonedit.None {
		return ""
	}
	v.judge.plan()
	c := &v.t.calls[i]
	old := c.name
	if len(bytes.TrimSpace(old)) == 0 {
		old = v.nameBeside(i, src)
	}
	name, spelled := v.names.cut(old)
	if name == "" || spelled && v.isOthers(name, old) {
		return ""
	}
	v.remove("name", ToolName, c.message, v.callID(i), node)
	v.edit.Replace(node, jsonedit.Quote(name))
	for r := range v.t.results {
		res, from := &v.t.results[r], &v.rd.results[r]
		if res.owner == i && from.name != jsonedit.None && !bytes.Equal(res.name, []byte(name)) {
			v.remove("name", ToolName, res.message, res.id, from.name)
			v.edit.Replace(from.name, jsonedit.Quote(name))
		}
	}
	return name
}

// cut makes a name that is taken of one that is not: it is cut off where markup
// begins, and marks that some provider takes become "_", which spelled says. It
// is "" if nothing is left, too much, or any other character that is refused: a
// name cut short there would be made up.
func (r nameRule) cut(name []byte) (taken string, spelled bool) {
	cut := make([]byte, 0, len(name))
	for _, c := range name {
		if !r.chars(c) {
			if isMarkup(c) {
				break
			}
			if !isNameSomewhere(c) || c >= 0x80 {
				return "", false
			}
			c, spelled = '_', true
		}
		cut = append(cut, c)
	}
	if !r.takes(cut) {
		return "", false
	}
	return string(cut), spelled
}

// isMarkup reports whether a byte begins what no name of a tool has: an
// attribute, a tag, arguments, or space.
func isMarkup(c byte) bool {
	return c <= ' ' || bytes.IndexByte([]byte("\"'`<>=|(){}[],\\"), c) >= 0
}

// isOthers reports whether a name that is spelled in another way would be
// that of a tool that the history has another name for.
func (v *review) isOthers(name string, old []byte) bool {
	if v.tools == nil {
		v.tools = make(map[string]string)
		for i := range v.t.calls {
			was := string(v.t.calls[i].name)
			is, spelled := was, false
			if !v.names.takes([]byte(was)) {
				is, spelled = v.names.cut([]byte(was))
			}
			if !spelled {
				was = is // a name cut off is the tool's own
			}
			if other, found := v.tools[is]; found && other != was {
				was = "" // two tools
			}
			v.tools[is] = was
		}
	}
	owner, found := v.tools[name]
	return found && owner != string(old)
}

// nameNode returns where a call has its name.
func (v *review) nameNode(src *callSource) jsonedit.Ref {
	var m members
	for _, obj := range [...]jsonedit.Ref{src.holder, src.node} {
		m.collect(v.rd.doc, obj)
		for _, inner := range [...]jsonedit.Ref{m[mFunction], m[mCustom]} {
			if v.rd.doc.Kind(inner) == jsonedit.Object {
				m.collect(v.rd.doc, inner)
				break
			}
		}
		for _, name := range [...]jsonedit.Ref{m[mName], m[mToolName], m[mToolID]} {
			if v.rd.doc.Kind(name) == jsonedit.String {
				return name
			}
		}
	}
	return jsonedit.None
}

// nameBeside returns the name that a call without one has elsewhere: beside
// its function, or in its result.
func (v *review) nameBeside(i int32, src *callSource) []byte {
	var m members
	m.collect(v.rd.doc, src.node)
	for _, beside := range [...]jsonedit.Ref{m[mName], m[mToolName]} {
		if name := text(v.rd.doc, beside); len(bytes.TrimSpace(name)) > 0 {
			return name
		}
	}
	if r := v.t.calls[i].result; r != none {
		return v.t.results[r].name
	}
	return nil
}

// isSigned reports whether something of a message is signed by the provider or
// encrypted, so that it has to come back as it was.
func (v *review) isSigned(node jsonedit.Ref) bool {
	d := v.rd.doc
	for r, end := node+1, d.End(node); r+1 < end; r++ {
		if d.Kind(r) != jsonedit.String || v.rd.isNothing(r+1) {
			continue
		}
		switch fold(d.Text(r)) {
		case "signature", "thoughtsignature", "thinkingsignature", "textsignature", "encryptedcontent":
			if d.Kind(r+1) == jsonedit.String {
				return true
			}
		}
	}
	return false
}
