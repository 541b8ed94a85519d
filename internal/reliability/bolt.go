package main

import (
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Exit codes of a child that came to its end; any other is a crash.
const (
	childDone   = 0
	childError  = 10
	childPanics = 11
)

// child does one operation of bbolt on a file, as an app would, and says on
// stdout what came of it.
func child(op, path string) (code int) {
	limitMemory()
	debug.SetMaxStack(64 << 20)
	defer func() {
		if r := recover(); r != nil {
			code = childPanics
		}
	}()
	said, err := operations[op](path)
	if err != nil {
		fmt.Println(err)
		return childError
	}
	fmt.Println(said)
	return childDone
}

var operations = map[string]func(path string) (string, error){
	"open":  func(path string) (string, error) { return reading(path, nil) },
	"walk":  func(path string) (string, error) { return reading(path, walk) },
	"check": func(path string) (string, error) { return reading(path, check) },
	"put":   put,
}

// reading opens a file for reading.
func reading(path string, fn func(*bolt.Tx) string) (said string, err error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: fn != nil, Timeout: time.Second})
	if err != nil {
		return "", err
	}
	defer db.Close()
	said = "ok"
	if fn != nil {
		err = db.View(func(tx *bolt.Tx) error { said = fn(tx); return nil })
	}
	return said, err
}

// walk reads every key and value, and says a hash of them.
func walk(tx *bolt.Tx) string {
	h, n := fnv.New64a(), 0
	var bucket func(b *bolt.Bucket)
	bucket = func(b *bolt.Bucket) {
		c := b.Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			h.Write(k)
			h.Write(v)
			n++
			if v == nil {
				bucket(b.Bucket(k))
			}
		}
	}
	bucket(tx.Cursor().Bucket())
	return fmt.Sprintf("%d %x", n, h.Sum64())
}

// check is bbolt's own, which has to be drained.
func check(tx *bolt.Tx) string {
	n := 0
	for range tx.Check() {
		n++
	}
	return fmt.Sprint(n)
}

// put changes one value.
func put(path string) (string, error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("chat"))
		if b == nil {
			return fmt.Errorf("no bucket")
		}
		return b.Put([]byte("k0201"), make([]byte, 100))
	})
	return "commits", err
}
