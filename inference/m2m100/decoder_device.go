package m2m100

import (
	"context"
	"errors"
	"sync"
	"time"

	"dragoman/inference/openvino"
)

// DecoderDevice is the decoder on a device besides the processor. It is safe for
// concurrent use; texts take turns.
type DecoderDevice struct {
	onDevice
	decoder *graphDecoder
}

// OpenDecoder takes the decoder's graph for a device from the store, or compiles
// it and puts it there. limit is how long a step may take. The checkpoint must
// stay open as long as the decoder.
func OpenDecoder(ctx context.Context, o Options, t Target, limit time.Duration, progress func(Step)) (*DecoderDevice, error) {
	if o.recipe().Host { // the processor's own decoder has no graph
		o.Decoder = GraphDecoder
		o.Dir += "-graph"
	}
	d := &DecoderDevice{onDevice: onDevice{Target: t, limit: limit}}
	if err := d.open(ctx, o, progress); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.decoder.graph.release()
	d.weights.Release()
	return d, nil
}

func (d *DecoderDevice) open(ctx context.Context, o Options, progress func(Step)) error {
	g, table, err := d.prepare(ctx, o)
	if err != nil {
		return err
	}
	progress(Step{Graph: 1, Of: 1})
	if d.decoder, err = newGraphDecoder(ctx, g, o.Checkpoint.Config, table); err != nil {
		return err
	}
	d.close = d.decoder.close
	// What hangs still uses its request, which nobody else does.
	d.decoder.infer = func(q *openvino.InferRequest) error { return d.infer(q, q.Close) }
	return nil
}

// decode generates into g what the processor's decoder would.
func (d *DecoderDevice) decode(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return decoder{config: d.decoder.config, steps: d.decoder}.decode(ctx, turn, cross, source, target, n, g)
}

// decoding is what an engine keeps of the device that decodes.
type decoding struct {
	mu     sync.Mutex
	device *DecoderDevice
	fell   func(error)
}

// UseDecoder has the device decode from the next text on. The engine owns it from
// now on. Where it fails the processor decodes that text anew and all that follow,
// the device is given back and fell is told why. nil is the processor.
func (e *Engine) UseDecoder(d *DecoderDevice, fell func(error)) error {
	e.decoding.mu.Lock()
	old := e.decoding.device
	e.decoding.device, e.decoding.fell = d, fell
	e.decoding.mu.Unlock()
	if old == nil {
		return nil
	}
	return old.Close()
}

// decodesElsewhere says whether a device decodes.
func (e *Engine) decodesElsewhere() bool {
	e.decoding.mu.Lock()
	defer e.decoding.mu.Unlock()
	return e.decoding.device != nil
}

// decodeWith uses the device where there is one, else the processor, which alone
// checks guesses. A text that the device fails on is not lost: what the decoder
// reads is still there.
func (e *Engine) decodeWith(guesses *guesses) decode {
	processor := e.decoder
	processor.guesses = guesses
	return func(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) error {
		e.decoding.mu.Lock()
		d := e.decoding.device
		e.decoding.mu.Unlock()
		if d == nil {
			return processor.decode(ctx, turn, cross, source, target, n, g)
		}
		began := *g
		err := d.decode(ctx, turn, cross, source, target, n, g)
		if err == nil || ctx.Err() != nil {
			return err
		}
		e.fallDecoder(d, err)
		*g = began
		return processor.decode(ctx, turn, cross, source, target, n, g)
	}
}

// fallDecoder gives a device back, unless another has taken its place.
func (e *Engine) fallDecoder(d *DecoderDevice, why error) {
	e.decoding.mu.Lock()
	mine, fell := e.decoding.device == d, e.decoding.fell
	if mine {
		e.decoding.device, e.decoding.fell = nil, nil
	}
	e.decoding.mu.Unlock()
	if mine {
		fell(errors.Join(why, d.Close()))
	}
}

// GenerateOn generates n tokens of a source in the batch lane, decoded by a device
// that is not in use yet, or by the processor where d is nil. Where exactly is set
// the end token is held back, to compare the same work.
func (e *Engine) GenerateOn(ctx context.Context, d *DecoderDevice, source []int32, target int32, n int, exactly bool) (Generation, error) {
	decode := e.decoder.decode
	if d != nil {
		decode = d.decode
	}
	bounds := lengths{most: n}
	if exactly {
		bounds.least = n
	}
	return e.generateBy(ctx, Batch, e.encoder.encode, decode, source, target, bounds)
}

// Try runs a few steps on made-up outputs of an encoder, to see whether the
// device runs at all.
func (d *DecoderDevice) Try(ctx context.Context) error {
	const positions, tokens = 4, 3
	c := d.decoder.config
	var p packing
	defer p.close()
	for i := range 2 * c.DecoderLayers {
		data := make([]float32, positions*c.DModel)
		for j := range data {
			data[j] = float32((i+j)%7) / 7
		}
		t, err := openvino.NewTensorOn(d.decoder.nextMasks.rt, openvino.F32, data, 1, int64(c.DecoderHeads), positions, int64(c.DModel/c.DecoderHeads))
		if err != nil {
			return err
		}
		p.tensors = append(p.tensors, t)
	}
	turns := newTurns()
	turn, err := turns.take(ctx, Batch)
	if err != nil {
		return err
	}
	defer turn.end()
	var g Generation
	return d.decode(ctx, turn, p.tensors, make([]int32, positions), int32(c.EOS), lengths{least: tokens, most: tokens}, &g)
}
