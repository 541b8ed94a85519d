package apps

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// decoded is a value of a dump with everything around its JSON taken off, and
// so with each of its strings that hold JSON.
func decoded(value string) any {
	if rest, ok := strings.CutPrefix(value, "quoted "); ok {
		if s, err := strconv.Unquote(rest); err == nil {
			value = s
		}
	}
	if _, rest, ok := strings.Cut(value, "zip {"); ok {
		value = "{" + rest
	} else if _, rest, ok := strings.Cut(value, "zstd {"); ok {
		value = "{" + rest
	}
	return unwrapped(unpacked(value))
}

// unpacked undoes a compression.
func unpacked(value string) string {
	switch {
	case strings.HasPrefix(value, "\x1f\x8b"):
		if r, err := gzip.NewReader(strings.NewReader(value)); err == nil {
			if b, err := io.ReadAll(r); err == nil {
				return string(b)
			}
		}
	case strings.HasPrefix(value, "\x28\xb5\x2f\xfd"):
		if r, err := zstd.NewReader(strings.NewReader(value)); err == nil {
			defer r.Close()
			if b, err := io.ReadAll(r); err == nil {
				return string(b)
			}
		}
	case strings.HasPrefix(value, "\x01{"):
		return value[1:]
	}
	return value
}

// unwrapped decodes JSON, one text or several behind one another; what is none
// stays text.
func unwrapped(s string) any {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var all []any
	for {
		var v any
		switch err := d.Decode(&v); {
		case err == io.EOF && len(all) == 1:
			return all[0]
		case err == io.EOF && len(all) > 0:
			return all
		case err != nil:
			return s
		}
		all = append(all, inside(v))
	}
}

// inside unwraps the strings of a value.
func inside(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = inside(v[k])
		}
	case []any:
		for i := range v {
			v[i] = inside(v[i])
		}
	case string:
		text := []byte(v)
		if b, err := base64.StdEncoding.DecodeString(v); err == nil {
			text = b
		}
		if t := bytes.TrimSpace(text); len(t) > 0 && (t[0] == '{' || t[0] == '[') && json.Valid(t) {
			return unwrapped(string(t))
		}
	}
	return v
}
