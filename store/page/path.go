package page

import "strings"

// A path is a bucket's names from the top level down; nil is the top level.
type path struct {
	parent *path
	name   []byte
}

// maxPath bounds a path in a report: a damaged file can nest without end.
const maxPath = 128 << 10

// String returns the path as in a ref. A path that is too long loses its
// outer names to an ellipsis, which no encoded name contains.
func (p *path) String() string {
	if p == nil {
		return ""
	}
	var names []string
	for n := 0; p != nil; p = p.parent {
		name := encode(p.name)
		if n += len(name) + 1; n > maxPath && len(names) > 0 {
			names = append(names, "…")
			break
		}
		names = append(names, name)
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return strings.Join(names, "/")
}

// encode percent-encodes a name or key so that it is one word for a shell:
// letters, digits, ".", "_", ":", "-" and a "~" that does not lead are bare.
func encode(name []byte) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i, ch := range name {
		switch {
		case 'a' <= ch && ch <= 'z', 'A' <= ch && ch <= 'Z', '0' <= ch && ch <= '9',
			ch == '.', ch == '_', ch == ':', ch == '-', ch == '~' && i > 0:
			b.WriteByte(ch)
		default:
			b.Write([]byte{'%', hex[ch>>4], hex[ch&15]})
		}
	}
	return b.String()
}
