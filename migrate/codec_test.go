package migrate

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"go.etcd.io/bbolt"
)

const poisonedDoc = `{"id":9007199254740993,"messages":[{"role":"user","content":"go"},` +
	`{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}],"end":1}`

const mendedDoc = `{"id":9007199254740993,"messages":[{"role":"user","content":"go"},` +
	`{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
	`{"role":"tool","tool_call_id":"c1","content":"[interrompu]"}],"end":1}`

// codecs wrap a JSON text and open it again.
var codecs = []struct {
	name       string
	wrap, open func(t *testing.T, s string) string
}{
	{"gzip", gzipped, gunzipped},
	{"zstd", zstded, unzstded},
	{"string", quoted, unquoted},
	{"base64", func(_ *testing.T, s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		func(t *testing.T, s string) string {
			b, err := base64.StdEncoding.DecodeString(s)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}},
	{"string in a document", func(t *testing.T, s string) string { return `{"v": 1, "doc": ` + quoted(t, s) + `}` }, inDoc},
	{"base64 in a document", func(_ *testing.T, s string) string {
		return `{"v": 1, "doc": "` + base64.StdEncoding.EncodeToString([]byte(s)) + `"}`
	}, func(t *testing.T, s string) string {
		var doc struct{ Doc []byte }
		if err := json.Unmarshal([]byte(s), &doc); err != nil {
			t.Fatal(err)
		}
		return string(doc.Doc)
	}},
	{"gzip of a string in a document", func(t *testing.T, s string) string { return gzipped(t, `{"doc":`+quoted(t, s)+`}`) },
		func(t *testing.T, s string) string { return inDoc(t, gunzipped(t, s)) }},
}

func gzipped(t *testing.T, s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gunzipped(t *testing.T, s string) string {
	r, err := gzip.NewReader(bytes.NewReader([]byte(s)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstded(t *testing.T, s string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(s), nil))
}

func unzstded(t *testing.T, s string) string {
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.DecodeAll([]byte(s), nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func quoted(t *testing.T, s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func unquoted(t *testing.T, s string) (out string) {
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func inDoc(t *testing.T, s string) string {
	var doc struct{ Doc string }
	if err := json.Unmarshal([]byte(s), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Doc
}

// rawDB makes a database with one bucket.
func rawDB(t *testing.T, values map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.db")
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket([]byte("b"))
		for k, v := range values {
			if err == nil {
				err = b.Put([]byte(k), []byte(v))
			}
		}
		return err
	})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCodecs repairs the same document in every wrapping.
func TestCodecs(t *testing.T) {
	for _, c := range codecs {
		t.Run(c.name, func(t *testing.T) {
			path := rawDB(t, map[string]string{"k": c.wrap(t, poisonedDoc)})
			if got := do(t, Scan, path, Options{}).sum; got.Poisoned != 1 || got.Findings["missing-result"] != 1 {
				t.Fatalf("scan: %+v", got)
			}
			if got := do(t, Repair, path, Options{}).sum; got.Fixed != 1 || got.Verdict != VerdictRepaired {
				t.Fatalf("repair: %+v", got)
			}
			if got := c.open(t, values(t, path)["b/k"]); got != mendedDoc {
				t.Errorf("it reads now\n%s", got)
			}
			if got := do(t, Repair, path, Options{}).sum; got.Verdict != VerdictSound {
				t.Errorf("a second repair: %+v", got)
			}
		})
	}
}

// TestPrefix: what stands in front of other values too is kept; what may be a
// checksum is not written over.
func TestPrefix(t *testing.T) {
	text := `[{"role":"user","content":"x"}]`
	path := rawDB(t, map[string]string{
		"a": "\x00\x00\x07\x01" + poisonedDoc, "b": "\x00\x00\x07\x01" + text, "c": "\x00\x00\x07\x01" + mendedDoc,
	})
	if got := do(t, Repair, path, Options{}).sum; got.Fixed != 1 {
		t.Errorf("a prefix that all values have: %+v", got)
	}
	if got := values(t, path)["b/a"]; got != "\x00\x00\x07\x01"+mendedDoc {
		t.Errorf("it reads now %q", got)
	}
	path = rawDB(t, map[string]string{"a": "\x9a\x13\x77\xf1" + poisonedDoc})
	if got := do(t, Repair, path, Options{}).sum; got.Fixed != 0 || got.ReportOnly != 1 {
		t.Errorf("a prefix that may be a checksum: %+v", got)
	}
}

// TestCutOff: a value that begins as a history and goes on as something else is
// listed, also where no other value is a history.
func TestCutOff(t *testing.T) {
	path := rawDB(t, map[string]string{"a": poisonedDoc + "\x00", "b": "{not JSON"})
	if got := do(t, Scan, path, Options{}).sum; got.Unrecognised != 1 || got.Unreadable != 0 {
		t.Errorf("%+v", got)
	}
}

// TestForeign: what no codec opens is said to be unrecognised if it speaks of
// calls.
func TestForeign(t *testing.T) {
	path := rawDB(t, map[string]string{"a": "\x82\xa4role\xa9assistant\xaatool_calls\x91\xa2c1"})
	if got := do(t, Scan, path, Options{}).sum; got.Unrecognised != 1 || got.Poisoned != 0 {
		t.Errorf("MessagePack: %+v", got)
	}
}
