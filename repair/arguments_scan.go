package repair

import "bytes"

// plainArguments reports whether a string as it is stored, between its
// quotes, is surely JSON when it is decoded: a flat object of strings, integers
// and literals. That is what nearly all arguments are, and it is seen without
// decoding them. False says nothing.
func plainArguments(s []byte) bool {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return false
	}
	if len(s) == 2 {
		return true
	}
	// One flat object: "key": value, ... with values that are strings,
	// literals or plain integers.
	for i := 1; ; {
		var ok bool
		if i, ok = escapedString(s, i); !ok || i >= len(s) || s[i] != ':' {
			return false
		}
		if i, ok = plainValue(s, i+1); !ok || i >= len(s) {
			return false
		}
		switch {
		case s[i] == '}':
			return i == len(s)-1
		case s[i] != ',':
			return false
		}
		i++
	}
}

// escapedString skips a string whose quotes are escaped, and the space before
// it. Escapes of its own have their backslashes escaped once more.
func escapedString(s []byte, i int) (int, bool) {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i+1 >= len(s) || s[i] != '\\' || s[i+1] != '"' {
		return i, false
	}
	for i += 2; ; i++ {
		n := bytes.IndexByte(s[i:], '\\')
		if n < 0 || i+n+1 >= len(s) {
			return i, false
		}
		i += n
		switch {
		case s[i+1] == '"':
			return i + 2, true
		case s[i+1] != '\\' || i+3 >= len(s):
			return i, false
		}
		switch s[i+2] {
		case 'n', 't', 'r', 'b', 'f', '/':
			i += 2
		case '\\': // an escaped quote or backslash
			if s[i+3] != '"' && s[i+3] != '\\' {
				return i, false
			}
			i += 3
		default:
			return i, false
		}
	}
}

// plainValue skips an escaped string, a literal or an integer without a
// leading zero, and the space before it.
func plainValue(s []byte, i int) (int, bool) {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i < len(s) && s[i] == '\\' {
		return escapedString(s, i)
	}
	start := i
	for i < len(s) && ('0' <= s[i] && s[i] <= '9' || 'a' <= s[i] && s[i] <= 'z') {
		i++
	}
	word := s[start:i]
	switch string(word) {
	case "true", "false", "null", "0":
		return i, true
	case "":
		return i, false
	}
	for _, c := range word {
		if c > '9' {
			return i, false
		}
	}
	return i, word[0] != '0'
}
