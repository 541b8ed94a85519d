package migrate

import (
	"bytes"

	"boltmend/internal/jsonedit"
	"boltmend/store"
)

// conversations finds the conversations of a bucket, and the keys of each.
func (r *run) conversations(b *store.Bucket, l *layout, p *profile, found func(*conversation) error) error {
	g := grouping{r: r, bucket: b, layout: l, by: make(map[string]*conversation)}
	g.lost = conversation{layout: l, bucket: b}
	if _, err := r.search(b, g.row); err != nil {
		return err
	}
	for _, c := range g.order {
		if c.doubt == "" {
			c.doubt = g.lost.doubt
		}
		if l.kind != rowsComposite {
			c.rows, c.max = p.rows+p.others, g.max
		}
		if err := found(c); err != nil {
			return err
		}
	}
	if g.lost.straysSpeak {
		return found(&g.lost)
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
	max    uint64       // number of a key
	lost   conversation // what is known of values of which it is not known whose they are
}

func (g *grouping) row(it store.Item) error {
	l := g.layout
	if n, ok := l.form.number(l.place(it.Key)); ok {
		g.max = max(g.max, n)
	}
	id, is := g.conversation(it)
	if id == nil && is == aRow && l.index.names() {
		g.r.unlists(g.bucket, it.Key)
		return nil
	}
	if id == nil {
		if l.kind != rowsComposite {
			g.noticed(&g.lost, it, is)
		}
		return nil
	}
	c := g.by[string(id)]
	if c == nil {
		if is == otherKind || is == noRow && !g.r.judge.notUnderstood(it.Value) {
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
	if is == aRow {
		key := it.Key
		if g.r.view == nil { // it would hold on to the values beside it
			key = bytes.Clone(key)
		}
		c.keys = append(c.keys, key)
	} else {
		g.noticed(c, it, is)
	}
	return nil
}

// A rowIs is what a value is to the conversation that it lies in.
type rowIs uint8

const (
	noRow     rowIs = iota
	aRow            // a message of it
	elsewhere       // a message that does not lie where the layout has it
	otherKind       // a row of another kind
)

// conversation says which conversation a value belongs to, nil if to none, and
// what it is to it.
func (g *grouping) conversation(it store.Item) (id []byte, is rowIs) {
	l := g.layout
	if l.kind == rowsComposite {
		var ok bool
		if id, _, ok = l.sep.split(it.Key); !ok {
			return nil, noRow
		}
	} else if l.index.names() {
		id = l.index.convs[string(it.Key)]
	} else if l.conv == "" {
		id = g.bucket.Path[len(g.bucket.Path)-1]
	}
	_, d := g.r.judge.unwrapped(it.Value)
	if d == nil {
		return id, noRow
	}
	switch msg := rowMessage(d); {
	case msg == jsonedit.None:
	case l.isOther(d, msg):
		is = otherKind
	case msg == 0 && l.wrap == "" || msg > 0 && d.Text(msg-1) == l.wrap:
		is = aRow
	default:
		is = elsewhere
	}
	if l.conv != "" {
		named := d.Get(0, l.conv)
		if named == jsonedit.None && is == elsewhere {
			return nil, is // it may name it elsewhere too
		}
		if id = []byte(d.Text(named)); len(id) == 0 {
			id = d.Raw(named)
		}
	}
	return id, is
}
