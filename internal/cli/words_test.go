package cli

import "testing"

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := number(n); got != want {
			t.Errorf("number(%d) = %s, want %s", n, got, want)
		}
	}
}

// The next command has the flags that change what it does, once each as given.
func TestNextCommand(t *testing.T) {
	o := options{given: []given{
		{"--json", "", false}, {"--keep-tail", "true", true}, {"--keep-order", "false", true}, {"--only", "a/b#/c", true},
		{"--only", "a/$", true}, {"--dry-run", "", false}, {"--output", "n", true}, {"--strict", "", false},
	}}
	for _, tt := range []struct{ got, want string }{
		{o.nextCommand("repair", "a b.db"), "boltmend repair --keep-tail --only a/b#/c --only 'a/$' --output n 'a b.db'"},
		{o.nextCommand("inspect", "-x"), "boltmend inspect -- -x"},
		{o.nextCommand("undo", "j"), "boltmend undo --only a/b#/c --only 'a/$' j"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}
