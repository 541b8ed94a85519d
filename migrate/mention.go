package migrate

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// mention says by what an object speaks of tool calls or results, "" if by
// nothing. It is asked of objects outside of recognised histories, so that
// "nothing found" is never said of a value that was merely not understood. A
// call that carries its own result cannot be unpaired and does not count.
func mention(d *jsonedit.Doc, obj jsonedit.Ref) (why string) {
	call, result := false, false
	for key, end := obj+1, d.End(obj); key < end; key = d.End(key + 1) {
		name, value := d.Inner(key), key+1
		if len(name) < 4 || len(name) > 22 || bytes.IndexByte([]byte("tTrRfFO"), name[0]) < 0 {
			continue
		}
		said := ""
		switch folded := fold(name); {
		case folded == "type":
			t := string(d.Inner(value))
			if kind, known := mentionTypes[t]; known && d.Kind(value) == jsonedit.String && !(kind == aCall && hasResult(d, obj)) {
				said = "an object of type " + t
			}
		case folded == "role":
			if d.Is(value, "tool") || d.Is(value, "toolResult") || d.Is(value, "function") {
				said = "a message of role " + d.Text(value)
			}
		default:
			kind := mentionNames[folded]
			if speaksByName(d, obj, value, kind) {
				said = "a member named " + string(name)
			}
			call = call || said != "" && kind == aCall
			result = result || said != "" && kind == aResult
		}
		if why == "" {
			why = said
		}
	}
	if call && result {
		return ""
	}
	return why
}

// A mentioned is what a name or a type is used for.
type mentioned uint8

const (
	nothing mentioned = iota
	aCall
	aResult
	manyCalls
	manyResults
	aFunction
	anID
)

var mentionTypes = map[string]mentioned{
	"tool_use": aCall, "toolCall": aCall, "tool-call": aCall, "tool_call": aCall, "function_call": aCall,
	"custom_tool_call": aCall, "local_shell_call": aCall, "tool_request": aCall, "toolRequest": aCall,
	"tool_result": aResult, "tool-result": aResult, "function_call_output": aResult, "custom_tool_call_output": aResult,
	"tool_response": aResult, "toolResponse": aResult,
}

var mentionNames = map[string]mentioned{
	"functioncall": aCall, "tooluse": aCall, "toolcall": aCall, "toolrequest": aCall,
	"functionresponse": aResult, "toolresult": aResult, "toolresponse": aResult,
	"toolcalls": manyCalls, "toolrequests": manyCalls, "toolresults": manyResults, "toolresponses": manyResults,
	"function": aFunction, "toolcallid": anID, "tooluseid": anID,
	// As structs of SDKs in Go are without tags.
	"oftooluse": aCall, "oftoolresult": aResult, "offunctioncall": aCall, "offunctioncalloutput": aResult,
}

// speaksByName reports whether a member whose name is used for something is
// that. What stands for one call may be a setting: "tool_call": true, "auto".
func speaksByName(d *jsonedit.Doc, obj, value jsonedit.Ref, kind mentioned) bool {
	if kind == nothing || isBlank(d, value) || d.Kind(value) == jsonedit.True {
		return false
	}
	switch {
	case d.Kind(value) == jsonedit.Array:
		return kind == manyResults || !carryResults(d, value)
	case kind == manyResults: // by call, as apps keep them beside
		return false
	case kind == aFunction: // one without arguments is a tool
		return d.Get(value, "arguments") != jsonedit.None && !hasResult(d, obj)
	case kind == aCall && d.Kind(value) == jsonedit.String:
		return d.Inner(value)[0] == '{'
	case kind == aCall:
		return !hasResult(d, obj) && !hasResult(d, value)
	}
	return true
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
		if !hasResult(d, call) {
			return false
		}
	}
	return true
}

// hasResult reports whether a call holds its own result, of whatever kind.
func hasResult(d *jsonedit.Doc, call jsonedit.Ref) bool {
	for _, name := range []string{"result", "output"} {
		if d.Get(call, name) != jsonedit.None {
			return true
		}
	}
	return false
}
