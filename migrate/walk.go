package migrate

import (
	"context"
	"runtime"
	"sync"

	"boltmend/store"
)

// Values are judged by several workers on one read transaction: a producer
// walks, workers judge batches, and a collector takes the verdicts in key
// order. Nothing is kept of a value but its verdict.

const (
	batchItems = 256
	batchBytes = 512 << 10
	batchesPer = 4 // batches under way for each worker
	// largeBytes is when a batch of values that take memory is waited for.
	largeBytes = 16 << 20
)

// A batch is a run of values and their verdicts.
type batch struct {
	items    []store.Item
	sieves   []sieve
	verdicts []verdict
	err      error
	done     chan struct{}
}

// walk judges every value that r wants and hands each to collect in key
// order. entered is called for each bucket of the walk, from the producer.
func (r *run) walk(ctx context.Context, src source, collect func(store.Item, verdict) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := r.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	work := make(chan *batch, workers*batchesPer)
	ordered := make(chan *batch, workers*batchesPer)
	free := make(chan *batch, 2*workers*batchesPer)

	var wg sync.WaitGroup
	var turn sync.Mutex
	for range workers {
		wg.Go(func() {
			j := judge{opts: &r.opts, plans: r.plans}
			j.takeTurns(&turn)
			for b := range work {
				b.err = store.Guard(func() error { j.batch(b); return nil })
				close(b.done)
			}
		})
	}
	var walkErr error
	wg.Go(func() {
		defer close(ordered)
		defer close(work)
		p := producer{r: r, ctx: ctx, work: work, ordered: ordered, free: free}
		walkErr = p.walk(src)
	})
	err := r.collect(ordered, free, collect)
	cancel()
	for range ordered { // let the producer see the end
	}
	wg.Wait()
	if err != nil {
		return err
	}
	return walkErr
}

// collect takes the batches in order.
func (r *run) collect(ordered, free chan *batch, collect func(store.Item, verdict) error) error {
	for b := range ordered {
		<-b.done
		if b.err != nil {
			return b.err
		}
		for i := range b.items {
			r.progress(int64(len(b.items[i].Value)))
			if err := collect(b.items[i], b.verdicts[i]); err != nil {
				return err
			}
		}
		clear(b.items) // they may hold memory
		select {
		case free <- b:
		default:
		}
	}
	return nil
}

// batch judges the values of a batch.
func (j *judge) batch(b *batch) {
	defer j.endTurn() // also if a page cannot be read
	for i, it := range b.items {
		v := j.value(it.Value, b.sieves[i])
		if j.plans && len(v.histories) > 0 {
			v.made = j.remake(it.Value, v.histories)
			v.made.text = nil
		}
		j.endTurn()
		b.verdicts = append(b.verdicts, v)
	}
}

// A producer walks the buckets and fills batches.
type producer struct {
	r             *run
	ctx           context.Context
	work, ordered chan *batch
	free          chan *batch
	b             *batch
	bytes         int
	mapped        bool // values take no memory
}

func (p *producer) walk(src source) error {
	_, p.mapped = src.(*store.View)
	err := src.Walk(p.item, p.r.enter)
	if err == nil {
		err = p.flush()
	}
	return err
}

func (p *producer) item(it store.Item) error {
	s, want := p.r.sieve(it)
	if !want {
		return nil
	}
	if p.b == nil {
		p.b = p.fresh()
	}
	p.b.items = append(p.b.items, it)
	p.b.sieves = append(p.b.sieves, s)
	p.bytes += len(it.Value)
	if len(p.b.items) < batchItems && p.bytes < batchBytes {
		return nil
	}
	return p.flush()
}

// fresh returns an empty batch, used before if there is one.
func (p *producer) fresh() *batch {
	select {
	case b := <-p.free:
		clear(b.verdicts)
		*b = batch{items: b.items[:0], sieves: b.sieves[:0], verdicts: b.verdicts[:0], done: make(chan struct{})}
		return b
	default:
		return &batch{done: make(chan struct{})}
	}
}

// flush sends a batch to the workers and, in order, to the collector.
func (p *producer) flush() error {
	if p.b == nil {
		return p.ctx.Err()
	}
	b, large := p.b, !p.mapped && p.bytes > largeBytes
	p.b, p.bytes = nil, 0
	select {
	case p.ordered <- b:
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
	p.work <- b // has room: as many batches are under way as ordered holds
	if large {
		<-b.done
	}
	return nil
}
