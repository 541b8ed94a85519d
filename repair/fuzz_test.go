package repair_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"boltmend/internal/hostile"
	"boltmend/repair"

	"golang.org/x/tools/txtar"
)

// optionsOf makes every combination of options that steer the repair, one for
// each n below 24, and behind them each once more with some of those about
// what is no fault of pairing.
func optionsOf(n uint8) repair.Options {
	o := repair.Options{
		OnMissing: []repair.OnMissing{"", repair.DropTurn}[n&1],
		KeepTail:  n&2 != 0,
		KeepOrder: n&4 != 0,
		Marker:    []string{"", "en", "[arrêté]"}[n/8%3],
	}
	o.Target = []repair.Provider{
		"", "", repair.ToAnthropic, repair.ToMistral, repair.ToOpenAI, repair.ToOpenAIResponses,
		repair.ToBedrock, repair.ToDeepSeek, repair.ToGemini, repair.ToMiniMax, repair.ToLlamaCpp,
	}[n/24]
	if n/24%2 == 1 {
		o.Fix = repair.Fixable()
	}
	return o
}

// optionCount is how many combinations there are.
const optionCount = 250

// one checks the laws on one history of the generator.
func one(t *testing.T, seed uint64, dialect string, options uint8) {
	t.Helper()
	g := hostile.New(seed, dialect)
	src := g.Hostile()
	if seed%4 == 0 {
		src = g.Healthy()
	}
	opts := optionsOf(options)
	err := try(dialect, opts, src, laws)
	if err == nil {
		return
	}
	src, err = shrink(dialect, opts, src, err)
	t.Fatalf("seed %d, dialect %s, options %d %+v\ninput, shrunk\n%s\n%v", seed, dialect, options, opts, src, err)
}

// shrink leaves out elements as long as some law stays broken.
func shrink(dialect string, opts repair.Options, src []byte, err error) ([]byte, error) {
	list := elements(src)
	for i := len(list) - 1; i >= 0; i-- {
		less := slices.Delete(slices.Clone(list), i, i+1)
		text := array(less)
		if e := try(dialect, opts, text, laws); e != nil {
			list, src, err = less, text, e
		}
	}
	return src, err
}

var lawSeeds = flag.Uint64("laws", 500, "how many histories of each dialect TestLaws makes")

func TestLaws(t *testing.T) {
	n := *lawSeeds
	if testing.Short() {
		n = 300
	}
	for _, dialect := range hostile.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			for seed := range n {
				one(t, seed, dialect, 0)
				one(t, seed, dialect, uint8(seed*7%optionCount))
			}
		})
	}
}

var fuzzDialect = flag.String("dialect", "", "the only dialect that FuzzHistory makes histories of")

func FuzzHistory(f *testing.F) {
	all := hostile.Dialects()
	if *fuzzDialect != "" {
		if !slices.Contains(all, *fuzzDialect) {
			f.Fatalf("no dialect %q", *fuzzDialect)
		}
		all = []string{*fuzzDialect}
	}
	for i := range all {
		f.Add(uint64(1), uint8(i), uint8(0))
	}
	f.Fuzz(func(t *testing.T, seed uint64, dialect, options uint8) {
		one(t, seed, all[int(dialect)%len(all)], options)
	})
}

// FuzzBytes takes any text, as any dialect. What is no history is an error;
// what is one keeps the laws that ask for no more than JSON.
func FuzzBytes(f *testing.F) {
	for _, src := range seeds(f) {
		f.Add(src)
	}
	f.Add([]byte("[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"\x83\"}]}]")) // no UTF-8
	some := []law{{"valid", validOutput}, {"idempotent", idempotent}, {"no change without a finding", changedByFinding}}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, dialect := range append(repair.Dialects(), "") {
			if _, err := repair.History(src, repair.Options{Dialect: dialect}); err != nil {
				continue
			}
			if err := try(string(dialect), repair.Options{}, src, some); err != nil {
				t.Fatalf("dialect %q\n%s\n%v", dialect, src, err)
			}
		}
	})
}

// seeds returns the histories of the cases and some of the generator's.
func seeds(f *testing.F) [][]byte {
	var all [][]byte
	paths, err := filepath.Glob("../testdata/repair/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, a.Files[0].Data)
	}
	for seed := range uint64(20) {
		for _, dialect := range hostile.Dialects() {
			all = append(all, hostile.New(seed, dialect).Hostile())
		}
	}
	return all
}

// TestHealthySamples wants real conversations byte for byte as they are.
func TestHealthySamples(t *testing.T) {
	paths, err := filepath.Glob("../testdata/repair/*/healthy_*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if untouched(t, path, src) == 0 {
			t.Errorf("%s: no calls", path)
		}
	}
}

var collection = flag.String("collection", "", "a JSON file of objects with a traj, which is a sound history each")

// TestHealthyCollection is the same for a collection of conversations that is
// too large for this repository.
func TestHealthyCollection(t *testing.T) {
	path := *collection
	if path == "" {
		t.Skip("no -collection")
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tasks []struct{ Traj json.RawMessage }
	if err := json.Unmarshal(src, &tasks); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for i, task := range tasks {
		calls += untouched(t, path+" "+strconv.Itoa(i), task.Traj)
	}
	t.Logf("%d conversations with %d calls", len(tasks), calls)
	if calls == 0 {
		t.Error("no calls")
	}
}

// untouched returns how many calls there are in the history.
func untouched(t *testing.T, name string, src []byte) int {
	t.Helper()
	r, err := repair.History(src, repair.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.Equal(r.JSON, src) || len(r.Findings) > 0 {
		t.Errorf("%s: findings %v", name, r.Findings)
	}
	if r.Calls > 0 && r.Dialect != repair.OpenAIChat {
		t.Errorf("%s: taken for %q", name, r.Dialect)
	}
	return r.Calls
}
