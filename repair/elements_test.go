package repair_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// What the laws need to know of a history, read without package repair.

// elements returns the elements of a history as they are written.
func elements(src []byte) []json.RawMessage {
	var list []json.RawMessage
	json.Unmarshal(src, &list) // valid JSON, or another law is broken
	return list
}

// array is the elements with a comma between; json.Marshal would tidy them up.
func array(list []json.RawMessage) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, e := range list {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.Write(e)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// place returns where an element stands in a list, -1 if it does not.
func place(list []json.RawMessage, e json.RawMessage) int {
	return slices.IndexFunc(list, func(o json.RawMessage) bool { return bytes.Equal(o, e) })
}

// hasMessage reports whether anything in an array is a message.
func hasMessage(src []byte) bool {
	return slices.ContainsFunc(elements(src), func(e json.RawMessage) bool { return roleOf(e) != "" })
}

// roleOf returns the role of a message, "" for an element that is none.
func roleOf(e json.RawMessage) string {
	var m struct{ Role any }
	json.Unmarshal(e, &m) // not all elements are messages
	s, _ := m.Role.(string)
	return s
}

// countIDs counts how often an id is given to something.
func countIDs(v any, ids map[string]int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			countIDs(e, ids)
		}
	case map[string]any:
		for name, m := range v {
			if s, ok := m.(string); ok && strings.EqualFold(name, "id") {
				ids[s]++
			}
			countIDs(m, ids)
		}
	}
}
