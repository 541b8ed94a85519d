package jsonedit

import "math/rand/v2"

// Pieces for random documents: each is valid where it stands.
var (
	spaces  = []string{"", "", "", "", " ", "\n", "\r\n", "\t", "\n  ", "\r\n    ", "          "}
	scalars = []string{"0", "-0", "1", "-12.50", "1e999", "1E-7", "9007199254740993", "true", "false", "null", "123456789012345678901234567890"}
	chars   = []string{"a", "role", "tool_call", " ", "é", "€", "😀", "\ufffd", "\u2028", "\x7f", "\xff", "\xc3", "\xed\xa0\x80", `\n`, `\"`, `\\`, `\/`,
		`\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud800`, `\udc00`, `\u0000`, `\uFFFD`, "plain text that fills more than one word", "<>&"}
	hurts = []string{"\x00", "\x1f", "\n", "\"", "\\", "\\u", "\\ud8", "\\x", "{", "}", "[", "]", ",", ":", ",,", "0", "-", ".", "e", "+", "tru", "nul",
		"\ufeff", "//", "'", "\x80", " ", "\v", "01"}
)

func pick(r *rand.Rand, s []string) string { return s[r.IntN(len(s))] }

// random appends a random document with up to depth levels of containers.
func random(r *rand.Rand, dst []byte, depth int) []byte {
	dst = append(dst, pick(r, spaces)...)
	switch k := r.IntN(8); {
	case k < 4 && depth > 0:
		open, n := "[{"[k%2], r.IntN(5)
		dst = append(dst, open)
		for i := range n {
			if i > 0 {
				dst = append(append(dst, pick(r, spaces)...), ',')
			}
			if open == '{' {
				dst = randomString(r, append(dst, pick(r, spaces)...))
				dst = append(append(dst, pick(r, spaces)...), ':')
			}
			dst = random(r, dst, depth-1)
		}
		dst = append(append(dst, pick(r, spaces)...), open+2)
	case k < 6:
		dst = randomString(r, dst)
	default:
		dst = append(dst, pick(r, scalars)...)
	}
	return append(dst, pick(r, spaces)...)
}

func randomString(r *rand.Rand, dst []byte) []byte {
	dst = append(dst, '"')
	for range r.IntN(5) {
		dst = append(dst, pick(r, chars)...)
	}
	return append(dst, '"')
}

// mutate damages doc in one to three places, or may; some of it comes from another document.
func mutate(r *rand.Rand, doc, other []byte) []byte {
	for range 1 + r.IntN(3) {
		at := r.IntN(len(doc) + 1)
		end := at + min(r.IntN(4), len(doc)-at)
		var piece []byte
		switch r.IntN(6) {
		case 0: // cut off
			return doc[:at]
		case 1:
			piece = []byte(pick(r, hurts))
		case 2:
			piece = []byte(pick(r, chars))
		case 3:
			piece = []byte{byte(r.IntN(256))}
		case 4:
			if from := r.IntN(len(other) + 1); len(other) > 0 {
				piece = other[from:min(len(other), from+r.IntN(12))]
			}
		case 5: // nothing taken away, so that white space goes where it may
			piece, end = []byte(pick(r, spaces)), at
		}
		doc = append(doc[:at:at], append(append([]byte{}, piece...), doc[end:]...)...)
	}
	return doc
}
