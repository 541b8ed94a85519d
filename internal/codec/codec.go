package codec

import (
	"bytes"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"boltmend/internal/jsonedit"
)

const (
	// MaxDepth is the largest number of layers that are opened, all in all: a JSON text in a string of a
	// compressed value has two.
	MaxDepth = 3

	// keepBytes is the room for decompressed text that a Codec keeps from one value to the next.
	keepBytes = 32 << 20

	defaultMaxValue = 1 << 30
)

// Options are the bounds and the leave of a caller. The zero value is ready.
type Options struct {
	// MaxValue bounds what a value decompresses to, all its layers together. 0 is 1 GiB.
	MaxValue int64
	// KeepPrefix is the caller's knowledge that a prefix is the same before other values of the bucket, so
	// that it can be no checksum: [Unwrapped.Sealed] is then always empty.
	KeepPrefix bool
}

func (o Options) limit() int64 {
	if o.MaxValue <= 0 {
		return defaultMaxValue
	}
	return o.MaxValue
}

// A Codec unwraps one value after another with the same decoders and memory. Its zero value is ready. It
// serves one goroutine.
type Codec struct {
	gzipReader *gzip.Reader
	gzipWriter *gzip.Writer
	decoder    *zstd.Decoder // of whole values
	stream     *zstd.Decoder // of values that might be too large
	encoder    *zstd.Encoder
	inflater   io.ReadCloser // of what is looked at
	bufs       buffers
	back       *Codec // reads back what was wrapped

	// work is the value being opened: here, since it would be allocated anew for each value else.
	work Unwrapped
}

// buffers has room for the text under each layer.
type buffers [MaxDepth][]byte

// Kind says what a value turned out to be.
type Kind uint8

const (
	// Plain is text with nothing in it, a number, nothing at all.
	Plain Kind = iota
	// JSON begins as an object or array, or is a JSON string. Except under a prefix, in a string and as a
	// string it is not checked any further.
	JSON
	// Foreign is a format that is recognised and not opened: see [Unwrapped.Format].
	Foreign
	// Opaque is a lot of bytes without form: encrypted, or compressed without a sign.
	Opaque
	// Binary is any other bytes.
	Binary
)

// String is the kind's name, in lower case.
func (k Kind) String() string {
	return [...]string{"plain", "json", "foreign", "opaque", "binary"}[k]
}

// Unwrapped is a value with its layers off. It is valid until the next Unwrap of its Codec and as long as
// the value itself is.
type Unwrapped struct {
	// Kind is what is under the layers.
	Kind Kind
	// Text is what is under the layers: the JSON text of kind JSON. Leave its bytes alone.
	Text []byte
	// Format names what is Foreign, "" else.
	Format string
	// Sealed says why [Unwrapped.Rewrap] will refuse, "" if it need not.
	Sealed string
	// Err is set by [Codec.InString] and [Codec.Strings] alone, for what should not pass in silence though it
	// could not be opened: a [*LimitError] or [ErrDepth].
	Err error

	raw    []byte // the value itself, or the JSON string
	flat   []byte // Text, before JSON lines became an array
	layers []layer
	codec  *Codec
	opts   Options
	left   int64 // how many bytes may still be made
}

// Unwrap is [Codec.Unwrap] with a Codec of its own: what it returns stays valid.
func Unwrap(raw []byte, o Options) (Unwrapped, error) {
	return new(Codec).Unwrap(raw, o)
}

// Unwrap takes the layers off a value until JSON shows, or something that is no layer. It fails with an
// [*Error] or a [*LimitError] on what is a layer by its first bytes and does not open; it knows the layers
// down to that one then. A value that begins as JSON is returned as it is, at once and without a check.
func (c *Codec) Unwrap(raw []byte, o Options) (Unwrapped, error) {
	if len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') {
		return Unwrapped{Kind: JSON, Text: raw, raw: raw, flat: raw, codec: c, opts: o, left: o.limit()}, nil
	}
	for i := range c.bufs {
		if cap(c.bufs[i]) > keepBytes {
			c.bufs[i] = nil
		}
	}
	c.work = Unwrapped{Text: raw, raw: raw, codec: c, opts: o, left: o.limit()}
	err := c.work.open(&c.bufs)
	return c.work, err
}

// Retry is for a Text of kind JSON that turned out to be no JSON text. It reports whether there is one behind
// another layer: Text is then the array that JSON lines are shown as, or what is behind a prefix that begins
// like JSON (one length in a hundred does). If not, the kind becomes Foreign or Opaque if that is what the bytes
// are; it stays JSON for broken JSON. It fails as [Codec.Unwrap] does.
func (u *Unwrapped) Retry() (bool, error) {
	if u.Kind != JSON || jsonedit.Valid(u.Text) == nil {
		return false, nil
	}
	if u.lines() {
		return true, nil
	}
	n := len(u.layers)
	if err := openPrefix(u, &u.codec.bufs); err != nil {
		return false, err
	}
	if len(u.layers) > n {
		err := u.open(&u.codec.bufs)
		return err == nil && u.Kind == JSON, err
	}
	if kind, format := classify(u.Text); kind == Foreign || kind == Opaque {
		u.Kind, u.Format = kind, format
	}
	return false, nil
}

// Depth is the number of layers.
func (u *Unwrapped) Depth() int { return len(u.layers) }

// String names the layers from the outside in, as in "zstd+lines"; "" without layers.
func (u *Unwrapped) String() string {
	names := make([]string, len(u.layers))
	for i := range u.layers {
		names[i] = u.layers[i].name()
	}
	return strings.Join(names, "+")
}

// Prefix is the bytes in front of the JSON or of a compressed frame; nil without.
func (u *Unwrapped) Prefix() []byte {
	for i := range u.layers {
		if u.layers[i].kind == prefixed {
			return u.layers[i].prefix.bytes
		}
	}
	return nil
}

// open takes off layer after layer.
func (u *Unwrapped) open(bufs *buffers) error {
	for {
		u.flat = u.Text
		if beginsAsJSON(u.Text) {
			u.Kind = JSON
			return nil
		}
		n := len(u.layers)
		for _, open := range openers {
			if err := open(u, bufs); err != nil {
				u.Kind = Binary
				return err
			}
			if len(u.layers) > n {
				break
			}
		}
		if len(u.layers) == n {
			u.Kind, u.Format = classify(u.Text)
			return nil
		}
	}
}

// openers look for a layer each and take it off if it is there. The order counts: what has a magic number
// comes before what has none.
var openers = [...]func(*Unwrapped, *buffers) error{openGzip, openZstd, openPrefix, openBase64}

// push notes a layer that is off, with the text that is under it.
func (u *Unwrapped) push(l layer, text []byte) {
	u.layers = append(u.layers, l)
	u.Text = text
}

// beginsAsJSON reports whether s begins as an object or array, or is a JSON string: the latter may hold more.
func beginsAsJSON(s []byte) bool {
	s = bytes.TrimLeft(s, space)
	switch {
	case len(s) == 0:
		return false
	case s[0] == '"':
		return jsonedit.Valid(s) == nil
	}
	return s[0] == '{' || s[0] == '['
}

// space is the white space of JSON.
const space = " \t\r\n"
