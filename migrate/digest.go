package migrate

import (
	"bytes"
	"strings"

	"boltmend/internal/jsonedit"
)

// A digest over what is stored would not fit any more behind a repair, and an app
// that checks it would refuse the value. It is known by its name and its form.
// What is named for something else, as a file or a commit, is a digest of that.

// digestEnds are the ends of names of digests, folded, of which the first that
// fits counts.
var digestEnds = []string{
	"merkleroot", "fingerprint", signature, "checksum", "adler32", "receipt", "xxhash", "sha256", "sha512", "crc32c", "digest",
	"merkle", "crc32", "crc64", "hmac", "hash", "etag", "sha1", "fnv", "md5", "crc", "sha", "mac", "sig",
}

// signature ends names of what a key was used for. In messages it is a provider's,
// over what the model said.
const signature = "signature"

// otherThings begin names of digests of something else, folded.
var otherThings = []string{
	"commit", "git", "repo", "revision", "branch", "file", "image", "avatar", "attachment", "asset", "password", "token",
	"apikey", "secret", "user", "author", "device", "browser", "client", "system", "cert", "tls", "ssh", "model", "tools",
	"schema", "config", "build", "access", "api", "ip", "prompt", "feed", "peer", "phone", "email", "query", "request", "url", "title", "environment", "workspace", "project", "thinking", "thought", "reasoning",
}

// namesOther reports whether a folded name is one for something else than the
// conversation.
func namesOther(name string) bool {
	for _, thing := range otherThings {
		if strings.HasPrefix(name, thing) {
			return true
		}
	}
	return false
}

// digestEnd is the end of a name that makes it one of a digest, "" if none does.
func digestEnd(name []byte) string {
	if len(name) < 3 || len(name) > 64 {
		return ""
	}
	folded := fold(name)
	for _, end := range digestEnds {
		of, ok := strings.CutSuffix(folded, end)
		if !ok {
			continue
		}
		if git := end == "sha" && (of == "head" || of == "base" || of == "tree" || of == "blob"); git || namesOther(of) {
			return ""
		}
		return end
	}
	return ""
}

// isDigest reports whether the value of a member with such a name is one.
func isDigest(d *jsonedit.Doc, end string, value jsonedit.Ref) bool {
	switch {
	case end == "":
		return false
	case d.Kind(value) == jsonedit.Number:
		return isSum(end, d.Raw(value))
	case d.Kind(value) != jsonedit.String:
		return false
	}
	text := strings.Trim(strings.TrimPrefix(d.Text(value), "W/"), `"`) // an etag is quoted
	switch {
	case strings.HasPrefix(end, "crc"):
		return isHexText(text, 8)
	case end == signature || end == "sig":
		return len(text) >= 64 && isOf(text, digestChars)
	}
	return isHexText(text, 16) || len(text) >= 32 && isOf(text, digestChars) ||
		len(text) == 24 && strings.HasSuffix(text, "==") && isOf(text, digestChars) || // of MD5
		len(text) == 28 && strings.HasSuffix(text, "=") && isOf(text, digestChars) // of SHA-1
}

const (
	hexChars    = "0123456789abcdefABCDEF"
	digestChars = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/=_:-"
)

// isHexText reports whether a text is hex of so many digits or more.
func isHexText(text string, least int) bool {
	return len(text) >= least && len(text)%2 == 0 && isOf(text, hexChars)
}

func isOf(text, chars string) bool { return strings.Trim(text, chars) == "" }

// isSum reports whether a number may be a digest. Of a hash a small one may be a
// count, and 0 a checksum that is yet to be made.
func isSum(end string, number []byte) bool {
	if !isOf(string(number), "0123456789") {
		return false
	}
	switch end {
	case "hash", "xxhash", "fnv", "digest":
		return len(number) >= 7
	case "crc", "crc32", "crc32c", "crc64", "checksum", "adler32":
		return !bytes.Equal(number, []byte("0"))
	}
	return false
}

// A guard looks for digests, and remembers what names are.
type guard struct{ ends map[string]string }

// maxNames bounds the names that a guard remembers.
const maxNames = 256

func (g *guard) end(name []byte) string {
	if end, known := g.ends[string(name)]; known {
		return end
	}
	end := digestEnd(name)
	if g.ends == nil {
		g.ends = make(map[string]string)
	}
	if len(g.ends) < maxNames {
		g.ends[string(name)] = end
	}
	return end
}

// member reports whether a member is a digest, or, outside of messages, a
// signature.
func (g *guard) member(d *jsonedit.Doc, name, value jsonedit.Ref, signed bool) bool {
	if k := d.Kind(value); k != jsonedit.String && k != jsonedit.Number {
		return false
	}
	end := g.end(d.Inner(name))
	return (signed || end != signature && end != "sig") && isDigest(d, end, value)
}

// in names a member of an object, or of a small object in it, that is a digest
// over what lies beside; "" if none is. It passes over what has the node but, and
// over the content of a message.
func (g *guard) in(d *jsonedit.Doc, obj, but jsonedit.Ref, signed bool) string {
	for name, value := range membersOf(d, obj) {
		if inside(d, but, value) {
			continue
		}
		if g.member(d, name, value, signed) {
			return d.Text(name)
		}
		if d.Kind(value) != jsonedit.Object || d.End(value)-value > maxBox {
			continue
		}
		if box := d.Text(name); isContent(box) || namesOther(fold([]byte(box))) {
			continue
		}
		for inner, v := range d.Members(value) {
			if g.member(d, inner, v, signed) {
				return d.Text(name) + "." + d.Text(inner)
			}
		}
	}
	return ""
}

// maxBox is the largest object, in nodes, that is taken for one about what lies
// beside it. A larger one has things of its own.
const maxBox = 64
