package store

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

func crcOf(line []byte) uint32 {
	return crc32.Checksum(line, crc32.MakeTable(crc32.Castagnoli))
}

// crcTail is what a line ends with.
const crcTail = len(`,"crc":"12345678"}` + "\n")

// appendLine appends a journal line to dst: number and type, the members of
// body, then data and crc. body may be nil, and so may data.
func appendLine(dst []byte, n int64, kind string, body any, data []byte) ([]byte, error) {
	start := len(dst)
	dst = fmt.Appendf(dst, `{"n":%d,"type":%q`, n, kind)
	if body != nil {
		var j bytes.Buffer
		e := json.NewEncoder(&j)
		e.SetEscapeHTML(false)
		if err := e.Encode(body); err != nil {
			return nil, err
		}
		members := bytes.TrimSuffix(j.Bytes(), []byte("}\n"))[1:]
		dst = append(append(dst, ','), members...)
	}
	if data != nil {
		dst = append(dst, `,"data":"`...)
		dst = append(base64.StdEncoding.AppendEncode(dst, data), '"')
	}
	return fmt.Appendf(dst, `,"crc":"%08x"}`+"\n", crcOf(dst[start:])), nil
}

// A line is one that checks out: body is its members as a JSON object but for
// data, which is still base64. Both are valid until the next line is read.
type line struct {
	kind string
	body []byte
	data []byte
}

// parseLine returns false for a line that is not what appendLine makes for
// this number.
func parseLine(b []byte, n int64) (l line, ok bool) {
	cut := len(b) - crcTail
	if cut < 0 || string(b[cut:cut+8]) != `,"crc":"` || string(b[cut+16:]) != "\"}\n" {
		return line{}, false
	}
	sum, err := strconv.ParseUint(string(b[cut+8:cut+16]), 16, 32)
	if err != nil || uint32(sum) != crcOf(b[:cut]) {
		return line{}, false
	}
	// A line begins as it was written, so it need not be parsed to know what
	// it is; and data comes last, so that a long one is never parsed at all.
	rest, ok := bytes.CutPrefix(b[:cut], fmt.Appendf(nil, `{"n":%d,"type":"`, n))
	kind, _, found := bytes.Cut(rest, []byte(`"`))
	if !ok || !found {
		return line{}, false
	}
	l.kind, l.body = string(kind), b[:cut]
	if text, ok := bytes.CutSuffix(l.body, []byte(`"`)); ok {
		// No quote inside a string stands without a backslash before it.
		open := bytes.LastIndexByte(text, '"')
		if members, ok := bytes.CutSuffix(text[:open], []byte(`,"data":`)); ok {
			l.body, l.data = members, text[open+1:]
		}
	}
	// Over the first byte behind the members, which is data's or the crc's.
	l.body = append(l.body, '}')
	return l, true
}

// A lineReader reads lines in order until the first that does not check out.
type lineReader struct {
	src io.ReaderAt
	buf *bufio.Reader
	off int64 // of the next line
	n   int64 // its number
	mem []byte
}

func newLineReader(src io.ReaderAt) *lineReader {
	return &lineReader{src: src, buf: bufio.NewReaderSize(nil, 64<<10)}
}

// seek goes on at a line of that number, up to end.
func (r *lineReader) seek(start, end, n int64) {
	r.buf.Reset(io.NewSectionReader(r.src, start, end-start))
	r.off, r.n = start, n
}

// next returns the next line, or nil where the journal ends. An error is one
// of reading the file.
func (r *lineReader) next() (*line, error) {
	b, err := r.raw()
	if b == nil || err != nil {
		return nil, err
	}
	size := int64(len(b))
	l, ok := parseLine(b, r.n)
	if !ok {
		return nil, nil
	}
	r.n++
	r.off += size
	return &l, nil
}

// raw returns the bytes up to and with the next line end, nil if there is none
// or not soon enough.
func (r *lineReader) raw() ([]byte, error) {
	r.mem = r.mem[:0]
	for {
		part, err := r.buf.ReadSlice('\n')
		if len(r.mem)+len(part) > maxLine {
			return nil, nil
		}
		r.mem = append(r.mem, part...)
		switch err {
		case nil:
			return r.mem, nil
		case bufio.ErrBufferFull:
		case io.EOF:
			return nil, nil
		default:
			return nil, err
		}
	}
}
