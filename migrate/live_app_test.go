package migrate

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// opening is how each conversation of the app begins, then key@version.
const opening = `[{"role":"system","content":"`

// A turn of the app takes exactly so many bytes, and its stamp stands in it
// three times.
const turnBytes = 512

// stamps is how often a conversation of some length has its stamp.
func stamps(size int) int { return 1 + 3*(size/turnBytes-1) }

// conversation makes a sound conversation of n turns. Its length says how many,
// and each page of it tells which version it is of.
func appConversation(key string, version, turns int) []byte {
	stamp := fmt.Sprintf("%s@%d", key, version)
	var b strings.Builder
	b.WriteString(opening + stamp + " ")
	b.WriteString(strings.Repeat("s", turnBytes-b.Len()-len(`"}`)) + `"}`)
	for i := range turns {
		head := fmt.Sprintf(`,{"role":"assistant","tool_calls":[{"id":"%[1]s-%[2]d","type":"function","function":{"name":"f","arguments":"{}"}}]}`+
			`,{"role":"tool","tool_call_id":"%[1]s-%[2]d","content":"%[1]s `, stamp, i)
		b.WriteString(head + strings.Repeat("t", turnBytes-len(head)-len(`"}`)) + `"}`)
	}
	return []byte(b.String() + "]")
}

// An app is what writes to the file.
type app struct {
	db      *bbolt.DB
	rng     *rand.Rand
	commits int
	keys    int // conversations so far
}

// beApp fills a file, says how often it committed, goes on until stdin ends,
// and says it again.
func beApp(path string, noSync bool) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		NoSync: noSync, NoGrowSync: noSync, NoFreelistSync: noSync, FreelistType: bbolt.FreelistMapType,
	})
	if err != nil {
		return err
	}
	defer db.Close()
	db.AllocSize = 1 << 20 // the file grows often
	mib, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	a := app{db: db, rng: rand.New(rand.NewPCG(1, 2))}
	if err := a.fill(mib << 20); err != nil {
		return err
	}
	fmt.Println(a.commits)
	ended := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	for {
		select {
		case <-ended:
			fmt.Println(a.commits)
			return nil
		default:
		}
		if err := a.update(a.step()); err != nil {
			return err
		}
	}
}

func (a *app) update(fn func(*bbolt.Tx) error) error {
	a.commits++
	return a.db.Update(fn)
}

// fill makes conversations until they take so many bytes.
func (a *app) fill(size int) error {
	for size > 0 {
		err := a.update(func(tx *bbolt.Tx) error {
			for range 500 {
				v := 1 + a.rng.IntN(20)
				if size -= v * turnBytes; size < 0 {
					return nil
				}
				if err := a.put(tx, "chats", fmt.Sprintf("conv-%07d", a.keys), v); err != nil {
					return err
				}
				a.keys++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// put writes a conversation of the present version.
func (a *app) put(tx *bbolt.Tx, bucket, key string, turns int) error {
	b, err := tx.CreateBucketIfNotExists([]byte(bucket))
	if err != nil {
		return err
	}
	return b.Put([]byte(key), appConversation(key, a.commits, turns))
}

// step is what the app does next.
func (a *app) step() func(*bbolt.Tx) error {
	room := fmt.Sprintf("room-%02d", a.rng.IntN(30))
	switch n := a.rng.IntN(500); {
	case n == 0:
		return func(tx *bbolt.Tx) error {
			return a.put(tx, "large", fmt.Sprintf("large-%d", a.rng.IntN(4)), 500+a.rng.IntN(2000))
		}
	case n < 10: // a bucket is dropped alone: bbolt 1.5 loses pages otherwise
		return func(tx *bbolt.Tx) error {
			if err := tx.DeleteBucket([]byte(room)); err != berrors.ErrBucketNotFound {
				return err
			}
			return nil
		}
	case n < 30:
		return func(tx *bbolt.Tx) (err error) {
			for i := 0; i < 20 && err == nil; i++ {
				err = a.put(tx, room, fmt.Sprintf("msg-%02d", i), 1+a.rng.IntN(4))
			}
			return err
		}
	case n < 130:
		return a.talk
	default:
		return a.changeChats
	}
}

// changeChats changes some conversations, deletes some, and adds some more, so
// that the file grows.
func (a *app) changeChats(tx *bbolt.Tx) error {
	for range 1 + a.rng.IntN(2) {
		key := fmt.Sprintf("conv-%07d", a.rng.IntN(a.keys))
		if a.rng.IntN(5) == 0 {
			if err := tx.Bucket([]byte("chats")).Delete([]byte(key)); err != nil {
				return err
			}
			continue
		}
		if err := a.put(tx, "chats", key, 1+a.rng.IntN(20)); err != nil {
			return err
		}
	}
	if a.commits%8 != 0 {
		return nil
	}
	a.keys++
	return a.put(tx, "chats", fmt.Sprintf("conv-%07d", a.keys-1), 1+a.rng.IntN(20))
}

// talk adds an exchange to a conversation that is kept in rows, a message a key,
// or takes the oldest one out.
func (a *app) talk(tx *bbolt.Tx) error {
	lines, err := tx.CreateBucketIfNotExists([]byte("lines"))
	if err != nil {
		return err
	}
	b, err := lines.CreateBucketIfNotExists(fmt.Appendf(nil, "line-%02d", a.rng.IntN(20)))
	if err != nil {
		return err
	}
	if a.rng.IntN(3) == 0 {
		c := b.Cursor()
		for range 2 { // an exchange has two rows
			if k, _ := c.First(); k != nil {
				if err := c.Delete(); err != nil {
					return err
				}
			}
		}
		return nil
	}
	id := fmt.Sprintf("call_%d", a.commits)
	pad := strings.Repeat("p", a.rng.IntN(3000))
	for _, message := range []string{
		`{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":"` + id + `","content":"` + pad + `"}`,
	} {
		seq, err := b.NextSequence()
		if err == nil {
			err = b.Put(fmt.Appendf(nil, "%010d", seq), []byte(message))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
