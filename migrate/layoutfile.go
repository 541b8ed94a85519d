package migrate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"boltmend/repair"
	"boltmend/store"
)

// A layout file fixes what would else be discovered. It is a line of JSON that
// says what it is, and then a line for each choice; the first one whose bucket
// matches counts, and buckets without one are looked at as ever.

// A BucketLayout is how the values of some buckets are stored.
type BucketLayout struct {
	// Bucket is a glob over encoded bucket paths.
	Bucket string `json:"bucket"`
	// Layout is "document", "rows", "rows-composite", "rows-field",
	// "rows-indexed", or "none" for buckets that are not to be looked at.
	Layout string `json:"layout"`
	// Dialect is the only one that counts, "" for any.
	Dialect string `json:"dialect,omitempty"`
	// Key is the form of keys, of composite ones that of the part behind the
	// separator: be64, be32, padded, decimal, hex, rfc3339, ulid, uuid7, uuid
	// or opaque.
	Key string `json:"key,omitempty"`
	// Separator stands between conversation and place, or with rows-field
	// between what all keys begin with and the place; SeparatorFirst takes the
	// first of several.
	Separator      string `json:"separator,omitempty"`
	SeparatorFirst bool   `json:"separator_first,omitempty"`
	// Message is the member that holds the message, Conversation the one that
	// names the conversation, Order the one that orders the rows.
	// Kind is the member that says which rows are messages, where others look
	// like some.
	Message      string `json:"message,omitempty"`
	Kind         string `json:"kind,omitempty"`
	Conversation string `json:"conversation,omitempty"`
	Order        string `json:"order,omitempty"`
	// Index is the encoded path of the bucket that orders the rows, with /*
	// behind it if each conversation has a bucket in it. IndexSeparator stands
	// between conversation and place in its entries, if they name one.
	Index          string `json:"index,omitempty"`
	IndexSeparator string `json:"index_separator,omitempty"`
}

const (
	layoutFormat  = "boltmend-layout"
	layoutVersion = 1
	layoutNone    = "none"
	// maxLayoutLine bounds a line, maxLayouts their number.
	maxLayoutLine = 1 << 20
	maxLayouts    = 10_000
)

type layoutHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// WriteLayout writes a layout file.
func WriteLayout(w io.Writer, all []BucketLayout) error {
	enc := json.NewEncoder(w)
	if err := enc.Encode(layoutHeader{layoutFormat, layoutVersion}); err != nil {
		return err
	}
	for i := range all {
		if err := enc.Encode(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

// ReadLayout reads a layout file. What is wrong is said with its line.
func ReadLayout(r io.Reader) ([]BucketLayout, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLayoutLine)
	var all []BucketLayout
	n := 0
	for lines.Scan() {
		n++
		if n > 1 && len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var err error
		if n == 1 {
			var h layoutHeader
			if err = strict(lines.Bytes(), &h); err == nil && (h.Format != layoutFormat || h.Version != layoutVersion) {
				err = fmt.Errorf("not %q of version %d: make one with `boltmend inspect --save FILE DB`", layoutFormat, layoutVersion)
			}
		} else {
			var b BucketLayout
			if err = strict(lines.Bytes(), &b); err == nil {
				err = b.check()
			}
			all = append(all, b)
		}
		if err == nil && len(all) > maxLayouts {
			err = fmt.Errorf("more than %d choices", maxLayouts)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	if n == 0 {
		return nil, errors.New("line 1: the file is empty: make one with `boltmend inspect --save FILE DB`")
	}
	return all, nil
}

// strict decodes one object that has no other members, and nothing behind it.
func strict(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New("not the JSON object that is wanted here: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.More() {
		return errors.New("more than one JSON object on a line")
	}
	return nil
}

// check says what is wrong with a choice.
func (b *BucketLayout) check() error {
	if _, err := path.Match(strings.ReplaceAll(b.Bucket, "**", "*"), ""); err != nil || b.Bucket == "" {
		return fmt.Errorf("bucket %q is no pattern: write * for any name, ** for any path", b.Bucket)
	}
	if b.Dialect != "" {
		known := false
		for _, d := range repair.Dialects() {
			known = known || string(d) == b.Dialect
		}
		if !known {
			return fmt.Errorf("unknown dialect %q", b.Dialect)
		}
	}
	if _, err := store.DecodePath(strings.TrimSuffix(b.Index, "/*")); err != nil {
		return fmt.Errorf("index %q is no bucket path: %w", b.Index, err)
	}
	inRows := b.Layout == rows || b.Layout == rowsComposite || b.Layout == rowsField || b.Layout == rowsIndexed
	switch {
	case b.Layout == document || b.Layout == layoutNone:
		if b.Key+b.Separator+b.Message+b.Kind+b.Conversation+b.Order+b.Index+b.IndexSeparator != "" {
			return fmt.Errorf("layout %q has no key, separator, message, kind, conversation, order or index", b.Layout)
		}
	case !inRows:
		return fmt.Errorf("unknown layout %q: use document, rows, rows-composite, rows-field, rows-indexed or none", b.Layout)
	case b.form() == keyForms:
		return fmt.Errorf("unknown key %q: use %s", b.Key, keyNames())
	case b.Layout != rowsComposite && b.Layout != rowsField && b.Separator != "":
		return errors.New("a separator goes with rows-composite and rows-field only")
	case b.Layout == rowsComposite && b.Separator == "" && b.form() != be64:
		return errors.New("rows-composite needs a separator, but for keys of eight bytes (be64)")
	case (b.Layout == rowsIndexed) != (b.Index != ""):
		return errors.New("an index goes with rows-indexed, and only with it")
	case b.IndexSeparator != "" && (b.Index == "" || strings.HasSuffix(b.Index, "/*")):
		return errors.New("an index_separator goes with an index that is one bucket")
	case b.Kind != "" && b.Message == "":
		return errors.New("a kind goes with a message, the member that holds it")
	case b.Layout == rowsField && b.Conversation == "" && b.Order == "":
		return errors.New("rows-field needs a conversation or an order")
	}
	return nil
}

// form is the form of keys, keyForms for one that is unknown.
func (b *BucketLayout) form() keyForm {
	for f := opaque; f < keyForms; f++ {
		if b.Key == f.String() {
			return f
		}
	}
	return keyForms
}

// layout is the choice for the rows of a bucket.
func (b *BucketLayout) layout() *layout {
	l := &layout{
		kind: b.Layout, form: b.form(), wrap: b.Message, kindOf: b.Kind, conv: b.Conversation, order: b.Order,
		sep: separator{text: b.Separator, first: b.SeparatorFirst},
	}
	if l.form == be64 && (l.kind == rowsComposite || l.sep.text != "") {
		l.sep.fixed = 8
	}
	if !l.sep.first {
		l.sep.tail = tailBehind(l.sep.text, l.form)
	}
	if b.Layout == rowsIndexed {
		l.index = b.index()
	}
	return l
}

// index is the chosen index.
func (b *BucketLayout) index() *index {
	path, nested := strings.CutSuffix(b.Index, "/*")
	x := &index{nested: nested, parted: b.IndexSeparator != "", sep: separator{text: b.IndexSeparator}}
	x.path, _ = store.DecodePath(path) // it was checked
	return x
}

// fixed is the choice for a bucket, nil without one.
func (o *Options) fixed(b *store.Bucket) *BucketLayout {
	for i := range o.Layouts {
		if matchPath(o.Layouts[i].Bucket, b.Encoded) {
			return &o.Layouts[i]
		}
	}
	return nil
}

// choice is the line of a layout file that says what was discovered.
func (l *layout) choice(b *store.Bucket) *BucketLayout {
	c := &BucketLayout{
		Bucket: b.Encoded, Layout: l.kind, Key: l.form.String(),
		Message: l.wrap, Kind: l.kindOf, Conversation: l.conv, Order: l.order, Index: l.index.choice(),
	}
	if l.index != nil && l.index.parted {
		c.IndexSeparator = l.index.sep.text
	}
	if l.sep != (separator{}) {
		c.Separator, c.SeparatorFirst = l.sep.text, l.sep.first
	}
	return c
}
