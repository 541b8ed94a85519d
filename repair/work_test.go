package repair

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"boltmend/internal/hostile"
	"boltmend/internal/jsonedit"
)

// judgeOnce judges a history and returns the judge, which knows the work done.
func judgeOnce(t testing.TB, src []byte, opts Options, thorough bool) (*Judge, Result) {
	t.Helper()
	doc, err := jsonedit.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	j := &Judge{thorough: thorough}
	res, err := j.History(doc, 0, &opts)
	if err != nil && err != ErrNotHistory {
		t.Fatal(err)
	}
	return j, res
}

// The quick look says "sound" only of what the planner finds nothing in.
func TestSoundIsSound(t *testing.T) {
	for _, name := range hostile.Dialects() {
		if Dialect(name) == AISDKUI {
			continue // judged part by part, without a planner
		}
		quick := 0
		for seed := range uint64(400) {
			g := hostile.New(seed, name)
			src := g.Hostile()
			if seed%3 == 0 {
				src = g.Healthy()
			}
			j, res := judgeOnce(t, src, Options{}, false)
			if j.planner.t != nil || res.Dialect == "" {
				continue // the planner had to look
			}
			quick++
			_, whole := judgeOnce(t, src, Options{}, true)
			if slices.ContainsFunc(whole.Findings, func(f Finding) bool { return f.Group() != Lint }) {
				t.Fatalf("%s seed %d: the quick look finds nothing, the planner %v\n%s", name, seed, whole.Findings, src)
			}
		}
		if quick < 12 {
			t.Errorf("%s: only %d histories were seen to be sound quickly", name, quick)
		}
	}
}

// Work is linear in messages, calls and results: ten times the history is ten
// times the work, also for the shapes that would be quadratic if anything was.
func TestWorkIsLinear(t *testing.T) {
	for name, shape := range map[string]func(n int) []any{
		"one id, never answered": func(n int) (h []any) {
			for range n {
				h = append(h, asks("x"), says())
			}
			return h
		},
		"one id, all late": func(n int) (h []any) {
			for range n {
				h = append(h, asks("x"), says())
			}
			for range n / 2 {
				h = append(h, answer("x"), says())
			}
			return h
		},
		"one turn, one id": func(n int) []any {
			ids := make([]string, n)
			for i := range ids {
				ids[i] = "x"
			}
			h := []any{asks(ids...), says()}
			for range n / 2 {
				h = append(h, answer("x"), says(), asks("x"), answer("x"))
			}
			return h
		},
		"orphans": func(n int) (h []any) {
			for i := range n {
				h = append(h, answer(fmt.Sprint(i)))
			}
			return h
		},
		"no ids": func(n int) (h []any) {
			for range n {
				h = append(h, asks("", ""), answer(""), says())
			}
			return h
		},
		"back to back": func(n int) (h []any) {
			for i := range n {
				h = append(h, asks(fmt.Sprint(i)))
			}
			for i := range n {
				h = append(h, answer(fmt.Sprint(i)))
			}
			return h
		},
	} {
		for _, opts := range []Options{{}, {OnMissing: DropTurn}, {KeepTail: true}} {
			small, large := workOf(t, shape(300), opts), workOf(t, shape(3000), opts)
			if large > 13*small {
				t.Errorf("%s %+v: %d steps for 300, %d for 3000", name, opts, small, large)
			}
		}
	}
}

func workOf(t *testing.T, h []any, opts Options) int {
	t.Helper()
	src, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	j, _ := judgeOnce(t, src, opts, false)
	if j.planner.work == 0 {
		t.Fatal("no work was counted")
	}
	return j.planner.work
}

type object map[string]any

func says() object { return object{"role": "user", "content": "q"} }

func answer(id string) object {
	return object{"role": "tool", "tool_call_id": id, "content": "r"}
}

func asks(ids ...string) object {
	var list []any
	for _, id := range ids {
		list = append(list, object{"id": id, "type": "function", "function": object{"name": "f", "arguments": "{}"}})
	}
	return object{"role": "assistant", "tool_calls": list}
}

func TestCut(t *testing.T) {
	system := object{"role": "system", "content": "s"}
	h := []any{system, says(), asks("a"), answer("a"), object{"role": "assistant", "content": "t"}, says(), asks("b", "c"), answer("b"), answer("c")}
	src, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][]int{
		0: {0, 6, 7, 8}, 1: {0, 6, 7, 8}, 3: {0, 6, 7, 8}, 4: {0, 5, 6, 7, 8}, 5: {0, 4, 5, 6, 7, 8},
		6: {0, 4, 5, 6, 7, 8}, 7: {0, 2, 3, 4, 5, 6, 7, 8}, 8: {0, 1, 2, 3, 4, 5, 6, 7, 8}, 99: {0, 1, 2, 3, 4, 5, 6, 7, 8},
	} {
		got, err := Cut(src, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var kept []any
		for _, i := range want {
			kept = append(kept, h[i])
		}
		if w, _ := json.Marshal(kept); !bytes.Equal(got, w) {
			t.Errorf("cut to %d:\n got %s\nwant %s", n, got, w)
		}
	}
	if _, err := Cut([]byte(`[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"q"}]`), 1, Options{}); err != ErrPoisoned {
		t.Errorf("a poisoned history: %v", err)
	}
}
