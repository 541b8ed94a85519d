package migrate

import "testing"

// TestFormOfKeys: the form that all keys of a bucket are of.
func TestFormOfKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		form keyForm
		keys []string
	}{
		{"UUIDs of version 7", uuid7, []string{"019b7a00-0001-7abc-8def-000000000063", "019B7A00-0002-7ABC-BDEF-000000000063"}},
		{"another variant", uuid, []string{"019b7a00-0001-7abc-8def-000000000063", "019b7a00-0002-7abc-cdef-000000000063"}},
		{"another version among them", uuid, []string{"019b7a00-0001-7abc-8def-000000000063", "019b7a00-0002-4abc-8def-000000000063"}},
		{"hexadecimal counters", lowerHex, []string{"00000009", "0000000a"}},
		{"with capital letters", upperHex, []string{"000F", "0010", "00FF"}},
		{"with both", opaque, []string{"0000000A", "0000000b"}},
		{"of two widths", opaque, []string{"0000000a", "00000000b"}},
		{"too short", opaque, []string{"00a", "00b", "00c"}},
		{"without a letter", padded, []string{"00000009", "00000010"}},
		{"random ids", opaque, []string{"0a3f9c21", "0b77e0d2", "09c1aa04"}},
		{"random ids, some with a zero", opaque, []string{"0000000a", "7b77e0d2"}},
	} {
		var s keyStats
		for _, k := range c.keys {
			s.add([]byte(k))
		}
		if got := s.form(); got != c.form {
			t.Errorf("%s: %s, want %s", c.name, got, c.form)
		}
	}
}

// TestNextKey: the key behind one, written like it.
func TestNextKey(t *testing.T) {
	for _, c := range []struct {
		form       keyForm
		left, next string // "" for none
	}{
		{uuid7, "019b7a00-0001-7abc-8def-000000000063", "019b7a00-0001-7abc-8def-000000000064"},
		{uuid7, "019b7a00-0001-7abc-8def-0000000000ff", "019b7a00-0001-7abc-8def-000000000100"},
		{uuid7, "019b7a00-0001-7abc-8def-ffffffffffff", "019b7a00-0001-7abc-8df0-000000000000"},
		{uuid7, "019B7A00-0001-7ABC-8DEF-000000000009", "019B7A00-0001-7ABC-8DEF-00000000000A"},
		{uuid7, "019b7a00-0001-7abc-8fff-ffffffffffff", ""},
		{uuid7, "019B7a00-0001-7abc-8def-00000000000f", ""},
		{lowerHex, "00000009", "0000000a"},
		{lowerHex, "000000ff", "00000100"},
		{upperHex, "00000009", "0000000A"},
		{lowerHex, "ffff", ""},
		{lowerHex, "000A", ""},
	} {
		var next string
		c.form.between([]byte(c.left), nil, "", func(k []byte) bool {
			next = string(k)
			return false
		})
		if next != c.next {
			t.Errorf("%s behind %s: %q, want %q", c.form, c.left, next, c.next)
		}
	}
}
