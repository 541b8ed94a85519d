package migrate

import (
	"strings"
	"time"
)

// A keyForm is how an app writes the keys of rows, or the part of a key that
// orders the rows of a conversation.
type keyForm uint8

const (
	opaque keyForm = iota
	be64
	be32
	padded   // decimal, all of one width
	decimal  // decimal without padding: key order is not the order of numbers
	lowerHex // hexadecimal with small letters, all of one width
	upperHex // with capital letters
	rfc3339
	ulid
	uuid7 // UUIDs of version 7, which begin with a time
	uuid
	keyForms
)

// String is the name of a form in layout files and in inspect.
func (f keyForm) String() string {
	return [...]string{"opaque", "be64", "be32", "padded", "decimal", "hex", "hex", "rfc3339", "ulid", "uuid7", "uuid"}[f]
}

// keyNames lists the forms that a layout file may name.
func keyNames() string {
	var names []string
	for f := opaque + 1; f < keyForms; f++ {
		if f != upperHex {
			names = append(names, f.String())
		}
	}
	return strings.Join(names, ", ") + " or " + opaque.String()
}

// ordered reports whether key order is the order in which rows were written.
func (f keyForm) ordered() bool { return f != opaque && f != uuid }

// isNumber reports whether keys are counted up.
func (f keyForm) isNumber() bool { return f >= be64 && f <= upperHex }

func (f keyForm) isHex() bool { return f == lowerHex || f == upperHex }

// timed reports whether keys begin with the time at which they were made: they
// are in order, but an app that has them may read by a member still.
func (f keyForm) timed() bool { return f == ulid || f == uuid7 }

// formsOf is the set of forms that a key may be of, one bit each.
func formsOf(key []byte) (set uint16) {
	add := func(f keyForm, ok bool) {
		if ok {
			set |= 1 << f
		}
	}
	digits := len(key) > 0 && len(key) <= 20 && allDigits(key)
	add(be64, len(key) == 8 && !printable(key))
	add(be32, len(key) == 4 && !printable(key))
	add(padded, digits)
	add(decimal, digits && (key[0] != '0' || len(key) == 1))
	add(lowerHex, len(key) > 0 && key[0] == '0' && isHex(key, lowerDigits))
	add(upperHex, len(key) > 0 && key[0] == '0' && isHex(key, upperDigits))
	add(rfc3339, isTimeKey(key))
	add(ulid, isULID(key))
	add(uuid7, isUUID(key) && key[14] == '7' && strings.IndexByte("89abAB", key[19]) >= 0)
	add(uuid, isUUID(key))
	return set
}

// minTime and maxTime are how long a time may be.
const minTime, maxTime = len("2006-01-02T15:04:05Z"), len("2006-01-02T15:04:05.000000000-07:00")

func isTimeKey(key []byte) bool {
	if len(key) < minTime || len(key) > maxTime {
		return false
	}
	_, err := time.Parse(time.RFC3339Nano, string(key))
	return err == nil
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// hexForms is the set of hexadecimal forms.
const hexForms = 1<<lowerHex | 1<<upperHex

const (
	lowerDigits = "0123456789abcdef"
	upperDigits = "0123456789ABCDEF"
)

// isHex reports whether a key is a number with these digits, of at least four as
// counters have them.
func isHex(key []byte, digits string) bool {
	if len(key) < 4 || len(key) > 16 {
		return false
	}
	for _, c := range key {
		if strings.IndexByte(digits, c) < 0 {
			return false
		}
	}
	return true
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func isULID(key []byte) bool {
	if len(key) != 26 || key[0] > '7' {
		return false
	}
	for _, c := range key {
		if strings.IndexByte(crockford, c) < 0 && strings.IndexByte(crockford, c&^0x20) < 0 {
			return false
		}
	}
	return true
}

func isUUID(key []byte) bool {
	if len(key) != 36 {
		return false
	}
	for i, c := range key {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}

// pick chooses among the forms that all keys may be of. widths tells whether
// they are of one width.
func pick(set uint16, oneWidth bool) keyForm {
	has := func(f keyForm) bool { return set&(1<<f) != 0 }
	switch {
	case has(padded) && oneWidth:
		return padded
	case has(decimal):
		return decimal
	}
	for _, f := range []keyForm{lowerHex, upperHex, ulid, uuid7, uuid, rfc3339, be64, be32} {
		if has(f) {
			return f
		}
	}
	return opaque
}
