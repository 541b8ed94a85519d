package cli

import (
	"os/exec"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain é 日本 😀 a\\b", "plain é 日本 😀 a\\b"},
		{"\x1b[2Jx", `\u001b[2Jx`},
		{"a\nb\tc\rd\x00", `a\nb\tc\rd\u0000`},
		{"\u009b31m", `\u009b31m`},
		{"abc\u202etxt", `abc\u202etxt`},
		{"bad\xff", `bad\xff`},
		{"\ufffd", "\ufffd"},
	}
	for _, tt := range tests {
		if got := clean(tt.in); got != tt.want {
			t.Errorf("clean(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b]0;title\a")
	f.Add("\xc2\x9b\xe2\x80\xae")
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if !utf8.ValidString(got) {
			t.Fatalf("clean(%q) = %q is no UTF-8", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unsafeRune(r) {
				t.Fatalf("clean(%q) = %q holds %U", s, got, r)
			}
		}
	})
}

func TestShellQuote(t *testing.T) {
	tests := []struct{ in, want string }{
		{"chat.db", "chat.db"},
		{"my file.db", "'my file.db'"},
		{"it's", `'it'\''s'`},
		{"", "''"},
		{"~root", "'~root'"},
		{"#x", "'#x'"},
		{"chathist/17#/messages", "chathist/17#/messages"},
		{"a$b`c", "'a$b`c'"},
		{"a\nb'\x1b", `$'a\012b\'\033'`},
		{"é", "'é'"},
	}
	for _, tt := range tests {
		if got := shellQuote(tt.in); got != tt.want {
			t.Errorf("shellQuote(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// A shell reads what was quoted back.
func TestShellReadsBack(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this machine")
	}
	for _, s := range []string{"my file.db", "it's", "~", "a\nb'\x1b\\", "bad\xff", "*?[a]{b,c}!$(x)", "a;b|c&d<e>f", "-x", "é"} {
		out, err := exec.Command(bash, "-c", "printf %s "+shellQuote(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%s reads as %q, %v, want %q", shellQuote(s), out, err, s)
		}
	}
}
