package m2m100

import (
	"context"
	"fmt"
	"time"
)

// wave is sentences that are decoded together from their first token on, one
// row each. A row that has come to its end, or is not wanted any more, gives its
// place up: the last one moves there.
type wave struct {
	decoder decoder
	state   rows
	rows    []*sentence
	failed  bool // its sentences wait again
}

// rows is what a decoder keeps of a wave.
type rows interface {
	// put takes a row's keys and values out of an encoder's outputs for several
	// sources, [n, heads, length, d/heads] each; the row's is the one at index.
	put(row int, outputs [][]float32, index, length int)
	// begin makes rows from the first one on ready: after the last put, before their
	// first step.
	begin(first int) error
	// feed gives the next step a row's new tokens, the first of them at a position.
	// Without guesses all rows have the same number of them in one step.
	feed(row int, tokens []int32, position int) error
	run() error
	// best are a row's candidates to follow, best first, valid until the next run.
	best(row int) (scores []float32, tokens []int32)
	// checker checks guesses of a row: nil where there can be none.
	checker(row int) checker
	// move gives a row another place; keep drops all rows but the first.
	move(from, to int)
	keep(rows int)
	close()
}

// prepare has a wave's sentences encoded from the first new one on and makes them ready
// for their first step.
func (w *wave) prepare(first int, encode func(w *wave, first int) error) error {
	if err := encode(w, first); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	if len(w.rows) == first {
		return nil // nobody waits any more
	}
	for _, s := range w.rows[first:] {
		s.guard = newGuard(s.source)
		s.out.Tokens, s.out.Steps = make([]int32, 0, s.bounds.most), make([]time.Duration, 0, s.bounds.most+1)
	}
	return w.state.begin(first)
}

// step gives each row its next token, after more urgent texts: of a worker, whose turn is
// nil, they come between rounds. The rows that it ends are told.
func (w *wave) step(t *turn) error {
	w.drop(func(s *sentence) bool {
		err := s.ctx.Err()
		if err == nil && len(s.out.Tokens) < s.bounds.most {
			return false
		}
		s.out.Cut = err == nil
		s.finish(err)
		return true
	})
	if len(w.rows) == 0 {
		return nil
	}
	if t != nil {
		_ = t.yield(context.Background()) // which has no end
	}
	start := time.Now()
	if err := w.feed(); err != nil {
		return err
	}
	inferred := time.Now()
	if err := w.state.run(); err != nil {
		return fmt.Errorf("decode a token of %d sentences: %w", len(w.rows), err)
	}
	took := time.Since(inferred)
	if t != nil && len(w.rows) == 1 && len(w.rows[0].out.Tokens) > 0 { // the first step has two tokens
		w.rows[0].guesses.took(1+len(w.rows[0].guess), took)
	}
	row := 0
	w.drop(func(s *sentence) bool {
		best := func() ([]float32, []int32) { return w.state.best(row) }
		ended, err := w.decoder.take(best, w.state.checker(row), s.guess, &s.guard, s.bounds, &s.out)
		row++
		s.out.Infer += took
		s.out.spread(time.Since(start), ended || err != nil)
		if err != nil || ended {
			s.finish(err)
			return true
		}
		if len(s.out.Tokens) == s.bounds.most {
			s.out.Cut = true
			s.finish(nil)
			return true
		}
		return false
	})
	return nil
}

// feed gives the rows the tokens before the first, later the last token of each,
// and guesses where there are few rows.
func (w *wave) feed() error {
	for i, s := range w.rows {
		tokens, position := w.decoder.next(s.target, &s.out)
		var checker checker
		if len(w.rows) <= guessingRows {
			checker = w.state.checker(i)
		}
		s.guess = s.guesses.next(checker, &s.out, len(tokens), s.bounds)
		if err := w.state.feed(i, append(tokens, s.guess...), position); err != nil {
			return err
		}
		if len(s.guess) > 0 {
			checker.guessed(len(s.guess))
		}
	}
	return nil
}

// drop takes out the rows of which ended says so. It asks of each row once, in
// their order.
func (w *wave) drop(ended func(*sentence) bool) {
	gone := make([]bool, len(w.rows))
	for i, s := range w.rows {
		gone[i] = ended(s)
	}
	left := len(w.rows)
	for i := 0; i < left; {
		if !gone[i] {
			i++
			continue
		}
		left--
		if i < left {
			w.rows[i] = w.rows[left]
			w.state.move(left, i)
			gone[i] = gone[left]
		}
	}
	if left < len(w.rows) {
		clear(w.rows[left:])
		w.rows = w.rows[:left]
		w.state.keep(left)
	}
}

func (w *wave) close() {
	if w.state != nil { // nil after a panic
		w.state.close()
	}
}
