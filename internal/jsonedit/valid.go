package jsonedit

// Valid reports whether src is JSON: a [*SyntaxError] or [ErrDepth] if not. It accepts what
// encoding/json.Valid accepts, at any length, and allocates nothing unless it fails.
func Valid(src []byte) error {
	var open [2]uint64
	if err := valid(src, open[:]); err != ErrDepth {
		return err
	}
	return validDeep(src)
}

// validDeep is Valid for a text that is deep, and apart from it since the room for all levels has to be
// cleared at each call: that takes as long as a text of some hundred bytes.
func validDeep(src []byte) error {
	var open [MaxDepth/64 + 1]uint64
	return valid(src, open[:])
}

// valid is the state machine of [Parser.index] without the index; a test holds the two against each other.
// open has a bit for each open container, set if it is an object.
func valid(s []byte, open []uint64) error {
	var (
		limit = min(MaxDepth, 64*len(open)-1)
		inObj bool
		depth int
		i, at int
	)
value: // a value, perhaps behind white space
	if i = skipSpace(s, i); i >= len(s) {
		return unexpected(s, i, asValue)
	}
	at = i
	switch s[i] {
	case '"':
		if i, _ = skipString(s, i+1); i < 0 {
			return unexpected(s, ^i, inString)
		}
	case '{', '[':
		if depth++; depth > limit {
			return ErrDepth
		}
		open[depth/64] &^= 1 << (depth % 64)
		if inObj = s[i] == '{'; inObj {
			open[depth/64] |= 1 << (depth % 64)
		}
		if i = skipSpace(s, i+1); i < len(s) && s[i] == s[at]+2 {
			goto closing
		}
		if inObj {
			goto key
		}
		goto value
	default:
		if i, _ = skipSimple(s, i); i < 0 {
			return notSimple(s, at)
		}
	}

after: // whatever may follow a value
	i = skipSpace(s, i)
	switch {
	case depth == 0:
		if i < len(s) {
			return unexpected(s, i, atEnd)
		}
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

closing: // the closing bracket of the innermost container
	i++
	depth--
	inObj = open[depth/64]>>(depth%64)&1 != 0
	goto after

key: // a key and its colon, perhaps behind white space
	if i = skipSpace(s, i); i >= len(s) || s[i] != '"' {
		return unexpected(s, i, asKey)
	}
	if i, _ = skipString(s, i+1); i < 0 {
		return unexpected(s, ^i, inString)
	}
	if i = skipSpace(s, i); i >= len(s) || s[i] != ':' {
		return unexpected(s, i, asColon)
	}
	i++
	goto value
}
