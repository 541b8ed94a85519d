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
	case f == lowerHex && isHex(key, lowerDigits) || f == upperHex && isHex(key, upperDigits):
		n, err := strconv.ParseUint(string(key), 16, 64)
		return n, err == nil
	}
	return 0, false
}

// key writes a number as a key like another one; nil if there is no such key.
func (f keyForm) key(n uint64, like []byte) []byte {
	switch f {
	case be64:
		return binary.BigEndian.AppendUint64(nil, n)
	case be32:
		if n > 1<<32-1 {
			return nil
		}
		return binary.BigEndian.AppendUint32(nil, uint32(n))
	case padded:
		return zeroPadded(strconv.AppendUint(nil, n, 10), like)
	case decimal:
		return strconv.AppendUint(nil, n, 10)
	case lowerHex:
		return zeroPadded(strconv.AppendUint(nil, n, 16), like)
	case upperHex:
		return zeroPadded(bytes.ToUpper(strconv.AppendUint(nil, n, 16)), like)
	}
	return nil
}

// zeroPadded is a number as wide as another one, nil if it is wider: it would
// sort before.
func zeroPadded(k, like []byte) []byte {
	if len(k) > len(like) {
		return nil
	}
	return append(bytes.Repeat([]byte{'0'}, len(like)-len(k)), k...)
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
		switch {
		case f.isNumber():
			n, ok := f.number(next)
			if !ok || n == 1<<64-1 {
				return
			}
			next = f.key(n+1, next)
		case f == ulid:
			next = nextULID(next)
		case f == rfc3339:
			next = nextTime(next, right)
		case f == uuid7:
			next = nextUUID7(next)
		case f == uuid:
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

// nextUUID7 is the UUID behind one, of the same millisecond: the random bits
// behind the variant are counted up.
func nextUUID7(k []byte) []byte {
	if !isUUID(k) {
		return nil
	}
	digits := lowerDigits
	if bytes.ContainsAny(k, "ABCDEF") {
		digits = upperDigits
	}
	next := bytes.Clone(k)
	for i := len(k) - 1; i > 19; i-- {
		if k[i] == '-' {
			continue
		}
		at := strings.IndexByte(digits, k[i])
		if at < 0 {
			return nil // letters of both cases
		}
		if at < 15 {
			next[i] = digits[at+1]
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
