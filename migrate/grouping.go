package migrate

import (
	"bytes"

	"boltmend/store"
)

// conversations finds the conversations of a bucket, and the keys of each.
func (r *run) conversations(b *store.Bucket, l *layout, p *profile, found func(*conversation) error) error {
	g := grouping{r: r, bucket: b, layout: l, by: make(map[string]*conversation)}
	if _, err := r.search(b, g.row); err != nil {
		return err
	}
	for _, c := range g.order {
		if c.doubt == "" {
			c.doubt = g.doubt
		}
		if l.kind != rowsComposite {
			c.rows, c.max = p.rows+p.others, g.max
		}
		if err := found(c); err != nil {
			return err
		}
	}
	return nil
}

// A grouping gathers the rows of a bucket by conversation.
type grouping struct {
	r      *run
	bucket *store.Bucket
	layout *layout
	by     map[string]*conversation
	order  []*conversation
	max    uint64 // number of a key
	doubt  string // about a value of which it is not known whose it is
}

func (g *grouping) row(it store.Item) error {
	l := g.layout
	if n, ok := l.form.number(l.place(it.Key)); ok {
		g.max = max(g.max, n)
	}
	id, isRow, other := g.conversation(it)
	if id == nil && isRow && l.index.names() {
		g.r.unlists(g.bucket, it.Key)
		return nil
	}
	if id == nil && other {
		return nil
	}
	if id == nil {
		if l.kind != rowsComposite && g.doubt == "" && g.r.judge.notUnderstood(it.Value) {
			g.doubt = "a value among the rows was not understood: " + recordRef(g.bucket, it.Key)
		}
		return nil
	}
	c := g.by[string(id)]
	if c == nil {
		if !isRow && (other || !g.r.judge.notUnderstood(it.Value)) {
			return nil
		}
		c = &conversation{layout: l, bucket: g.bucket, id: bytes.Clone(id)}
		g.by[string(id)] = c
		g.order = append(g.order, c)
	}
	c.rows++
	if n, ok := l.form.number(l.place(it.Key)); ok {
		c.max = max(c.max, n)
	}
	if isRow {
		key := it.Key
		if g.r.view == nil { // it would hold on to the values beside it
			key = bytes.Clone(key)
		}
		c.keys = append(c.keys, key)
	} else if !other {
		g.noticed(c, it)
	}
	return nil
}

// conversation says which conversation a value belongs to, nil if to none, and
// whether it is a message of it, or a row of another kind.
func (g *grouping) conversation(it store.Item) (id []byte, isRow, other bool) {
	l := g.layout
	if l.kind == rowsComposite {
		if id, _, isRow = l.sep.split(it.Key); !isRow {
			return nil, false, false
		}
	} else if l.index.names() {
		id = l.index.convs[string(it.Key)]
	} else if l.conv == "" {
		id = g.bucket.Path[len(g.bucket.Path)-1]
	}
	_, d := g.r.judge.unwrapped(it.Value)
	if d == nil {
		return id, false, false
	}
	msg := rowMessage(d)
	isRow = msg == 0 && l.wrap == "" || msg > 0 && d.Text(msg-1) == l.wrap
	if other = l.isOther(d, msg); other {
		isRow = false
	}
	if l.conv != "" {
		id = []byte(d.Text(d.Get(0, l.conv)))
		if len(id) == 0 {
			id = d.Raw(d.Get(0, l.conv))
		}
	}
	return id, isRow, other
}
