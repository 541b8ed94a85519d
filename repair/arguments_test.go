package repair

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

// What plainArguments calls JSON has to be JSON.
func TestPlainArgumentsAreJSON(t *testing.T) {
	pieces := []string{`{`, `}`, `[`, `]`, `"`, `:`, `,`, ` `, `\`, `a`, `key`, `0`, `7`, `12`, `01`, `-1`, `1.5`, `true`, `null`, `nul`, `é`, "\n", `{"a":"b"}`, `"a":"b"`, `"n":3`, `\n`, `\"`, `\u0041`, `\\`, `"a":"\nb"`, `"a":"\\"`, `"a":"x\"y"`}
	r := rand.New(rand.NewPCG(3, 4))
	seen := 0
	for range 400_000 {
		text := "{"
		for range 1 + r.IntN(8) {
			text += pieces[r.IntN(len(pieces))]
		}
		text += "}"
		stored, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if !plainArguments(stored[1 : len(stored)-1]) {
			continue
		}
		seen++
		if !json.Valid([]byte(text)) {
			t.Fatalf("%s is taken for JSON", text)
		}
	}
	if seen < 100 {
		t.Errorf("only %d texts were taken for JSON", seen)
	}
}

func TestPlainArguments(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `{"a":"b"}`: true, `{"a":"b","c":12}`: true, `{"a": "b", "c": null}`: true,
		`{"a":}`: false, `{"a":"b",}`: false, `{"a":01}`: false, `{"a":"x\ny"}`: true, `{"a":"x\"y\\"}`: true, `{"a":"x\qy"}`: false, "{\"a\":\"x\ny\"}": false, `{"a":{"b":1}}`: false, ``: false, `{`: false,
	} {
		stored, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := plainArguments(stored[1 : len(stored)-1]); got != want {
			t.Errorf("%s: %v", fmt.Sprint(text), got)
		}
	}
}
