package apps

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The apps of compressed.
type plainState struct {
	Messages []message `json:"messages"`
}

func packedPrograms() []program {
	return []program{
		packed("g1", unzip, zip).program("compressed", "gzip", "openai-chat"),
		packed("z1", unzstd, zstdOf).program("compressed", "zstd", "openai-chat"),
		versioned().program("compressed", "version byte", "openai-chat"),
		logLines().program("compressed", "lines", "openai-chat"),
	}
}

func packed(key string, open, close func(*testing.T, []byte) []byte) document[plainState, message] {
	return document[plainState, message]{
		bucket: "packed", keys: []string{key}, turn: turn(),
		open:  func(t *testing.T, raw []byte) plainState { return decode[plainState](t, open(t, raw)) },
		close: func(t *testing.T, v plainState) []byte { return close(t, encode(t, v)) },
		list:  func(s *plainState) *[]message { return &s.Messages },
	}
}

func versioned() document[plainState, message] {
	d := packed("", func(t *testing.T, raw []byte) []byte {
		if len(raw) == 0 || raw[0] != 1 {
			t.Fatalf("not of version 1: %q", raw)
		}
		return raw[1:]
	}, func(_ *testing.T, text []byte) []byte { return append([]byte{1}, text...) })
	d.bucket, d.keys = "versioned", nil
	return d
}

// logLines has a message a line, behind a line about the session.
func logLines() document[[]message, message] {
	var head []byte
	return document[[]message, message]{
		bucket: "lines", turn: turn(),
		open: func(t *testing.T, raw []byte) (list []message) {
			text, ok := bytes.CutSuffix(raw, []byte("\n"))
			if !ok {
				t.Fatalf("cut off: %q", raw)
			}
			lines := bytes.Split(text, []byte("\n"))
			head = bytes.Clone(lines[0])
			for _, l := range lines[1:] {
				list = append(list, decode[message](t, l))
			}
			return list
		},
		close: func(t *testing.T, list []message) []byte {
			out := append(head, '\n')
			for _, m := range list {
				out = append(append(out, encode(t, m)...), '\n')
			}
			return out
		},
		list: func(list *[]message) *[]message { return list },
	}
}

func unzip(t *testing.T, raw []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func zip(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unzstd(t *testing.T, raw []byte) []byte {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := r.DecodeAll(raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func zstdOf(t *testing.T, text []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(text, nil)
}
