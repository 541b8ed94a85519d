// Package dbtext writes bbolt databases as text and back, for tests and for
// the databases in testdata/stores. Names are percent-encoded as in a ref, and
// a line is one of
//
//	bucket/bucket/key value      the rest of the line is the value
//	bucket/key @file             the value is a file's bytes, but for one last newline
//	bucket/key quoted "..."      the value is a Go string
//	bucket/key gzip ...          the value is the rest of the line, compressed
//	bucket/key zstd ...          likewise
//	bucket/bucket/               a bucket, for those that hold nothing
//	sequence bucket/bucket 17    a bucket's sequence
//	# a comment
package dbtext

//go:generate go run ./make ../../testdata/stores

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"go.etcd.io/bbolt"
)

// Make makes a database of a text, or adds the text to the one that is there.
// read gives the file that a value names; nil allows none.
func Make(path, text string, read func(name string) string) error {
	db, err := bbolt.Open(path, 0o644, &bbolt.Options{Timeout: time.Second, PageSize: 4096})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Update(func(tx *bbolt.Tx) error {
		for i, line := range strings.Split(text, "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			if err := putLine(tx, line, read); err != nil {
				return fmt.Errorf("line %d: %w", i+1, err)
			}
		}
		return nil
	})
}

func putLine(tx *bbolt.Tx, line string, read func(string) string) error {
	path, value, _ := strings.Cut(strings.Replace(line, "\t", " ", 1), " ")
	value = strings.TrimLeft(value, " \t")
	if path == "sequence" {
		path, number, _ := strings.Cut(value, " ")
		n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 64)
		if err != nil {
			return err
		}
		b, _, err := bucketOf(tx, path+"/")
		if err != nil {
			return err
		}
		return b.SetSequence(n)
	}
	b, key, err := bucketOf(tx, path)
	if err != nil || len(key) == 0 {
		return err
	}
	raw, err := valueOf(value, read)
	if err != nil {
		return err
	}
	return b.Put(key, raw)
}

// valueOf is the value that a line stands for.
func valueOf(text string, read func(string) string) ([]byte, error) {
	if file, ok := strings.CutPrefix(text, "@"); ok && read != nil {
		return []byte(strings.TrimSuffix(read(file), "\n")), nil
	}
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "quoted":
		s, err := strconv.Unquote(rest)
		return []byte(s), err
	case "gzip":
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, rest)
		err = errors.Join(err, w.Close())
		return b.Bytes(), err
	case "zstd":
		w, err := zstd.NewWriter(nil)
		if err != nil {
			return nil, err
		}
		return w.EncodeAll([]byte(rest), nil), w.Close()
	}
	return []byte(text), nil
}

// bucketOf makes the buckets of a path and returns the last, and the key.
func bucketOf(tx *bbolt.Tx, path string) (b *bbolt.Bucket, key []byte, err error) {
	names := strings.Split(path, "/")
	if len(names) < 2 {
		return nil, nil, fmt.Errorf("%s: no bucket", path)
	}
	for i, name := range names {
		raw, err := url.PathUnescape(name)
		switch {
		case err != nil:
			return nil, nil, err
		case i == len(names)-1:
			return b, []byte(raw), nil
		case b == nil:
			b, err = tx.CreateBucketIfNotExists([]byte(raw))
		default:
			b, err = b.CreateBucketIfNotExists([]byte(raw))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return b, nil, nil
}

// Dump writes a database as Make reads it.
func Dump(w io.Writer, path string) error {
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			return dumpBucket(w, encodeName(name), b)
		})
	})
}

func dumpBucket(w io.Writer, path string, b *bbolt.Bucket) error {
	fmt.Fprintf(w, "%s/\n", path)
	if n := b.Sequence(); n > 0 {
		fmt.Fprintf(w, "sequence %s %d\n", path, n)
	}
	return b.ForEach(func(k, v []byte) error {
		inner := path + "/" + encodeName(k)
		if v == nil {
			return dumpBucket(w, inner, b.Bucket(k))
		}
		if !plainValue(v) {
			v = []byte("quoted " + strconv.Quote(string(v)))
		}
		_, err := fmt.Fprintf(w, "%s %s\n", inner, v)
		return err
	})
}

// plainValue reports whether v can stand in a line as it is.
func plainValue(v []byte) bool {
	for _, word := range []string{"@", "quoted ", "gzip ", "zstd "} {
		if bytes.HasPrefix(v, []byte(word)) {
			return false
		}
	}
	return utf8.Valid(v) && bytes.IndexFunc(v, unicode.IsControl) < 0 && bytes.Equal(bytes.TrimSpace(v), v)
}

func encodeName(name []byte) string {
	var b strings.Builder
	for i, c := range name {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("._:-", c) >= 0, c == '~' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
