package migrate

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// mention says by what an object speaks of tool calls or results, "" if by
// nothing. It is asked of objects outside of recognised histories, so that
// "nothing found" is never said of a value that was merely not understood. A
// call that carries its own result cannot be unpaired and does not count.
func mention(d *jsonedit.Doc, obj jsonedit.Ref) string {
	for key, end := obj+1, d.End(obj); key < end; key = d.End(key + 1) {
		name, value := d.Inner(key), key+1
		if len(name) < 4 || len(name) > 22 || bytes.IndexByte([]byte("tTrRfF"), name[0]) < 0 {
			continue
		}
		switch folded := fold(name); {
		case folded == "type":
			if t := string(d.Inner(value)); d.Kind(value) == jsonedit.String && mentionTypes[t] {
				return "an object of type " + t
			}
		case folded == "role":
			if d.Is(value, "tool") || d.Is(value, "toolResult") || d.Is(value, "function") {
				return "a message of role " + d.Text(value)
			}
		case mentionNames[folded] && !isBlank(d, value) && !carryResults(d, value):
			return "a member named " + string(name)
		}
	}
	return ""
}

var mentionTypes = map[string]bool{
	"tool_use": true, "tool_result": true, "toolCall": true, "tool-call": true, "tool-result": true,
	"function_call": true, "function_call_output": true, "custom_tool_call": true,
	"custom_tool_call_output": true, "local_shell_call": true,
}

var mentionNames = map[string]bool{
	"toolcalls": true, "toolcallid": true, "tooluseid": true, "functioncall": true,
	"functionresponse": true, "tooluse": true, "toolresult": true,
}

// fold drops case and "_" from a name.
func fold(name []byte) string {
	return string(bytes.ToLower(bytes.ReplaceAll(name, []byte("_"), nil)))
}

// isBlank reports whether a value says no more than its absence.
func isBlank(d *jsonedit.Doc, r jsonedit.Ref) bool {
	switch d.Kind(r) {
	case jsonedit.Null, jsonedit.False:
		return true
	case jsonedit.String:
		return len(d.Inner(r)) == 0
	case jsonedit.Array, jsonedit.Object:
		return d.End(r) == r+1
	}
	return false
}

// carryResults reports whether all calls of a list hold their own result.
func carryResults(d *jsonedit.Doc, list jsonedit.Ref) bool {
	if d.Kind(list) != jsonedit.Array {
		return false
	}
	for call := range d.Elems(list) {
		if d.Get(call, "result") == jsonedit.None && d.Get(call, "output") == jsonedit.None {
			return false
		}
	}
	return true
}
