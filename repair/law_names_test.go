package repair_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// mirrorsStay wants what an older message of the AI SDK says twice, in its parts
// and beside them, to be the same both times if it was before.
func mirrorsStay(x trial) error {
	if x.dialect == "ai-sdk-ui" && mirrorsAgree(x.src) && !mirrorsAgree(x.result.JSON) {
		return errors.New("invocations differ from their parts")
	}
	return nil
}

func mirrorsAgree(src []byte) bool {
	list, _ := decoded(src).([]any)
	for _, e := range list {
		m := foldedNames(e)
		var said []any
		parts, _ := m["parts"].([]any)
		for _, p := range parts {
			if inv, ok := foldedNames(p)["toolinvocation"]; ok {
				said = append(said, inv)
			}
		}
		if again, ok := m["toolinvocations"].([]any); ok && said != nil && !reflect.DeepEqual(said, again) {
			return false
		}
	}
	return true
}

// foldedNames are the members of an object by name without case and "_".
func foldedNames(v any) map[string]any {
	o, _ := v.(map[string]any)
	folded := make(map[string]any, len(o))
	for name, m := range o {
		folded[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = m
	}
	return folded
}

// noNameTwice wants no object to get a member that it has.
func noNameTwice(x trial) error {
	if in, out := namesTwice(x.src), namesTwice(x.result.JSON); out > in {
		return fmt.Errorf("members of a name that their object has: %d in, %d out", in, out)
	}
	return nil
}

// namesTwice counts the members whose object has their name already. Names match
// without case and "_".
func namesTwice(src []byte) (n int) {
	d := json.NewDecoder(bytes.NewReader(src))
	var objects []map[string]bool // nil for an array
	isName := false
	for t, err := d.Token(); err == nil; t, err = d.Token() {
		top := len(objects) - 1
		switch name, _ := t.(string); {
		case t == json.Delim('{'):
			objects, isName = append(objects, map[string]bool{}), true
			continue
		case t == json.Delim('['):
			objects, isName = append(objects, nil), false
			continue
		case t == json.Delim('}'), t == json.Delim(']'):
			objects, top = objects[:top], top-1
		case isName:
			name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
			if objects[top][name] {
				n++
			}
			objects[top][name], isName = true, false
			continue
		}
		isName = top >= 0 && objects[top] != nil
	}
	return n
}
