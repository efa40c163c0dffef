package m2m100

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of what is decoded together.
const (
	waveRows   = 32   // sentences of a wave: more gain little, see docs/performance.md
	waveTokens = 1024 // of their sources with padding: long sentences go in smaller waves
	mostWaves  = 4    // under way, the earlier ones with the last of their sentences

	joinedTokens = 2 * waveTokens // of sources without padding, where sentences join a wave
)

// batcher translates together what is asked for in the batch lane at the same
// time. Its zero value with an engine is ready. One goroutine at a time leads:
// it ends when nothing is left to do.
type batcher struct {
	engine *Engine

	mu      sync.Mutex
	waiting []*sentence   // oldest first
	led     chan struct{} // closed when the one that leads has ended; nil without
	closed  bool

	// Of the one that leads, and in a crew's round of its workers, under mu:
	rows int  // of a wave, at most, after a failure less
	told bool // of the first failure

	// Of the one that leads:
	waves []*wave // of a crew one for each worker
	// encoding is what sources that joined took in the round, of all workers together.
	encoding atomic.Int64
	apart    bool // they are a crew's
	crew     crew
	ways     ways
}

// sentence is one source on its way through the batch lane. From when it is
// taken into a wave until done is closed, it is the leading goroutine's.
type sentence struct {
	ctx    context.Context
	source []int32
	target int32
	bounds lengths

	guesses *guesses
	guess   []int32 // of the step under way
	guard   guard
	out     Generation
	err     error
	done    chan struct{}
}

func (b *batcher) generate(ctx context.Context, source []int32, target int32, n lengths, g *guesses) (Generation, error) {
	e := b.engine
	if e.decodesElsewhere() { // which takes one sentence at a time
		return e.generate(ctx, Batch, source, target, n, g)
	}
	if err := e.checkLength(source); err != nil {
		return Generation{}, err
	}
	s := &sentence{ctx: ctx, source: source, target: target, bounds: n, guesses: g, done: make(chan struct{})}
	if err := b.submit(s); err != nil {
		return Generation{}, err
	}
	select {
	case <-s.done:
	case <-ctx.Done():
		// Whoever leads may wait for the device: the sentence is dropped at the
		// next step.
		return Generation{}, ctx.Err()
	}
	if p, ok := s.err.(panicked); ok {
		panic(p.value)
	}
	if s.err != nil {
		return Generation{}, s.err // half a sentence is no translation
	}
	return s.out, nil
}

// panicked is how whoever asked is told of a panic of the one that leads.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprint("panic: ", p.value) }

func (b *batcher) submit(s *sentence) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return errClosed
	}
	b.waiting = append(b.waiting, s)
	if b.led == nil {
		b.led = make(chan struct{})
		go b.lead()
	}
	return nil
}

// close waits for what is under way.
func (b *batcher) close() {
	b.mu.Lock()
	b.closed = true
	led := b.led
	b.mu.Unlock()
	if led != nil {
		<-led
	}
	b.crew.close()
}

// lead works until nothing is left.
func (b *batcher) lead() {
	b.rows = waveRows
	b.gather()
	t := b.turn()
	defer func() {
		if p := recover(); p != nil {
			slog.Error("Texts could not be translated together", "stack", string(debug.Stack()))
			b.giveUp(panicked{p})
		}
		t.end()
	}()
	for {
		if b.round(t); len(b.waves) == 0 && b.end() {
			return
		}
		// Others of the lane, who check devices, come between two rounds.
		t.end()
		t = b.turn()
	}
}

// roundTime is about how long a round takes where there is enough to do.
const roundTime = 100 * time.Millisecond

// round works for some time: all threads together on each step, or each with sentences
// of its own.
func (b *batcher) round(t *turn) {
	_ = t.yield(context.Background()) // which has no end
	many := b.many()
	way := together
	if many {
		way = b.ways.next()
	}
	start := time.Now()
	over := func() bool { return time.Since(start) > roundTime }
	b.encoding.Store(0)
	tokens, workers := 0, 1
	if way == apart {
		tokens, workers = b.workApart(t, over), len(b.crew.workers)
	} else {
		tokens = b.workTogether(t, over)
	}
	if many && tokens > 0 {
		// Of the steps alone: not each round has as much to encode.
		b.ways.took(way, time.Since(start)-time.Duration(b.encoding.Load())/time.Duration(workers), tokens)
	}
}

// workTogether goes on with waves until there are none, or the round is over. It returns
// how many tokens that gave, about.
func (b *batcher) workTogether(t *turn, over func() bool) (tokens int) {
	b.seat(nil)
	for !over() {
		if b.wants() {
			b.begin(t)
		}
		if len(b.waves) == 0 {
			return tokens
		}
		for i := 0; i < len(b.waves); {
			w := b.waves[i]
			tokens += len(w.rows)
			if err := w.step(t); err != nil {
				b.again(w, err)
			}
			b.regrow(w)
			if len(w.rows) > 0 {
				i++
				continue
			}
			w.close()
			b.engine.settle()
			b.waves = slices.Delete(b.waves, i, i+1)
		}
	}
	return tokens
}

// regrow lets more sentences together again, after a failure, when those of a wave have all
// come to their end.
func (b *batcher) regrow(w *wave) {
	if w.failed || len(w.rows) > 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = min(waveRows, 2*b.rows)
}

// giveUp fails all sentences.
func (b *batcher) giveUp(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.waves {
		for _, s := range w.rows {
			s.fail(err)
		}
		w.close()
	}
	for _, s := range b.waiting {
		s.finish(err)
	}
	b.waves, b.waiting = nil, nil
	close(b.led)
	b.led = nil
}

// turn waits for the device; without an end to the wait there is no error.
func (b *batcher) turn() *turn {
	t, _ := b.engine.turns.take(context.Background(), Batch)
	return t
}

// gather lets those that are about to ask do so: a wave is better when it is
// full.
func (b *batcher) gather() {
	const patience = 16 // goroutines that can run have run by then
	for seen := -1; ; {
		b.mu.Lock()
		now := len(b.waiting)
		b.mu.Unlock()
		if now == seen {
			return
		}
		seen = now
		for range patience {
			runtime.Gosched()
		}
	}
}

// end ends the lead if nothing waits.
func (b *batcher) end() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) > 0 {
		return false
	}
	if d, ok := b.engine.encoder.(*dynamicEncoder); ok {
		d.leaveGroup()
	}
	close(b.led)
	b.led = nil
	return true
}

// limit is how much may begin together.
type limit struct {
	rows, tokens int
	padded       bool // each source counts as the longest of them
}

// limit is that of what begins next: of no rows where there is no room. Where no
// sentence is padded to another's length, sentences join the wave under way when some
// have left it; else they are another wave, and nobody waits for the last few sentences
// of the earlier ones.
func (b *batcher) limit() limit {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.joins() {
		return b.room(b.waves, joinedTokens)
	}
	live := 0
	for _, w := range b.waves {
		live += len(w.rows)
	}
	if len(b.waves) < mostWaves && live <= b.rows/4 {
		return limit{b.rows, waveTokens, true}
	}
	return limit{}
}

// room is what may join waves, whose sources have so many tokens at most. A few places
// are left until there are some more, since reading the weights for few sources costs as
// much as for many, but not where all that wait have a place. The lock mu is held.
func (b *batcher) room(waves []*wave, most int) limit {
	live, tokens := 0, 0
	for _, w := range waves {
		live += len(w.rows)
		for _, s := range w.rows {
			tokens += len(s.source)
		}
	}
	left := b.rows - live
	if left < min(b.rows/4, len(b.waiting)) || live > 0 && b.rows < waveRows { // after a failure nobody joins
		return limit{}
	}
	return limit{rows: left, tokens: most - tokens}
}

// joins tells whether sentences join a wave: in package host each has a length of its
// own.
func (b *batcher) joins() bool {
	_, ok := b.engine.decoder.steps.(*hostDecoder)
	return ok
}

// wants says whether something waits for which there is room.
func (b *batcher) wants() bool {
	l := b.limit()
	b.mu.Lock()
	defer b.mu.Unlock()
	return l.rows > 0 && len(b.waiting) > 0 && (len(b.waves) == 0 || len(b.waiting[0].source) <= l.tokens)
}

// begin takes up what waits, where that does not come to nothing.
func (b *batcher) begin(t *turn) {
	rows := b.pick(b.limit())
	if len(rows) == 0 {
		return
	}
	if !b.joins() || len(b.waves) == 0 {
		b.waves = append(b.waves, &wave{decoder: b.engine.decoder})
	}
	w := b.waves[len(b.waves)-1]
	if err := b.join(w, rows, func(w *wave, first int) error { return b.engine.fill(t, w, first) }); err != nil {
		b.again(w, err)
	}
}

// join takes sentences up into a wave; encode does that from the first of them on.
func (b *batcher) join(w *wave, rows []*sentence, encode func(w *wave, first int) error) error {
	if len(rows) == 0 {
		return nil
	}
	first := len(w.rows)
	w.rows = append(w.rows, rows...) // before anything that may panic: who waits is told
	if w.state == nil {
		w.state = w.decoder.steps.rows(rows)
	} else {
		w.state.(*hostRows).join(rows)
	}
	start := time.Now()
	defer func() { b.encoding.Add(int64(time.Since(start))) }()
	return w.prepare(first, encode)
}

// again has the sentences of a wave that failed wait for a smaller one: there
// may not be the memory for so many, or one may be to blame. It fails the
// sentence that was alone.
func (b *batcher) again(w *wave, err error) {
	rows := w.rows
	w.rows, w.failed = nil, true
	if len(rows) == 1 {
		rows[0].finish(err)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.told {
		b.told = true
		slog.Warn("Sentences are translated together in smaller numbers", "failed", len(rows), "err", err)
	}
	b.rows = max(1, len(rows)/2)
	for _, s := range rows {
		s.out = Generation{}
	}
	b.waiting = append(rows, b.waiting...)
}

// pick takes sentences out of those that wait: the oldest, so that none waits for ever,
// and those whose lengths are nearest to its.
func (b *batcher) pick(most limit) []*sentence {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = slices.DeleteFunc(b.waiting, func(s *sentence) bool {
		err := s.ctx.Err()
		if err != nil {
			s.finish(err)
		}
		return err != nil
	})
	if len(b.waiting) == 0 {
		return nil
	}
	oldest := len(b.waiting[0].source)
	distance := func(s *sentence) int { return max(len(s.source)-oldest, oldest-len(s.source)) }
	near := slices.Clone(b.waiting)
	slices.SortStableFunc(near, func(a, b *sentence) int { return cmp.Compare(distance(a), distance(b)) })
	picked, longest, tokens := 0, 0, 0
	for _, s := range near[:min(most.rows, len(near))] {
		longest, tokens = max(longest, len(s.source)), tokens+len(s.source)
		if most.padded {
			tokens = (picked + 1) * longest
		}
		if picked > 0 && tokens > most.tokens {
			break
		}
		picked++
	}
	rows := near[:picked:picked]
	b.waiting = slices.DeleteFunc(b.waiting, func(s *sentence) bool { return slices.Contains(rows, s) })
	slices.SortStableFunc(rows, func(a, b *sentence) int { return cmp.Compare(len(a.source), len(b.source)) })
	return rows
}

// fail is finish for a sentence of which it is not known whether it has ended.
func (s *sentence) fail(err error) {
	select {
	case <-s.done:
	default:
		s.finish(err)
	}
}

// finish tells whoever waits.
func (s *sentence) finish(err error) {
	s.err = err
	close(s.done)
}
