package cli

import (
	"slices"
	"strings"
	"testing"
)

func takesOnly(name string) bool { return name == "only" || name == "marker" }

func TestPermute(t *testing.T) {
	tests := []struct{ in, words, flags string }{
		{"scan a.db", "scan a.db", ""},
		{"repair a.db --dry-run", "repair a.db", "--dry-run"},
		{"--json scan a.db --only x b.db", "scan a.db b.db", "--json --only=x"},
		{"scan --only --json a.db", "scan a.db", "--only=--json"},
		{"scan --only -- a.db", "scan a.db", "--only=--"},
		{"scan --only=x=y a.db", "scan a.db", "--only=x=y"},
		{"scan -- --dry-run -x --", "scan --dry-run -x --", ""},
		{"scan - a.db", "scan - a.db", ""},
		{"scan -h a.db", "scan a.db", "-h"},
		{"scan a.db --only", "scan a.db", "--only"},
		{"", "", ""},
	}
	for _, tt := range tests {
		words, flags := permute(strings.Fields(tt.in), takesOnly)
		got := arrange(flags, nil)
		if w := strings.Join(words, " "); w != tt.words {
			t.Errorf("permute(%q): words %q, want %q", tt.in, w, tt.words)
		}
		if f := strings.Join(got[:len(got)-1], " "); f != tt.flags {
			t.Errorf("permute(%q): flags %q, want %q", tt.in, f, tt.flags)
		}
	}
}

// A second permutation changes nothing, no argument is lost, words keep their
// order and all behind "--" are words.
func FuzzPermute(f *testing.F) {
	for _, s := range []string{"scan a --json", "a --only b -- --c", "--only", "--only --", "-- --", "- --x=y=z", "a  b", "--only= a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, " ")
		words, flags := permute(args, takesOnly)

		// What was taken is what was given: each argument is a word, a flag,
		// a flag's value or the "--".
		rest := args
		wi, fi := 0, 0
		for len(rest) > 0 {
			arg := rest[0]
			rest = rest[1:]
			switch {
			case fi < len(flags) && (arg == flags[fi].flag || arg == flags[fi].flag+"="+flags[fi].value) && strings.HasPrefix(arg, "-") && len(arg) > 1 && arg != "--":
				if arg == flags[fi].flag && flags[fi].has {
					if len(rest) == 0 || rest[0] != flags[fi].value {
						t.Fatalf("%q: value of %q is %q", args, arg, flags[fi].value)
					}
					rest = rest[1:]
				}
				fi++
			case arg == "--":
				if !slices.Equal(rest, words[wi:]) {
					t.Fatalf("%q: behind -- stand %q, words are %q", args, rest, words)
				}
				wi, rest = len(words), nil
			case wi < len(words) && arg == words[wi]:
				wi++
			default:
				t.Fatalf("%q: %q is lost: words %q, flags %+v", args, arg, words, flags)
			}
		}
		if wi != len(words) || fi != len(flags) {
			t.Fatalf("%q: made up: words %q, flags %+v", args, words, flags)
		}

		again, flagsAgain := permute(arrange(flags, words), takesOnly)
		lastOpen := len(flags) > 0 && !flags[len(flags)-1].has && takesOnly(flags[len(flags)-1].name())
		if !lastOpen && (!slices.Equal(again, words) || !slices.Equal(flagsAgain, flags)) {
			t.Fatalf("%q: %q, then %q", args, words, again)
		}
	})
}
