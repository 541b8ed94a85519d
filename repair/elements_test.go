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

// countIDs counts how often an id is there; where calls and results name it
// alike, once for each.
func countIDs(v any, ids map[string]int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			countIDs(e, ids)
		}
	case map[string]any:
		for name, m := range v {
			name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
			if s, ok := m.(string); ok && (name == "id" || name == "callid" || name == "tooluseid" || name == "toolcallid") {
				ids[s]++
			}
			countIDs(m, ids)
		}
	}
}

// repeatsApart reports whether two calls of a history of parts have one id and
// an element without calls stands between them.
func repeatsApart(src []byte) bool {
	seen, run := map[string]int{}, 0
	for _, e := range elements(src) {
		ids := partCalls(decoded(e))
		if len(ids) == 0 {
			run++
		}
		for _, id := range ids {
			if at, found := seen[id]; found && at != run {
				return true
			}
			seen[id] = run
		}
	}
	return false
}

// partCalls returns the ids of the function calls in a value.
func partCalls(v any) (ids []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			ids = append(ids, partCalls(e)...)
		}
	case map[string]any:
		for name, m := range v {
			if call, ok := m.(map[string]any); ok && strings.EqualFold(strings.ReplaceAll(name, "_", ""), "functioncall") {
				for name, id := range call {
					if s, ok := id.(string); ok && strings.EqualFold(name, "id") {
						ids = append(ids, s)
					}
				}
				continue
			}
			ids = append(ids, partCalls(m)...)
		}
	}
	return ids
}

// plain is an element without the escapes that a text may be spelled with.
func plain(e json.RawMessage) []byte {
	var v any
	if json.Unmarshal(e, &v) != nil {
		return e
	}
	b, err := json.Marshal(v)
	if err != nil {
		return e
	}
	return b
}
