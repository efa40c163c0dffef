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

// workApart has each worker go on with sentences of its own until the round is over, a
// more urgent text waits or one of them has nothing to do. Each makes a step at least, so
// that urgent texts without an end leave the others some. It returns how many tokens that
// gave, about.
func (b *batcher) workApart(t *turn, over func() bool) int {
	b.seat(b.crew.workers)
	var tokens atomic.Int64
	var idle atomic.Bool
	var all sync.WaitGroup
	panics := make(chan any, len(b.crew.workers))
	urgent := func() bool { return t.wanted.Load() > 0 }
	for i, k := range b.crew.workers {
		k.wave = b.waves[i]
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics <- p
				}
				idle.Store(true)
			}()
			for b.workOn(k, urgent) {
				tokens.Add(int64(len(k.wave.rows)))
				if over() || urgent() || idle.Load() {
					break
				}
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
func (b *batcher) workOn(k *worker, urgent func() bool) bool {
	w := k.wave
	took, err := b.takeUp(k, urgent)
	if err == nil && len(w.rows) > 0 {
		err = w.step(nil)
		b.regrow(w)
	}
	if err != nil {
		b.again(w, err)
		w.state.keep(0)
		return true
	}
	return len(w.rows) > 0 || took
}

// takeUp has what waits join the worker's sentences as long as there is room. A more
// urgent text waits for those that are encoded at once, the others for their turn.
func (b *batcher) takeUp(k *worker, urgent func() bool) (took bool, err error) {
	w := k.wave
	b.mu.Lock()
	room := b.room([]*wave{w}, joinedTokens/len(b.crew.workers))
	b.mu.Unlock()
	for room.rows > 0 && b.waitsFor(w, room) {
		few := limit{rows: room.rows, tokens: min(room.tokens, groupTokens(k.encoder.token))}
		if b.engine.InUse() != nil { // which takes one at a time
			few.rows = 1
		}
		rows := b.pick(few)
		took = true
		for _, s := range rows {
			room.rows, room.tokens = room.rows-1, room.tokens-len(s.source)
		}
		if err := b.join(w, rows, func(w *wave, first int) error { return b.fill(k, w, first) }); err != nil {
			return took, err
		}
		if urgent() {
			break
		}
	}
	return took, nil
}

// waitsFor tells whether the oldest of those that wait fits a room. Nothing else fits
// before it; a wave without sentences has room for any.
func (b *batcher) waitsFor(w *wave, room limit) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting) > 0 && (len(w.rows) == 0 || len(b.waiting[0].source) <= room.tokens)
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
