package migrate

import (
	"bytes"
	"strings"
)

// A separator parts a key into a conversation and the row's place in it: the
// first or the last of its kind.
type separator struct {
	text  string
	first bool
	fixed int // or the place is this many bytes at the end
	// or it is what is of this form at the end: a place may have the separator
	// in it, and so may a conversation.
	tail keyForm
}

// separators are those that are tried, the surest first.
var separators = []separator{
	{text: ":", tail: rfc3339}, {text: "-", tail: rfc3339}, {text: ".", tail: rfc3339}, {text: "-", tail: uuid},
	{text: "\x00", fixed: 8}, {text: "\x00"}, {fixed: 8},
	{text: "/"}, {text: "/", first: true}, {text: ":"}, {text: ":", first: true},
	{text: "|"}, {text: "#"}, {text: "."}, {text: "_"}, {text: "-"}, {text: "-", first: true},
}

// tailBehind is the form that a place behind a separator is to be found by, opaque
// if the separator alone tells where it begins.
func tailBehind(text string, form keyForm) keyForm {
	switch {
	case form == rfc3339 && len(text) == 1 && strings.Contains(":-.", text):
		return rfc3339
	case (form == uuid || form == uuid7) && text == "-":
		return uuid
	}
	return opaque
}

// split parts a key; ok is false if it cannot be parted.
func (s separator) split(key []byte) (conv, place []byte, ok bool) {
	if s.fixed > 0 || s.tail != opaque {
		at := len(key) - s.fixed
		if s.tail != opaque {
			at = s.tailAt(key)
		}
		if at <= len(s.text) || !bytes.HasSuffix(key[:at], []byte(s.text)) {
			return nil, nil, false
		}
		return key[:at-len(s.text)], key[at:], true
	}
	at := bytes.LastIndex(key, []byte(s.text))
	if s.first {
		at = bytes.Index(key, []byte(s.text))
	}
	if at <= 0 || at+len(s.text) == len(key) {
		return nil, nil, false
	}
	return key[:at], key[at+len(s.text):], true
}

// tailAt is where the place begins, 0 if there is none of the form.
func (s separator) tailAt(key []byte) int {
	if s.tail == uuid {
		if at := len(key) - 36; at > 0 && isUUID(key[at:]) {
			return at
		}
		return 0
	}
	for at := max(len(key)-maxTime, 1); at <= len(key)-minTime; at++ {
		if key[at+4] == '-' && key[at+10] == 'T' && isTimeKey(key[at:]) {
			return at
		}
	}
	return 0
}
