package migrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
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
	padded  // decimal, all of one width
	decimal // decimal without padding: key order is not the order of numbers
	rfc3339
	ulid
	uuid
	keyForms
)

// String is the name of a form in layout files and in inspect.
func (f keyForm) String() string {
	return [...]string{"opaque", "be64", "be32", "padded", "decimal", "rfc3339", "ulid", "uuid"}[f]
}

// ordered reports whether key order is the order in which rows were written.
func (f keyForm) ordered() bool { return f != opaque && f != uuid }

// isNumber reports whether keys are counted up.
func (f keyForm) isNumber() bool { return f >= be64 && f <= decimal }

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
	if len(key) >= 20 && len(key) <= 35 {
		_, err := time.Parse(time.RFC3339Nano, string(key))
		add(rfc3339, err == nil)
	}
	add(ulid, isULID(key))
	add(uuid, isUUID(key))
	return set
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
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
	for _, f := range []keyForm{ulid, uuid, rfc3339, be64, be32} {
		if has(f) {
			return f
		}
	}
	return opaque
}

// number reads the key of a form that isNumber.
func (f keyForm) number(key []byte) (n uint64, ok bool) {
	switch {
	case f == be64 && len(key) == 8:
		return binary.BigEndian.Uint64(key), true
	case f == be32 && len(key) == 4:
		return uint64(binary.BigEndian.Uint32(key)), true
	case f == padded || f == decimal:
		n, err := strconv.ParseUint(string(key), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// key writes a number as a key like another one; nil if there is no such key.
func (f keyForm) key(n uint64, like []byte) []byte {
	var k []byte
	switch f {
	case be64:
		return binary.BigEndian.AppendUint64(nil, n)
	case be32:
		if n > 1<<32-1 {
			return nil
		}
		return binary.BigEndian.AppendUint32(nil, uint32(n))
	case padded:
		k = strconv.AppendUint(nil, n, 10)
		if len(k) > len(like) {
			return nil // a wider one would sort before
		}
		return append(bytes.Repeat([]byte{'0'}, len(like)-len(k)), k...)
	case decimal:
		return strconv.AppendUint(nil, n, 10)
	}
	return nil
}

// maxTries bounds the search for a free key.
const maxTries = 1024

// between yields keys behind left, and before right if there is one, from the
// nearest on. seed makes the keys of forms that do not count.
func (f keyForm) between(left, right []byte, seed string, yield func([]byte) bool) {
	fits := func(k []byte) bool {
		return k != nil && (left == nil || !f.ordered() || bytes.Compare(left, k) < 0) &&
			(right == nil || !f.ordered() || bytes.Compare(k, right) < 0)
	}
	next := left
	for i := range maxTries {
		switch f {
		case be64, be32, padded, decimal:
			n, ok := f.number(next)
			if !ok || n == 1<<64-1 {
				return
			}
			next = f.key(n+1, next)
		case ulid:
			next = nextULID(next)
		case rfc3339:
			next = nextTime(next, right)
		case uuid:
			next = madeUUID(seed + "/" + strconv.Itoa(i))
		default:
			return
		}
		if !fits(next) || !yield(next) {
			return
		}
	}
}

// nextULID is the ULID behind one, of the same millisecond.
func nextULID(k []byte) []byte {
	if len(k) != 26 {
		return nil
	}
	next := bytes.Clone(k)
	lower := bytes.ToUpper(k)
	for i := 25; i >= 10; i-- {
		at := strings.IndexByte(crockford, lower[i])
		if at < 31 {
			c := crockford[at+1]
			if !bytes.Equal(lower, k) && c >= 'A' {
				c |= 0x20
			}
			next[i] = c
			return next
		}
		next[i] = '0'
	}
	return nil
}

// madeUUID makes a UUID of a seed (version 8, RFC 9562: made by other means).
func madeUUID(seed string) []byte {
	sum := sha256.Sum256([]byte(seed))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	h := hex.EncodeToString(sum[:16])
	return []byte(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// nextTime is a time just behind one, written like it, that sorts behind it and
// before right; nil if there is none.
func nextTime(k, right []byte) []byte {
	t, err := time.Parse(time.RFC3339Nano, string(k))
	if err != nil {
		return nil
	}
	frac := 0
	if dot := bytes.IndexByte(k, '.'); dot >= 0 {
		for frac = 0; dot+1+frac < len(k) && k[dot+1+frac] >= '0' && k[dot+1+frac] <= '9'; frac++ {
		}
	}
	for digits := frac; digits <= 9; digits++ {
		layout := "2006-01-02T15:04:05"
		if digits > 0 {
			layout += "." + strings.Repeat("0", digits)
		}
		unit := time.Second
		for range digits {
			unit /= 10
		}
		next := []byte(t.Add(unit).Format(layout + "Z07:00"))
		if bytes.Compare(k, next) < 0 && (right == nil || bytes.Compare(next, right) < 0) {
			return next
		}
	}
	return nil
}
