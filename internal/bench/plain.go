package main

import (
	"encoding/json"
	"runtime"
	"sync"
	"sync/atomic"

	"go.etcd.io/bbolt"
)

// plainScan is what one would write in ten minutes: walk, unmarshal, and look
// whether each assistant message is followed by its results. It returns how
// many conversations are poisoned.
func plainScan(path string) (int, error) {
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer db.Close()
	values := make(chan []byte, 256)
	var poisoned atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	err = db.View(func(tx *bbolt.Tx) error {
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for v := range values {
					var messages []map[string]any
					if err := json.Unmarshal(v, &messages); err != nil {
						failed.Store(&err)
					} else if !paired(messages) {
						poisoned.Add(1)
					}
				}
			})
		}
		err := tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(_, v []byte) error {
				values <- v
				return nil
			})
		})
		close(values)
		wg.Wait()
		return err
	})
	if p := failed.Load(); p != nil {
		return 0, *p
	}
	return int(poisoned.Load()), err
}

func paired(messages []map[string]any) bool {
	var open []string
	for _, m := range messages {
		if m["role"] == "tool" {
			if len(open) == 0 || open[0] != m["tool_call_id"] {
				return false
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return false
		}
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			call, _ := c.(map[string]any)
			id, _ := call["id"].(string)
			function, _ := call["function"].(map[string]any)
			args, _ := function["arguments"].(string)
			if id == "" || !json.Valid([]byte(args)) {
				return false
			}
			open = append(open, id)
		}
	}
	return len(open) == 0
}
