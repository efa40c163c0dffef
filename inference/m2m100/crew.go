package m2m100

import (
	"log/slog"
	"sync"
	"sync/atomic"
)

// leastApart is how many sentences a worker gets at least: fewer do not make up for
// reading the weights once more.
const leastApart = 8

// crew is workers with a thread each, who share the batch lane's sentences and nothing
// else: not even the speed of the slowest.
type crew struct {
	workers []*worker
	open    func() (*worker, error) // another one
	size    int                     // how many there are to be, 0 for none

	accelerator sync.Mutex // held while a worker has one encode: the others decode meanwhile
}

// worker encodes and decodes sentences of its own.
type worker struct {
	decoder *hostDecoder
	encoder *hostEncoder
	wave    *wave // of the round under way
}

func (k *worker) close() {
	k.decoder.close()
	k.encoder.close()
}

func (c *crew) close() {
	for _, k := range c.workers {
		k.close()
	}
	c.workers = nil
}

// ready opens the workers when they are first needed.
func (c *crew) ready() bool {
	for len(c.workers) < c.size {
		k, err := c.open()
		if err != nil {
			slog.Warn("Sentences are not translated on each thread apart", "err", err)
			c.close()
			c.size = 0
			return false
		}
		c.workers = append(c.workers, k)
	}
	return c.size > 1
}

// many tells whether there is enough to do for a crew, and one.
func (b *batcher) many() bool {
	if b.crew.size < 2 {
		return false
	}
	b.mu.Lock()
	all := len(b.waiting)
	b.mu.Unlock()
	for _, w := range b.waves {
		all += len(w.rows)
	}
	return all >= leastApart*b.crew.size && b.crew.ready()
}

// workApart has each worker go on with sentences of its own until it is to stop, or one
// of them has nothing to do. It returns how many tokens that gave, about.
func (b *batcher) workApart(stop func() bool) int {
	b.seat(b.crew.workers)
	var tokens atomic.Int64
	var idle atomic.Bool
	var all sync.WaitGroup
	panics := make(chan any, len(b.crew.workers))
	for i, k := range b.crew.workers {
		k.wave = b.waves[i]
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics <- p
				}
				idle.Store(true)
			}()
			for !stop() && !idle.Load() && b.workOn(k) {
				tokens.Add(int64(len(k.wave.rows)))
			}
		})
	}
	all.Wait()
	select {
	case p := <-panics:
		panic(p)
	default:
	}
	b.engine.settle()
	return int(tokens.Load())
}

// workOn takes up what waits and gives the worker's sentences their next tokens. It tells
// whether there were any.
func (b *batcher) workOn(k *worker) bool {
	w := k.wave
	b.mu.Lock()
	room := b.room([]*wave{w}, joinedTokens/len(b.crew.workers))
	wants := room.rows > 0 && len(b.waiting) > 0 && (len(w.rows) == 0 || len(b.waiting[0].source) <= room.tokens)
	b.mu.Unlock()
	var err error
	if wants {
		err = b.join(w, b.pick(room), func(w *wave, first int) error { return b.fill(k, w, first) })
	}
	if err == nil && len(w.rows) > 0 {
		err = w.step(nil)
		b.calm(w)
	}
	if err != nil {
		b.again(w, err)
		w.state.keep(0)
		return true
	}
	return len(w.rows) > 0 || wants
}

// fill encodes a worker's sentences from the first new one on.
func (b *batcher) fill(k *worker, w *wave, first int) error {
	encode, take := k.encoder.groups(w.state.(*hostRows))
	if b.engine.InUse() != nil { // which takes one at a time
		encode, take = b.accelerated, func([]*sentence) int { return 1 }
	}
	return w.encode(nil, first, encode, take)
}

func (b *batcher) accelerated(w *wave, row, n int) error {
	b.crew.accelerator.Lock()
	defer b.crew.accelerator.Unlock()
	return b.engine.fillOne(w, row, n)
}

// seat has the sentences under way go on with workers, in about equal numbers, or
// together where there are none. Without package host they stay where they are.
func (b *batcher) seat(workers []*worker) {
	if !b.joins() || len(workers) == 0 && len(b.waves) < 2 && !b.apart {
		return
	}
	var sentences []*sentence
	var rows []*hostRow
	for _, w := range b.waves {
		if state, ok := w.state.(*hostRows); ok {
			sentences, rows = append(sentences, w.rows...), append(rows, state.rows...)
		}
	}
	b.waves = b.waves[:0]
	b.apart = len(workers) > 0
	if len(workers) == 0 {
		if len(sentences) > 0 {
			b.waves = append(b.waves, b.engine.waveOf(b.engine.decoder.steps.(*hostDecoder), sentences, rows))
		}
		return
	}
	for i, k := range workers {
		from, to := i*len(rows)/len(workers), (i+1)*len(rows)/len(workers)
		b.waves = append(b.waves, b.engine.waveOf(k.decoder, sentences[from:to:to], rows[from:to:to]))
	}
}

// waveOf is a wave of sentences that are under way.
func (e *Engine) waveOf(steps *hostDecoder, sentences []*sentence, rows []*hostRow) *wave {
	d := e.decoder
	d.steps = steps
	return &wave{decoder: d, state: &hostRows{hostDecoder: steps, rows: rows}, rows: sentences}
}
