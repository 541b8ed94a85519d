package apps

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// documents is the layout of a conversation a value, which may be wrapped.
type documents struct {
	bucket string
	// value makes a value of an array of messages, array takes it out again.
	value func(t *testing.T, conv string, messages []string) []byte
	array func(t *testing.T, value []byte) []byte
}

func (d documents) layout(label string) layout {
	return layout{label: label, name: "document", put: d.put, get: d.get}
}

func (d documents) put(t *testing.T, tx *bbolt.Tx, conv string, messages []string) {
	put(t, makeBucket(t, tx, d.bucket), []byte(conv), d.value(t, conv, messages))
}

func (d documents) get(t *testing.T, tx *bbolt.Tx, conv string) (messages []any) {
	raw := bucket(t, tx, d.bucket).Get([]byte(conv))
	if raw == nil {
		t.Errorf("%s: the value is gone", conv)
		return nil
	}
	messages, _ = decodedAny(t, string(d.array(t, raw))).([]any)
	return messages
}

func listOf(messages []string) string { return "[" + strings.Join(messages, ",") + "]" }

// plainDocuments also count their messages.
var plainDocuments = documents{
	bucket: "documents",
	value: func(_ *testing.T, conv string, messages []string) []byte {
		return fmt.Appendf(nil, `{"id":%q,"messages":%s,"message_count":%d}`, conv, listOf(messages), len(messages))
	},
	array: func(t *testing.T, value []byte) []byte {
		var doc struct {
			ID       string
			Messages json.RawMessage
			Count    int `json:"message_count"`
		}
		if err := json.Unmarshal(value, &doc); err != nil {
			t.Fatal(err)
		}
		var list []json.RawMessage
		if err := json.Unmarshal(doc.Messages, &list); err != nil || len(list) != doc.Count {
			t.Errorf("%s: %d messages, the document counts %d: %v", doc.ID, len(list), doc.Count, err)
		}
		return doc.Messages
	},
}

// codecs are documents as they may be wrapped.
var codecs = []layout{
	bare("gzip", zip, unzip),
	bare("zstd", zstdOf, unzstd),
	bare("version byte", func(_ *testing.T, text []byte) []byte { return append([]byte{1}, text...) },
		func(t *testing.T, raw []byte) []byte {
			if raw[0] != 1 {
				t.Fatalf("version %d", raw[0])
			}
			return raw[1:]
		}),
	bare("text in a member", func(t *testing.T, text []byte) []byte {
		return encode(t, map[string]any{"n": 1, "messages": string(text)})
	}, func(t *testing.T, raw []byte) []byte {
		var doc struct{ Messages string }
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		return []byte(doc.Messages)
	}),
	bare("bytes in a member", func(t *testing.T, text []byte) []byte {
		return encode(t, map[string]any{"n": 1, "state": text})
	}, func(t *testing.T, raw []byte) []byte {
		var doc struct{ State []byte }
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		return doc.State
	}),
	bare("base64", func(_ *testing.T, text []byte) []byte {
		return []byte(base64.StdEncoding.EncodeToString(text))
	}, func(t *testing.T, raw []byte) []byte {
		text, err := base64.StdEncoding.DecodeString(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}),
	bare("zstd of a document with text", func(t *testing.T, text []byte) []byte {
		return zstdOf(t, encode(t, map[string]any{"messages": string(text)}))
	}, func(t *testing.T, raw []byte) []byte {
		var doc struct{ Messages string }
		if err := json.Unmarshal(unzstd(t, raw), &doc); err != nil {
			t.Fatal(err)
		}
		return []byte(doc.Messages)
	}),
	jsonLines(),
}

// bare is the layout of an array that is wrapped.
func bare(label string, wrap, unwrap func(*testing.T, []byte) []byte) layout {
	return documents{
		bucket: strings.ReplaceAll(label, " ", "_"),
		value: func(t *testing.T, _ string, messages []string) []byte {
			return wrap(t, []byte(listOf(messages)))
		},
		array: unwrap,
	}.layout(label)
}

// jsonLines is the layout of a message a line.
func jsonLines() layout {
	l := documents{
		bucket: "lines",
		value: func(t *testing.T, _ string, messages []string) []byte {
			var b bytes.Buffer
			for _, m := range messages {
				if err := json.Compact(&b, []byte(m)); err != nil {
					t.Fatal(err)
				}
				b.WriteByte('\n')
			}
			return b.Bytes()
		},
		array: func(t *testing.T, value []byte) []byte {
			text, ended := bytes.CutSuffix(value, []byte("\n"))
			if !ended && len(value) > 0 {
				t.Errorf("cut off: %s", value)
			}
			lines := slices.DeleteFunc(bytes.Split(text, []byte("\n")), func(l []byte) bool { return len(l) == 0 })
			return slices.Concat([]byte("["), bytes.Join(lines, []byte(",")), []byte("]"))
		},
	}.layout("lines")
	l.objects = true
	return l
}
