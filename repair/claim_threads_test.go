package repair

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// someThread makes a short thread of turns, texts and results, and tells it.
func someThread(r *rand.Rand, rules rules) (*thread, string) {
	t := &thread{rules: rules}
	var told strings.Builder
	ids := [][]byte{[]byte("x"), []byte("x"), []byte("x"), []byte("x"), []byte("y"), nil}[:4+r.IntN(3)]
	id := func() []byte { return ids[r.IntN(len(ids))] }
	for range 2 + r.IntN(20) {
		switch n := r.IntN(9); {
		case n < 3:
			t.addMessage(message{role: roleAssistant, content: true})
			told.WriteString(" [")
			for range 1 + r.IntN(5)/3 {
				c := call{id: id(), name: []byte{'f' + byte(r.IntN(2))}}
				t.addCall(c)
				fmt.Fprintf(&told, "call %s %s;", c.id, c.name)
			}
			told.WriteString("]")
		case n < 5:
			role := []role{roleUser, roleAssistant}[n-3]
			t.addMessage(message{role: role, content: true})
			told.WriteString([]string{" user", " text"}[n-3])
		default:
			t.addMessage(message{role: roleTool})
			res := result{id: id(), name: []byte{'f' + byte(r.IntN(2))}, rank: rankMarker + rank(r.IntN(4))}
			t.addResult(res)
			fmt.Fprintf(&told, " result %s %s rank %d", res.id, res.name, res.rank)
		}
	}
	return t, told.String()
}

func TestClaimsAreAsTheRuleIsWritten(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 5000
	}
	for _, rules := range []rules{{}, {set: true, uniqueIDs: true}} {
		for seed := range uint64(n) {
			th, told := someThread(rand.New(rand.NewPCG(seed, 0)), rules)
			b := ruleBook{t: th, got: map[int][]int{}, owner: map[int]int{}, drop: map[int]Code{}, turns: map[int][]int32{}}
			want := b.decide()
			var p planner
			p.plan(th, &Options{})
			for i := range th.results {
				r := &th.results[i]
				if got := verdictOf(int(r.owner), r.owner != none, r.drop); got != want[i] {
					t.Fatalf("set %v seed %d, result %d: %q, by the rule %q\n%s", rules.set, seed, i, got, want[i], told)
				}
			}
		}
	}
}
