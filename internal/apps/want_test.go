package apps

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// A want file is a dump with signs for what a repair is free to choose:
//
//	bucket/name*          a new key of any text for *, between the keys around it
//	bucket/**             a new key anywhere in its bucket
//	"<KEY>"               in a value: what stands for * in the value's own key
//	"<NUMBER>"            the same as a JSON number, without leading zeros
//	<NEW>                 a value: what stands for * in the last new key above
//	"<between A B>"       a time after A and before B, "<from A>" one that is
//	                      not before A, and no hour later
//
// Values are equal as JSON, with what is wrapped inside them unwrapped; where
// the value is as it was before the repair, byte for byte.
type want struct {
	before map[string]string // values by line name
	chosen string            // the last new key
	used   map[string]bool   // new keys of the dump that have been matched
}

// compare returns what differs between a dump and a want file; before is the
// dump of the database as it was.
func compare(got, wanted, before string) []string {
	w := want{before: map[string]string{}, used: map[string]bool{}}
	for line := range strings.Lines(before) {
		name, value := split(line)
		w.before[name] = value
	}
	gotLines, wantLines := lines(got), lines(wanted)
	known := map[string]bool{}
	for _, l := range wantLines {
		name, _ := split(l)
		known[name] = true
	}
	var extra []string
	values := map[string]string{}
	for _, l := range gotLines {
		name, value := split(l)
		if values[name] = value; !known[name] {
			extra = append(extra, name)
		}
	}
	var faults []string
	for i, l := range wantLines {
		if err := w.line(l, i, wantLines, extra, values); err != nil {
			faults = append(faults, err.Error())
		}
	}
	for _, name := range extra {
		if !w.used[name] {
			faults = append(faults, fmt.Sprintf("not wanted: %s %s", name, values[name]))
		}
	}
	return faults
}

// line finds the line of a want file in the dump.
func (w *want) line(l string, i int, all, extra []string, values map[string]string) error {
	name, value := split(l)
	key, free, above := name, "", w.chosen
	if prefix, _, ok := strings.Cut(name, "*"); ok {
		anywhere := strings.HasSuffix(name, "**")
		var err error
		if key, err = w.choose(prefix, anywhere, i, all, extra); err != nil {
			return err
		}
		free = strings.TrimPrefix(key, prefix)
		w.chosen = free
	}
	got, ok := values[key]
	if !ok {
		return fmt.Errorf("missing: %s\n  want %s", key, value)
	}
	if value == "<NEW>" {
		value = above
	}
	if got == value {
		return nil
	}
	if w.before[key] == value {
		return fmt.Errorf("changed: %s\n  got  %s\n  want %s", key, got, value)
	}
	if err := equal(decoded(got), decoded(value), free); err != nil {
		return fmt.Errorf("%s: %w\n  got  %s\n  want %s", key, err, got, value)
	}
	return nil
}

// choose finds the new key that a line with a star stands for.
func (w *want) choose(prefix string, anywhere bool, i int, all, extra []string) (string, error) {
	last, next := "", "\xff"
	if !anywhere {
		last, _ = split(all[i-1])
		if i+1 < len(all) {
			next, _ = split(all[i+1])
		}
		if !strings.HasPrefix(next, prefix) {
			next = "\xff"
		}
	}
	for _, name := range extra {
		if _, old := w.before[name]; old || w.used[name] || strings.HasSuffix(name, "/") {
			continue
		}
		if strings.HasPrefix(name, prefix) && last < name && name < next {
			w.used[name] = true
			return name, nil
		}
	}
	return "", fmt.Errorf("missing: a new key %s* between %s and %s", prefix, last, next)
}

// lines are the lines of a dump without comments.
func lines(text string) (all []string) {
	for l := range strings.Lines(text) {
		if l = strings.TrimSuffix(l, "\n"); l != "" && l[0] != '#' {
			all = append(all, l)
		}
	}
	return all
}

// split parts a line of a dump into its name and its value.
func split(line string) (name, value string) {
	line = strings.TrimSuffix(line, "\n")
	if rest, ok := strings.CutPrefix(line, "sequence "); ok {
		name, value, _ = strings.Cut(rest, " ")
		return "sequence " + name, value
	}
	name, value, _ = strings.Cut(line, " ")
	return name, value
}

// equal compares a decoded value with a wanted one that may hold signs.
func equal(got, wanted any, free string) error {
	switch w := wanted.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		for k := range w {
			if _, ok := g[k]; !ok {
				return fmt.Errorf("no %q", k)
			}
			if err := equal(g[k], w[k], free); err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
		}
		for k := range g {
			if _, ok := w[k]; !ok {
				return fmt.Errorf("%q is not wanted", k)
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok {
			break
		}
		if len(g) != len(w) {
			return fmt.Errorf("%d elements, want %d", len(g), len(w))
		}
		for i := range w {
			if err := equal(g[i], w[i], free); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	case string:
		return equalText(got, w, free)
	}
	if !reflect.DeepEqual(got, wanted) {
		return fmt.Errorf("got %v, want %v", got, wanted)
	}
	return nil
}

func equalText(got any, wanted, free string) error {
	switch word, rest, _ := strings.Cut(strings.Trim(wanted, "<>"), " "); {
	case wanted == "<KEY>":
		wanted = free
	case wanted == "<NUMBER>":
		if got != json.Number(strings.TrimLeft(free, "0")) {
			return fmt.Errorf("got %v, want the number of key %s", got, free)
		}
		return nil
	case wanted != "" && wanted[0] == '<' && (word == "between" || word == "from"):
		s, _ := got.(string)
		from, to, _ := strings.Cut(rest, " ")
		return inTime(s, from, to)
	}
	if got != wanted {
		return fmt.Errorf("got %v, want %q", got, wanted)
	}
	return nil
}

// inTime wants a time between two others, or not before one.
func inTime(s, from, to string) error {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return err
	}
	a, err := time.Parse(time.RFC3339Nano, from)
	if err != nil {
		return err
	}
	b, err := time.Parse(time.RFC3339Nano, to)
	strictly := err == nil
	if !strictly {
		b = a.Add(time.Hour)
	}
	if at.Before(a) || !at.Before(b) || strictly && !at.After(a) {
		return fmt.Errorf("%s is not between %s and %s", s, from, to)
	}
	return nil
}
