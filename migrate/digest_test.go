package migrate

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
)

// stays wants the one poisoned conversation of a database to be reported only,
// with a reason, or, without a reason, to be repaired; in a scan and in a repair.
func stays(t *testing.T, name, text, why string) {
	t.Helper()
	path := madeOf(t, text+"\n")
	before := dump(t, path)
	for _, c := range []command{Scan, Repair} {
		got := do(t, c, path, Options{})
		states := map[string]string{}
		for _, l := range got.lines {
			var h History
			if err := json.Unmarshal([]byte(l), &h); err == nil && h.Type == "history" {
				states[h.State] = h.Reason
			}
		}
		reason, only := states[ReportOnly]
		if only != (why != "") || !strings.Contains(reason, why) || len(states) != 1 {
			t.Errorf("%s: %s, want %q", name, got.lines, why)
		}
	}
	if same := dump(t, path) == before; same != (why != "") {
		t.Errorf("%s: written: %v", name, !same)
	}
}

const (
	hex64 = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	hex40 = "8843d7f92416211de9ebb963ff4ce28125932878"
	long  = "Q5lKZ3VtYmxlYmVlIGJ1bWJsZWJlZSBidW1ibGViZWUgYnVtYmxlYmVlIGJ1bWJsZWJlZSBidW1ibGViZWU="
)

// members are what may lie beside messages, and whether it is a digest over them.
var members = map[string]bool{
	`"digest":"` + hex64 + `"`: true, `"sha256":"` + hex64 + `"`: true, `"contentHash":"sha256:` + hex64 + `"`: true,
	`"crc32":826546241`: true, `"checksum":2868438245`: true, `"crc":"3144a2c1"`: true, `"adler32":17`: true, `"content_hash":14695981039346656037`: true,
	`"mac":"` + hex64 + `"`: true, `"sha":"` + hex64 + `"`: true, `"merkle_root":"` + hex64 + `"`: true, `"content_hash":"9f86d081884c7d65"`: true,
	`"etag":"\"` + hex40 + `\""`: true, `"md5":"XUFAKrxLKna5cZ2REBfFkg=="`: true, `"fingerprint":"9f86d081884c7d65"`: true,
	`"integrity":{"algo":"sha256","sha256":"` + hex64 + `"}`: true, `"meta":{"prev_hash":"` + hex64 + `"}`: true,

	`"git_commit_hash":"` + hex40 + `"`: false, `"commit_sha":"` + hex40 + `"`: false, `"head_sha":"` + hex40 + `"`: false,
	`"git":{"sha":"` + hex40 + `"}`: false, `"repo":{"hash":"` + hex40 + `"}`: false, `"file_hash":"` + hex64 + `"`: false,
	`"system_fingerprint":"fp_44709d6fcb44709d6fcb44709d6fcb44709d6fcb"`: false, `"meta":{"system_fingerprint":"9f86d081884c7d65"}`: false,
	`"password_hash":"` + hex64 + `"`: false, `"hash":"short"`: false, `"hash":12`: false, `"checksum":0`: false, `"crc":1.5`: false,
	`"mac":"3c:22:fb:aa:bb:cc"`: false, `"sha":"main"`: false, `"etag":"W/\"12\""`: false, `"message_count":826546241`: false,
	`"hashtag":"` + hex64 + `"`: false, `"thinking_signature":"` + long + `"`: false, `"parts":{"hash":"` + hex64 + `"}`: false,
}

// TestDigestMembers: a conversation with a digest beside it, in its messages or in
// its rows, is reported and stays; what is a digest of something else does not
// keep it from being repaired.
func TestDigestMembers(t *testing.T) {
	ask := `{"role":"user","content":"q"}`
	for member, isOne := range members {
		doc, row := "", ""
		if isOne {
			doc, row = "a digest lies beside it", "carries a digest"
		}
		stays(t, member, `s/a {"messages":[`+ask+`,`+openCall+`}],`+member+`}`, doc)
		stays(t, member+" in rows", "m/c/01 "+ask[:len(ask)-1]+","+member+"}\nm/c/02 "+openCall+","+member+"}", row)
		stays(t, member+" in wrapped rows", `m/c/01 {"message":`+ask+`,`+member+"}\nm/c/02 {\"message\":"+openCall+"},"+member+"}", row)
	}
	stays(t, "in a message", `s/a [`+ask+`,`+openCall+`,"sha256":"`+hex64+`"}]`, "a message carries a digest (sha256)")
	stays(t, "in a wrapped message", `m/c/01 {"message":`+openCall+`,"sha256":"`+hex64+`"}}`, "a message carries a digest (sha256)")
	stays(t, "signed", `s/a {"messages":[`+ask+`,`+openCall+`}],"signature":"`+long+`"}`, "a digest lies beside it (signature)")
	stays(t, "signed thinking", `s/a {"messages":[`+ask+`,{"role":"assistant","signature":"`+long+`","content":[{"type":"thinking","thinking":"x","signature":"`+long+`"},{"type":"tool_use","id":"c1","name":"f","input":{}}]}]}`, "")
	stays(t, "in content", `s/a [{"role":"user","content":[{"type":"file","file_hash":"`+hex64+`","sha256":"`+hex64+`"}]},`+openCall+`}]`, "")
	stays(t, "in content of rows", `m/c/01 {"role":"user","content":[{"type":"file","sha256":"`+hex64+"\"}]}\nm/c/02 "+openCall+"}", "")
}

// digests are the ways to write a digest down.
func digests(b string) map[string]string {
	s, one, five, crc := sha256.Sum256([]byte(b)), sha1.Sum([]byte(b)), md5.Sum([]byte(b)), crc32.ChecksumIEEE([]byte(b))
	return map[string]string{
		"hex":    hex.EncodeToString(s[:]),
		"HEX":    strings.ToUpper(hex.EncodeToString(one[:])),
		"base64": base64.StdEncoding.EncodeToString(five[:]),
		"url":    base64.URLEncoding.EncodeToString(s[:]),
		"raw":    string(s[:]),
		"in":     `{"id":"a","v":"` + hex.EncodeToString(five[:]) + `"}`,
		"crc":    fmt.Sprintf("%08x", crc),
		"number": fmt.Sprintf(`{"size":7,"v":%d}`, crc),
	}
}

// TestHeldDigests: what keeps a digest of a value, or of a row, under whatever
// name, is known by the digest itself.
func TestHeldDigests(t *testing.T) {
	doc := `{"messages":[{"role":"user","content":"q"},` + openCall + `}]}`
	rows := []string{`{"role":"user","content":"q"}`, openCall + `}`}
	bucket := "m/c/01 " + rows[0] + "\nm/c/02 " + rows[1] + "\n"
	for form, value := range digests(doc) {
		stays(t, form, "s/a "+doc+"\nx/a "+quotedLine(value), "a digest of it is held in x/a")
		stays(t, form+", of something else", "s/a "+doc+"\nx/a "+quotedLine(digests(doc + " ")[form]), "")
		if !slices.Contains([]string{"in", "crc", "number"}, form) {
			stays(t, form+", as key", "s/"+escaped(value)+" "+doc, "its key is a digest of it")
		}
	}
	for form, value := range digests(rows[0]) {
		stays(t, form+", of a row", bucket+"x/c/01 "+quotedLine(value), "a digest of it is held in x/c/01")
	}
	for form, value := range digests(rows[1]) {
		stays(t, form+", of the last row", bucket+"x/c "+quotedLine(value), "a digest of it is held in x/c")
	}
	stays(t, "of the messages", "s/a "+doc+"\nx/a "+quotedLine(digests(doc[12 : len(doc)-1])["hex"]), "a digest of it is held in x/a")
	stays(t, "in the value", `s/a {"v":"`+digests(doc[12 : len(doc)-1])["hex"]+`",`+doc[1:], "a digest lies beside it")
	stays(t, "of the text", "s/a "+quotedLine(gzipped(t, doc))+"\nx/a "+quotedLine(digests(doc)["hex"]), "a digest of it is held in x/a")
	stays(t, "nested", "s/u/a "+doc+"\nx/u/a "+quotedLine(digests(doc)["hex"]), "a digest of it is held in x/u/a")
}

func escaped(key string) string {
	var b strings.Builder
	for _, c := range []byte(key) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// TestLibraryIndexes: rows that storm or bolthold keeps indexes of stay.
func TestLibraryIndexes(t *testing.T) {
	rows := "Message/%01 {\"ID\":1,\"SessionID\":\"s\",\"Role\":\"user\",\"Content\":\"q\"}\nMessage/%02 {\"ID\":2,\"SessionID\":\"s\",\"Role\":\"assistant\",\"ToolCalls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}\n"
	rows = strings.NewReplacer("%0", "%00%00%00%00%00%00%00%0").Replace(rows)
	stays(t, "storm", rows+"Message/__storm_metadata/codec json", "storm keeps indexes")
	stays(t, "storm, an index", rows+"Message/__storm_index_SessionID/s__1 1", "storm keeps indexes")
	stays(t, "bolthold", rows+"_index:Message:SessionID/s 1", "bolthold keeps indexes")
	stays(t, "bolthold, of others", rows+"_index:User:Name/s 1", "")
}
