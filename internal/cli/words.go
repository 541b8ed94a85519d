package cli

import (
	"slices"
	"strconv"
	"strings"

	"boltmend/migrate"
	"boltmend/repair"
)

// idsShown is how many ids of one kind of fault a line names.
const idsShown = 3

// phrases says findings in words, those of one code together, in the order in
// which the codes first occur: `2 calls without a result (call_a, call_b); 1
// result without a call (call_c)`.
func phrases(findings []migrate.Finding) string {
	var order []string
	ids := map[string][]string{}
	for _, f := range findings {
		if !slices.Contains(order, f.Code) {
			order = append(order, f.Code)
		}
		id := f.ID
		if id == "" {
			id = f.Name // better than nothing to find it by
		}
		ids[f.Code] = append(ids[f.Code], id)
	}
	var parts []string
	for _, code := range order {
		parts = append(parts, repair.Code(code).Phrase(len(ids[code]))+named(ids[code]))
	}
	return strings.Join(parts, "; ")
}

// named lists the first few ids, between parentheses.
func named(ids []string) string {
	var known []string
	for _, id := range ids {
		if id != "" {
			known = append(known, id)
		}
	}
	if len(known) == 0 {
		return ""
	}
	list := strings.Join(known[:min(idsShown, len(known))], ", ")
	if more := len(known) - idsShown; more > 0 {
		list += " and " + number(more) + " more"
	}
	return " (" + list + ")"
}

// count says n of a thing: "1 conversation", "1,234 conversations".
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + one + "s"
}

// number writes n with commas.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// isPoison reports whether a finding makes a history poisoned, or would for
// the provider that was asked about; the others are lint.
func isPoison(f migrate.Finding) bool {
	return f.Group != "lint"
}

// wrap breaks text into lines of at most width bytes, at spaces.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
