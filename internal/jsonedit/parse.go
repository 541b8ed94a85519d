package jsonedit

// node is one value or key. While a container is open, next holds the Ref of the container around it, so
// that the nodes are their own stack.
type node struct {
	start, end uint32
	next       uint32 // the node behind the subtree
	kind       Kind
	escaped    bool
}

const (
	noParent = 1<<32 - 1

	// keepNodes is what a Parser keeps for good (16 MiB). More is let go at the next text that cannot need it.
	// An index that outgrows it is counted before it is made: doubling would take half as much again.
	keepNodes = 1 << 20

	// largeNodes is from where on an index is large (64 MiB).
	largeNodes = 4 << 20
)

// A Parser parses one text after another in the same memory. Its zero value is ready.
type Parser struct {
	// Large, if set, is called before the index takes more than 64 MiB. Whoever has several Parsers can wait in
	// it until the others have been released.
	Large func()

	doc   Doc
	limit int // instead of MaxNodes, in tests
}

// Release lets go of a large index. The Doc parsed last is not valid any more.
func (p *Parser) Release() {
	p.doc.src = nil
	if p.doc.nodes = p.doc.nodes[:0]; cap(p.doc.nodes) > keepNodes {
		p.doc.nodes = nil
	}
}

// Parse checks src and returns an index of it, which refers to src and is valid until the next Parse of the
// same Parser. The error is a [*SyntaxError], [ErrDepth], [ErrTooLarge] or [ErrTooMany].
func (p *Parser) Parse(src []byte) (*Doc, error) {
	p.doc.src = nil
	if len(src) > maxSize {
		return nil, ErrTooLarge
	}
	// No node is shorter than a byte, and a byte stands between two.
	if cap(p.doc.nodes) > keepNodes && len(src)/2 < keepNodes {
		p.doc.nodes = nil
	}
	if p.limit == 0 {
		p.limit = MaxNodes
	}
	if err := p.index(src); err != nil {
		p.doc.nodes = p.doc.nodes[:0]
		return nil, err
	}
	p.doc.src = src
	return &p.doc, nil
}

// Parse is [Parser.Parse] with a Parser of its own: the Doc stays valid.
func Parse(src []byte) (*Doc, error) {
	return new(Parser).Parse(src)
}

// grow makes room for the node of what begins at s[i], or reports that there is none. The first room is guessed
// from the size of the text: about what chats need.
func (p *Parser) grow(nodes []node, s []byte, i int) []node {
	size := max(2*cap(nodes), len(s)/64, 64)
	if size > keepNodes {
		if size = len(nodes) + max(countNodes(s[i:]), 1); size > p.limit {
			return nil
		}
		if size > largeNodes && p.Large != nil {
			p.Large()
		}
	}
	if len(nodes) >= p.limit {
		return nil
	}
	more := make([]node, len(nodes), min(size, p.limit))
	copy(more, nodes)
	p.doc.nodes = more // kept even if the text turns out to be bad
	return more
}

// countNodes counts the nodes of a text that begins between two of them. Where the text is wrong, it ends.
func countNodes(s []byte) int {
	n := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '"':
			if i, _ = skipString(s, i+1); i < 0 {
				return n + 1
			}
			n++
		case c == '{' || c == '[':
			n++
			i++
		case c <= ' ' || c == ',' || c == ':' || c == '}' || c == ']':
			i++
		default:
			if i, _ = skipSimple(s, i); i < 0 {
				return n + 1
			}
			n++
		}
	}
	return n
}

// index is the one pass over the text that checks and records. It is the hot loop of the program and a
// state machine: at each label the comment says what may stand at i.
func (p *Parser) index(s []byte) error {
	var (
		nodes = p.doc.nodes[:0]
		top   = uint32(noParent) // the innermost open container
		inObj bool               // it is an object
		depth int
		i, n  int
		end   int
		esc   escapes
		seen  escapes
		kind  Kind
	)
value: // a value, perhaps behind white space
	if i < len(s) && s[i] <= ' ' {
		i = skipSpace(s, i)
	}
	if i >= len(s) {
		return unexpected(s, i, asValue)
	}
	if n = len(nodes); n == cap(nodes) {
		if nodes = p.grow(nodes, s, i); nodes == nil {
			return p.tooMany(s)
		}
	}
	nodes = nodes[:n+1]
	switch s[i] {
	case '"':
		if end, esc = skipString(s, i+1); end < 0 {
			return unexpected(s, ^end, inString)
		}
		nodes[n] = node{uint32(i), uint32(end), uint32(n + 1), String, esc != 0}
		seen |= esc
		i = end
	case '{', '[':
		if depth++; depth > MaxDepth {
			return ErrDepth
		}
		inObj, kind = s[i] == '{', Array
		if inObj {
			kind = Object
		}
		nodes[n] = node{start: uint32(i), next: top, kind: kind}
		top = uint32(n)
		if i = skipSpace(s, i+1); i < len(s) && s[i] == s[nodes[n].start]+2 {
			goto closing
		}
		if inObj {
			goto key
		}
		goto value
	default:
		if end, kind = skipSimple(s, i); end < 0 {
			return notSimple(s, i)
		}
		nodes[n] = node{uint32(i), uint32(end), uint32(n + 1), kind, false}
		i = end
	}

after: // whatever may follow a value
	if i < len(s) && s[i] <= ' ' {
		i = skipSpace(s, i)
	}
	switch {
	case depth == 0:
		if i < len(s) {
			return unexpected(s, i, atEnd)
		}
		p.doc.nodes, p.doc.seen = nodes, seen
		return nil
	case i >= len(s):
		return unexpected(s, i, "")
	case s[i] == ',':
		i++
		if inObj {
			goto key
		}
		goto value
	case inObj && s[i] != '}':
		return unexpected(s, i, afterValue)
	case !inObj && s[i] != ']':
		return unexpected(s, i, afterElem)
	}

closing: // the closing bracket of top
	i++
	depth--
	n = int(top)
	top = nodes[n].next
	nodes[n].end, nodes[n].next = uint32(i), uint32(len(nodes))
	inObj = top != noParent && nodes[top].kind == Object
	goto after

key: // a key and its colon, perhaps behind white space
	if i < len(s) && s[i] <= ' ' {
		i = skipSpace(s, i)
	}
	if i >= len(s) || s[i] != '"' {
		return unexpected(s, i, asKey)
	}
	if end, esc = skipString(s, i+1); end < 0 {
		return unexpected(s, ^end, inString)
	}
	if n = len(nodes); n == cap(nodes) {
		if nodes = p.grow(nodes, s, i); nodes == nil {
			return p.tooMany(s)
		}
	}
	nodes = nodes[:n+1]
	nodes[n] = node{uint32(i), uint32(end), uint32(n + 1), String, esc != 0}
	seen |= esc
	if i = end; i < len(s) && s[i] <= ' ' {
		i = skipSpace(s, i)
	}
	if i >= len(s) || s[i] != ':' {
		return unexpected(s, i, asColon)
	}
	i++
	goto value
}

// tooMany is the error for a text with more nodes than the index may have, once the rest is checked too.
func (p *Parser) tooMany(s []byte) error {
	p.doc.nodes = nil
	if err := Valid(s); err != nil {
		return err
	}
	return ErrTooMany
}
