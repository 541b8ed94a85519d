package jsonedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// words make prose of the usual lengths.
var words = strings.Fields(`the of and a to in is you that it he was for on are as with his they at be this have
	from or one had by word but not what all were we when your can said there use an each which she do how their
	if will up other about out many then them these so some her would make like him into time has look two more
	write go see number no way could people my than first water been call who oil its now find long down day did
	get come made may part history conversation repository function request response configuration`)

// prose is text of n bytes with a line break about every gap bytes.
func prose(r *rand.Rand, n, gap int) string {
	var b strings.Builder
	for line := 0; b.Len() < n; {
		w := words[r.IntN(len(words))]
		b.WriteString(w)
		if line += len(w) + 1; line >= gap && r.IntN(4) > 0 {
			b.WriteByte("\n\n\n\"\t"[r.IntN(5)])
			line = 0
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// chat is a history of about n bytes in the spelling of one dialect.
func chat(r *rand.Rand, n, gap int) []byte {
	var msgs []map[string]any
	for size := 0; size < n; {
		text := prose(r, 40+r.IntN(1500), gap)
		id := fmt.Sprintf("call_%016x", r.Uint64())
		args, _ := json.Marshal(map[string]any{"path": "/srv/" + text[:20], "limit": r.IntN(100)})
		msgs = append(msgs,
			map[string]any{"role": "user", "content": text},
			map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
				"id": id, "type": "function", "function": map[string]any{"name": "read", "arguments": string(args)}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": text[len(text)/2:]})
		size += 2*len(text) + 200
	}
	b, err := json.Marshal(msgs)
	if err != nil {
		panic(err)
	}
	return b
}

// mixes are the kinds of text that the scanner meets.
func mixes() []struct {
	name string
	doc  []byte
} {
	r := rand.New(rand.NewPCG(1, 2))
	var small []map[string]any
	for range 80 {
		small = append(small, map[string]any{"role": "user", "content": prose(r, 60, 1000)})
	}
	smallDoc, _ := json.Marshal(small)
	blob, _ := json.Marshal([]map[string]any{{"type": "image", "data": bytes.Repeat([]byte("pixels"), 50000)}})
	chats := chat(r, 10<<10, 60)
	var pretty bytes.Buffer
	json.Indent(&pretty, chats, "", "  ")
	return []struct {
		name string
		doc  []byte
	}{
		{"prose10K", chat(r, 10<<10, 100)},
		{"chat10K", chats},
		{"dense10K", chat(r, 10<<10, 30)},
		{"code10K", chat(r, 10<<10, 1)},
		{"small60", smallDoc},
		{"value500", chat(r, 400, 60)},
		{"pretty", pretty.Bytes()},
		{"base64", blob},
	}
}

func BenchmarkScan(b *testing.B) {
	for _, m := range mixes() {
		run := func(name string, f func() error) {
			b.Run(m.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(m.doc)))
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		var p Parser
		run("parse", func() error { _, err := p.Parse(m.doc); return err })
		run("valid", func() error { return Valid(m.doc) })
		run("json.Valid", func() error {
			if !json.Valid(m.doc) {
				return ErrDepth
			}
			return nil
		})
		run("json.Unmarshal", func() error { var v []map[string]any; return json.Unmarshal(m.doc, &v) })
	}
}

func BenchmarkEdit(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	doc := chat(r, 10<<10, 60)
	d, err := Parse(doc)
	if err != nil {
		b.Fatal(err)
	}
	var items []Item
	for c := range d.Elems(0) {
		items = append(items, Item{Ref: c})
	}
	items = append(items[1:], Item{Raw: []byte(`{"role":"user"}`)})
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	var e Edit
	for b.Loop() {
		e.Reset()
		e.SetElems(0, items)
		e.Replace(d.Get(items[0].Ref, "role"), []byte(`"tool"`))
		e.Bytes(d)
	}
}
