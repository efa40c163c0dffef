package m2m100

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// acceleration is what an engine keeps of the accelerator that it uses.
type acceleration struct {
	mu          sync.Mutex
	accelerator *Accelerator
	fell        func(error)
	// The outputs are the engine's, so that an accelerator can be given back
	// while a text that it encoded is still being decoded.
	packed [lanes]packing
}

// Use has the accelerator encode from the next text on. The engine owns it from
// now on. Where it fails the processor encodes that text and all that follow,
// the accelerator is given back and fell is told why.
func (e *Engine) Use(a *Accelerator, fell func(error)) error {
	e.mu.Lock()
	old := e.accelerator
	e.accelerator, e.fell = a, fell
	e.mu.Unlock()
	return closeAccelerator(old)
}

// Drop has the processor encode from the next text on and gives the accelerator
// back.
func (e *Engine) Drop() error { return e.Use(nil, nil) }

// InUse is the accelerator that encodes, nil where the processor does.
func (e *Engine) InUse() *Accelerator {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accelerator
}

// encode uses the accelerator where there is one, else the processor. A text
// that the accelerator fails on is not lost.
func (e *Engine) encode(ctx context.Context, lane Lane, source []int32) (encoded, error) {
	a := e.InUse()
	if a == nil {
		return e.encoder.encode(ctx, lane, source)
	}
	out, err := a.encode(ctx, source, &e.packed[lane])
	if err == nil {
		out.accelerated = true
		return out, nil
	}
	e.fall(a, err)
	return e.encoder.encode(ctx, lane, source)
}

// fall gives an accelerator back, unless another has taken its place.
func (e *Engine) fall(a *Accelerator, why error) {
	e.mu.Lock()
	mine, fell := e.accelerator == a, e.fell
	if mine {
		e.accelerator, e.fell = nil, nil
	}
	e.mu.Unlock()
	if mine {
		fell(errors.Join(why, closeAccelerator(a)))
	}
}

// Check runs a source on an accelerator that may be in use and hands the outputs
// to right. What that says against them, or a failure to run, counts as a
// failure of the accelerator. Texts of the interactive lane go first.
func (e *Engine) Check(ctx context.Context, a *Accelerator, source []int32, right func([][]float32) error) {
	turn, err := e.turns.take(ctx, Batch)
	if err != nil {
		return
	}
	defer turn.end()
	if ctx.Err() != nil {
		return
	}
	out, err := a.Outputs(ctx, source)
	if err == nil {
		if err = right(out); err != nil {
			err = fmt.Errorf("%w: %w", ErrWrong, err)
		}
	}
	if err != nil {
		e.fall(a, err)
	}
}

// ErrWrong is the error of an accelerator whose results Check did not find
// right.
var ErrWrong = errors.New("the device computes wrongly")

func (s *acceleration) close() error {
	for i := range s.packed {
		s.packed[i].close()
	}
	return closeAccelerator(s.accelerator)
}

func closeAccelerator(a *Accelerator) error {
	if a == nil {
		return nil
	}
	return a.Close()
}

// Outputs encodes a source on the processor, as Accelerator.Outputs does
// elsewhere. Texts of the interactive lane go first.
func (e *Engine) Outputs(ctx context.Context, source []int32) ([][]float32, error) {
	turn, err := e.turns.take(ctx, Batch)
	if err != nil {
		return nil, err
	}
	defer turn.end()
	if err := ctx.Err(); err != nil { // whoever ended it may have closed the engine
		return nil, err
	}
	out, err := e.encoder.encode(ctx, Batch, source)
	if err != nil {
		return nil, err
	}
	return copies(out.cross)
}

// Tokens generates at most n tokens of a source in the batch lane, encoded by an
// accelerator that is not in use yet, or by the processor where a is nil.
func (e *Engine) Tokens(ctx context.Context, a *Accelerator, source []int32, target int32, n int) ([]int32, error) {
	encode := e.encoder.encode
	if a != nil {
		var p packing
		defer p.close()
		encode = func(ctx context.Context, _ Lane, source []int32) (encoded, error) { return a.encode(ctx, source, &p) }
	}
	g, err := e.generateWith(ctx, Batch, encode, source, target, lengths{most: n})
	return g.Tokens, err
}
