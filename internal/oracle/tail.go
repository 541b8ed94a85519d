package oracle

import "slices"

// withoutCalls leaves out the last turn and its results, where results may
// stand anywhere behind their call: those of earlier turns stay. Turns with
// nothing between them are one exchange.
func (d dialect) withoutCalls(ms []message, last int) []message {
	first := last
	for first > 0 && d.turn(ms[first-1]) {
		first--
	}
	kept := slices.Clone(ms[:first])
	for _, m := range ms[last+1:] {
		for _, turn := range ms[first : last+1] {
			m = d.behind(turn, m)
		}
		kept = append(kept, m)
	}
	return kept
}
