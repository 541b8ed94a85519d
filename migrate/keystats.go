package migrate

import (
	"bytes"
)

// keyStats are what all keys of a bucket, or their places, have in common.
type keyStats struct {
	n, width int
	forms    uint16
	uneven   bool
	zero     bool // some begin with a zero
	zeros    int  // in front of all of them together
	long     int  // how many have more than one digit behind those
}

const (
	// minZeros is how many zeros keys have to begin with, all together, to be
	// hexadecimal counters: random ids do not.
	minZeros = 6
	// maxLong is how many longer numbers without a letter there may be in
	// hexadecimal.
	maxLong = 16
)

func (s *keyStats) add(key []byte) {
	zeros := len(key) - len(bytes.TrimLeft(key, "0"))
	one := keyStats{n: 1, width: len(key), forms: formsOf(key), zero: zeros > 0 && len(key) > 1, zeros: zeros}
	if zeros+1 < len(key) {
		one.long = 1
	}
	s.merge(&one)
}

// merge takes in the keys of another bucket.
func (s *keyStats) merge(o *keyStats) {
	if s.n == 0 || o.n == 0 {
		if s.n == 0 {
			*s = *o
		}
		return
	}
	s.n += o.n
	s.forms &= o.forms
	s.uneven = s.uneven || o.uneven || s.width != o.width
	s.zero = s.zero || o.zero
	s.zeros += o.zeros
	s.long += o.long
}

// form is the form of all keys. Numbers of one width are padded if a zero
// shows it, or if they are as long as no counter is.
func (s *keyStats) form() keyForm {
	if s.n == 0 {
		return opaque
	}
	set := s.forms
	if s.uneven || s.zeros < minZeros {
		set &^= hexForms
	}
	return pick(set, !s.uneven && (s.zero || s.width >= 10))
}

// mayBeHex reports whether keys that look like padded decimals may be
// hexadecimal too, since no letter shows.
func (s *keyStats) mayBeHex() bool {
	return s.form() == padded && s.forms&hexForms == hexForms && s.long <= maxLong
}
