package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"boltmend/store/page"
)

// compactTx is how many bytes one transaction of a compaction takes. In memory
// it takes four times as many. bbolt's own default of 64 KiB makes thousands of
// commits and a larger file; more than this is no faster.
const compactTx = 4 << 20

// Compact writes all that a view sees into a new, private file beside final,
// mode 0600, which nobody else opens: it may be repaired, and becomes final by
// [Publish], or is removed. final must not exist. The source is only read. The
// copy is not synced before Publish. progress is told of bytes of keys and
// values.
func Compact(ctx context.Context, src *View, final string, progress Progress) (temp string, err error) {
	if final, err = filepath.Abs(final); err != nil {
		return "", ioError(final, "find the folder", err)
	}
	if _, err := os.Lstat(final); !errors.Is(err, fs.ErrNotExist) {
		return "", createError(final, "make the new database", also(err, fs.ErrExist))
	}
	if err := checkNeeds([]need{{filepath.Dir(final), src.Total(), theCopy}}); err != nil {
		return "", err
	}
	temp = final + namePart + "output" + tempEnd
	if err := removeDead(temp); err != nil {
		return "", err
	}
	c := &compactor{ctx: ctx, total: src.Total(), progress: progress.phase("compact")}
	if err := c.open(temp, src); err != nil {
		return "", err
	}
	err = src.Walk(c.put, c.enter)
	if err == nil {
		err = c.commit()
	}
	if err = also(err, c.close()); err != nil {
		os.Remove(temp)
		return "", ioError(temp, "write the new database", err)
	}
	return temp, nil
}

// removeDead removes the temporary file of a run that was killed: one that
// runs holds the lock on it.
func removeDead(temp string) error {
	st, err := os.Lstat(temp)
	if err != nil || !st.Mode().IsRegular() {
		return nil // if something else is in the way, O_EXCL will tell
	}
	f, err := os.OpenFile(temp, os.O_RDWR|noFollow|noWait, 0)
	if err != nil {
		return ioError(temp, "look at the file that an earlier run left", err)
	}
	defer f.Close()
	if err := lockFile(context.Background(), f, temp, true, 0); err != nil {
		return err
	}
	if err := os.Remove(temp); err != nil {
		return ioError(temp, "remove what an earlier run left", err)
	}
	return nil
}

// A compactor writes what a walk sees. stack holds the open buckets by depth.
type compactor struct {
	ctx         context.Context
	bolt        *bolt.DB
	tx          *bolt.Tx
	stack       []*bolt.Bucket
	path        [][]byte
	size        int64
	done, total int64
	progress    func(done, total int64)
}

func (c *compactor) open(temp string, src *View) (err error) {
	c.bolt, err = bolt.Open(temp, 0o600, &bolt.Options{
		Timeout:        time.Millisecond,
		PageSize:       src.metas.PageSize,
		NoFreelistSync: src.metas.Meta[src.metas.Live].Freelist == page.NoFreelist,
		FreelistType:   bolt.FreelistMapType,
		NoSync:         true,
		NoGrowSync:     true,
		NoStatistics:   true,
		OpenFile: func(name string, _ int, mode os.FileMode) (*os.File, error) {
			return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, mode)
		},
	})
	if err != nil {
		return createError(temp, "make the new database", err)
	}
	if c.tx, err = c.bolt.Begin(true); err != nil {
		return also(ioError(temp, "write the new database", err), c.bolt.Close())
	}
	return nil
}

func (c *compactor) enter(b *Bucket) error {
	if err := c.room(len(b.Encoded)); err != nil {
		return err
	}
	c.stack = c.stack[:b.Depth-1]
	parent := c.tx.Cursor().Bucket()
	if b.Depth > 1 {
		parent = c.stack[b.Depth-2]
	}
	nb, err := parent.CreateBucket(b.Path[b.Depth-1])
	if err != nil {
		return err
	}
	nb.FillPercent = 1 // keys come in order
	c.stack, c.path = append(c.stack, nb), b.Path
	return nb.SetSequence(b.Sequence)
}

func (c *compactor) put(it Item) error {
	n := len(it.Key) + len(it.Value)
	c.path = it.Bucket.Path
	c.stack = c.stack[:it.Bucket.Depth]
	if err := c.room(n); err != nil {
		return err
	}
	if it.Bucket.Depth == 0 {
		return &Error{Code: CodeDamaged, Msg: "the top level holds a value"}
	}
	c.done += int64(n)
	if c.progress != nil {
		c.progress(c.done, c.total)
	}
	// The value is not copied: it lies in the source's mapping, which stays
	// until long after the commit.
	return c.stack[len(c.stack)-1].Put(it.Key, it.Value)
}

// room begins a new transaction if n more bytes would be too many for this one.
func (c *compactor) room(n int) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	c.size += int64(n) + 64
	if c.size < compactTx {
		return nil
	}
	c.size = int64(n)
	if err := c.commit(); err != nil {
		return err
	}
	var err error
	if c.tx, err = c.bolt.Begin(true); err != nil {
		return err
	}
	b := c.tx.Cursor().Bucket()
	for i := range c.stack {
		b = b.Bucket(c.path[i])
		b.FillPercent = 1
		c.stack[i] = b
	}
	return nil
}

func (c *compactor) commit() error {
	err := c.tx.Commit()
	c.tx = nil
	return err
}

// close closes the file. After a fault in the middle of a transaction bbolt
// cannot be closed any more, and is not needed.
func (c *compactor) close() error {
	if c.tx != nil {
		if err := guardBolt("", c.tx.Rollback); err != nil && !errors.Is(err, bolterrors.ErrTxClosed) {
			return err
		}
	}
	return c.bolt.Close()
}

// Publish gives a finished file its name, which must not be taken: with owner
// and mode of the database that it was made from (where that is not possible,
// mode 0600 and a warning), synced, then named, then its folder synced.
func Publish(temp, final string, like *DB) (warning string, err error) {
	f, err := os.OpenFile(temp, os.O_RDWR|noFollow, 0)
	if err != nil {
		return "", ioError(temp, "open the new database", err)
	}
	st, err := like.file.Stat()
	if err == nil {
		if warning = keepOwner(f, like.file, st); warning != "" {
			warning = "new database " + warning
		}
		err = f.Sync()
	}
	if err = also(err, f.Close()); err != nil {
		return "", ioError(temp, "sync the new database", err)
	}
	if err := place(temp, final); err != nil {
		return "", createError(final, "name the new database", err)
	}
	if err := syncDir(filepath.Dir(final)); err != nil {
		return "", ioError(final, "sync the new database's folder", err)
	}
	return warning, nil
}
