package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"go.etcd.io/bbolt"
)

const (
	valueBytes   = 10 << 10
	onePoisoned  = 100 // in so many
	putsAtOnce   = 2000
	wordsOfProse = "the of a to in is that it was for on are with as this be at by not have from or one had but what all were when we there can an your which said if will each about how up out them then she many some so these would other into has more two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know"
)

// makeFile makes a database of conversations of about 10 KiB, bare arrays in
// one bucket.
func makeFile(path string, size int) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, NoFreelistSync: false})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	n := 0
	for done := 0; done < size; {
		err = db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("conversations"))
			if err != nil {
				return err
			}
			b.FillPercent = 0.9
			for range putsAtOnce {
				v := conversation(r, n%onePoisoned == onePoisoned/2)
				if err := b.Put(fmt.Appendf(nil, "conv-%09d", n), v); err != nil {
					return err
				}
				n++
				if done += len(v); done >= size {
					break
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := db.Sync(); err != nil {
		return err
	}
	return db.Close()
}

type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// conversation makes turns of a question, one or two calls with their results
// and an answer, until it has its size.
func conversation(r *rand.Rand, poisoned bool) []byte {
	var all []message
	size := 0
	add := func(m message) {
		all = append(all, m)
		size += len(m.Content) + 60 + 160*len(m.ToolCalls)
	}
	add(message{Role: "system", Content: prose(r, 300)})
	for turn := 0; size < valueBytes; turn++ {
		add(message{Role: "user", Content: prose(r, 80+r.IntN(160))})
		m := message{Role: "assistant"}
		for i := range 1 + r.IntN(2) {
			args, _ := json.Marshal(map[string]any{"path": "/srv/" + word(r) + "/" + word(r), "query": prose(r, 40)})
			m.ToolCalls = append(m.ToolCalls, call{fmt.Sprintf("call_%d_%d", turn, i), "function", function{word(r), string(args)}})
		}
		add(m)
		for i, c := range m.ToolCalls {
			if poisoned && turn == 1 && i == len(m.ToolCalls)-1 {
				continue // never answered
			}
			add(message{Role: "tool", Content: prose(r, 300+r.IntN(900)), ToolCallID: c.ID})
		}
		add(message{Role: "assistant", Content: prose(r, 200+r.IntN(600))})
	}
	v, err := json.Marshal(all)
	if err != nil {
		panic("bench: " + err.Error())
	}
	return v
}

var words = strings.Fields(wordsOfProse)

func word(r *rand.Rand) string { return words[r.IntN(len(words))] }

// prose is text with a quote or a line break about every 60 bytes, as chat
// text has.
func prose(r *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		switch r.IntN(44) {
		case 0, 1:
			b.WriteString(".\n")
		case 2:
			b.WriteString("\"" + word(r) + "\" ")
		default:
			b.WriteString(word(r) + " ")
		}
	}
	return b.String()
}
