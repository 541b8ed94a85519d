package oracle

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// An object is a JSON object as a Go struct takes it in: names match without
// case and "_", and of equal ones the last counts. Values are object, []any,
// string, json.Number, bool or nil.
type object map[string]any

// decode reads one JSON value.
func decode(src []byte) (any, error) {
	if !json.Valid(src) {
		return nil, errors.New("body is no valid JSON")
	}
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if v, ok := folded(v); ok {
		return v, nil
	}
	d = json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	return byToken(d)
}

// folded folds the names of decoded objects. It fails for an object with two
// spellings of one name: a map does not tell which came last.
func folded(v any) (any, bool) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			e, ok := folded(v[i])
			if !ok {
				return nil, false
			}
			v[i] = e
		}
	case map[string]any:
		o := make(object, len(v))
		for name, m := range v {
			m, ok := folded(m)
			if !ok {
				return nil, false
			}
			o[fold(name)] = m
		}
		return o, len(o) == len(v)
	}
	return v, true
}

// byToken reads a value in the order in which it is written.
func byToken(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := byToken(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		o := object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := byToken(d)
			if err != nil {
				return nil, err
			}
			o[fold(name.(string))] = v
		}
		_, err := d.Token()
		return o, err
	}
	return t, nil
}

func fold(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// text returns a member that is a string, else "".
func (o object) text(name string) string {
	s, _ := o[name].(string)
	return s
}

// objects returns the objects of a member that is an array.
func (o object) objects(name string) []object {
	list, _ := o[name].([]any)
	var objects []object
	for _, v := range list {
		if e, ok := v.(object); ok {
			objects = append(objects, e)
		}
	}
	return objects
}

// blank reports whether the member is there and is a string of nothing but space.
func (o object) blank(name string) bool {
	s, ok := o[name].(string)
	return ok && blank(s)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func unbase64(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	return b
}
