package migrate

import (
	"slices"

	"boltmend/internal/jsonedit"
)

// matched are the ids of the halves of a piece that the pieces around it hold,
// where one ends and the other begins; apart are those that lie elsewhere in
// its value, or in pieces near it that are too small to be conversations.
func (p *piece) matched(a around, own []piece) (found, apart []string) {
	var up, down []piece // of its list, if it is in one
	alone := true
	for _, o := range own {
		switch mine := o.list != jsonedit.None && o.list == p.list; {
		case o.start == p.start:
		case !mine:
			alone = false
		case o.start < p.start:
			up = append([]piece{o}, up...)
		default:
			down = append(down, o)
		}
	}
	found = append(shared(p.Tail, down, headOf), shared(p.Head, up, tailOf)...)
	all := slices.Concat(own, a.before, a.behind)
	if alone {
		up, down = append(up, a.before...), append(down, a.behind...)
		fit := fits(up, *p, down)
		for _, id := range append(shared(p.Tail, down, headOf), shared(p.Head, up, tailOf)...) {
			if n := holders(all, id); fit || n == 2 && isPieceBy(id, all) {
				found = append(found, id)
			} else if n == 2 {
				apart = append(apart, id)
			}
		}
	}
	for i, o := range all {
		if o.dialect != p.dialect || i >= len(own) && !(p.Small && o.Small) || i < len(own) && o.start == p.start {
			continue
		}
		apart = append(apart, both(p.Missing, o.Orphans)...)
		apart = append(apart, both(p.Orphans, o.Missing)...)
	}
	return found, slices.DeleteFunc(apart, func(id string) bool { return holders(all, id) > 2 })
}

// isPieceBy reports whether an id that a piece shares with one other tells that
// they are of one conversation.
func isPieceBy(id string, all []piece) bool {
	small := true
	for i := range all {
		small = small && (all[i].messages == 1 || !all[i].ids[id])
	}
	return small || isUnique(id)
}

// isUnique reports whether an id looks like one that is never made twice, and
// not like a counter or a name.
func isUnique(id string) bool {
	letters, digits, changes := 0, 0, 0
	for i := range len(id) {
		d := id[i] >= '0' && id[i] <= '9'
		if d {
			digits++
		} else {
			letters++
		}
		if i > 0 && d != (id[i-1] >= '0' && id[i-1] <= '9') {
			changes++
		}
	}
	return len(id) >= 16 && (digits > 2 && changes > 3 || letters > 20)
}

// holders counts the pieces that have an id.
func holders(all []piece, id string) (n int) {
	for i := range all {
		if all[i].ids[id] {
			n++
		}
	}
	return n
}

// fits reports whether the pieces around one, as a whole, are one conversation:
// what one lacks at its end the next one begins with, with few exceptions.
func fits(up []piece, p piece, down []piece) bool {
	row := append(slices.Clone(up), p)
	slices.Reverse(row[:len(up)])
	row = append(row, down...)
	good, bad := 0, 0
	for i := range row {
		if len(row[i].Tail) > 0 {
			if len(shared(row[i].Tail, row[i+1:], headOf)) == len(row[i].Tail) {
				good++
			} else {
				bad++
			}
		}
		if len(row[i].Head) > 0 && i == 0 {
			bad++
		}
	}
	return good >= 2 && bad*4 <= good
}

func headOf(p *piece) []string { return p.Head }
func tailOf(p *piece) []string { return p.Tail }

// shared are the ids that the next pieces hold, up to the first that has more
// than results.
func shared(ids []string, next []piece, other func(*piece) []string) (found []string) {
	for i := range next {
		found = append(found, both(ids, other(&next[i]))...)
		if !next[i].OnlyResults {
			break
		}
	}
	return found
}

func both(a, b []string) (all []string) {
	for _, id := range a {
		if slices.Contains(b, id) {
			all = append(all, id)
		}
	}
	return all
}
