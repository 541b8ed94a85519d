package cli

import "strings"

// urfave/cli stops looking for flags at the first argument that is none, so
// that "repair a.db --dry-run" would write. The command line is therefore
// taken apart here, and handed on in the order that the library wants.
//
// The rules:
//   - A flag begins with "-" and is longer than that; "-" alone is a word.
//   - A flag's value follows "=" or is the next argument, whatever it is.
//   - The first "--" that is no value ends the flags; all behind it are words.
//   - Words keep their order. The first is the command.

// A given is a flag as it was given.
type given struct {
	// flag is the flag with its dashes, as it was spelled.
	flag string
	// value is its value; has is false if there is none.
	value string
	has   bool
}

// name is the flag without its dashes.
func (g given) name() string { return strings.TrimLeft(g.flag, "-") }

// permute takes args apart into words and flags. takesValue says whether a
// flag, without its dashes, has a value.
func permute(args []string, takesValue func(name string) bool) (words []string, flags []given) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(words, args[i+1:]...), flags
		case len(arg) < 2 || arg[0] != '-':
			words = append(words, arg)
			continue
		}
		var g given
		g.flag, g.value, g.has = strings.Cut(arg, "=")
		if !g.has && takesValue(g.name()) && i+1 < len(args) {
			i++
			g.value, g.has = args[i], true
		}
		flags = append(flags, g)
	}
	return words, flags
}

// arrange puts flags and words in the order that urfave/cli reads.
func arrange(flags []given, words []string) []string {
	var args []string
	for _, g := range flags {
		arg := g.flag
		if g.has {
			arg += "=" + g.value
		}
		args = append(args, arg)
	}
	return append(append(args, "--"), words...)
}
