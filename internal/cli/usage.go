package cli

import (
	"fmt"
	"strings"
)

// A usageError is a command line that cannot be meant. It is one line that
// says what to do instead.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, args ...any) error {
	return usageError(fmt.Sprintf(format, args...))
}

// didYouMean returns a hint at the candidate nearest to word, or "" if none
// is near.
func didYouMean(word string, candidates []string) string {
	if c := nearest(word, candidates); c != "" {
		return ": did you mean " + c + "?"
	}
	return ""
}

// nearest returns the candidate that is the fewest edits away from word, the
// first of several, or "" if that is more than half of it or more than two
// and a third of word.
func nearest(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		d := distance(strings.ToLower(word), c)
		if d < least && 2*d <= len(strings.Trim(c, "-")) {
			best, least = c, d
		}
	}
	return best
}

// distance counts the bytes to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
