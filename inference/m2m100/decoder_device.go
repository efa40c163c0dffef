package m2m100

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"dragoman/inference/mapped"
	"dragoman/inference/openvino"
)

// DecoderDevice is the decoder on a device besides the processor. It is safe for
// concurrent use; texts take turns.
type DecoderDevice struct {
	Target Target

	decoder *graphDecoder
	weights *mapped.File
	core    *openvino.Core // nil unless it is its own
	limit   time.Duration

	mu     sync.Mutex
	users  int // texts that it decodes
	closed bool
	hung   bool // a step has not ended: nothing that it uses may be given back
}

// OpenDecoder takes the decoder's graph for a device from the store, or compiles
// it and puts it there. limit is how long a step may take. The checkpoint must
// stay open as long as the decoder.
func OpenDecoder(ctx context.Context, o Options, t Target, limit time.Duration, progress func(Step)) (*DecoderDevice, error) {
	if o.recipe().Host { // the processor's own decoder has no graph
		o.Decoder = GraphDecoder
		o.Dir += "-graph"
	}
	if err := Prepare(ctx, o); err != nil {
		return nil, err
	}
	markUsed(o.Dir, time.Now())
	weights, err := mapped.Open(filepath.Join(o.Dir, weightsFile))
	if err != nil {
		return nil, fmt.Errorf("open the prepared model: %w", err)
	}
	d := &DecoderDevice{Target: t, weights: weights, limit: limit}
	if err := d.open(ctx, o, progress); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.decoder.graph.release()
	weights.Release()
	return d, nil
}

func (d *DecoderDevice) open(ctx context.Context, o Options, progress func(Step)) error {
	table, err := newEmbedding(o.Checkpoint)
	if err != nil {
		return err
	}
	g, err := newGraphs(o, d.Target, d.weights.Bytes())
	if err != nil {
		return err
	}
	progress(Step{Graph: 1, Of: 1})
	if d.decoder, err = newGraphDecoder(ctx, g, o.Checkpoint.Config, table); err != nil {
		return err
	}
	d.decoder.infer = d.infer
	return nil
}

// Own has Close give the core that the decoder was opened with back, too.
func (d *DecoderDevice) Own(core *openvino.Core) { d.core = core }

// infer runs a step in a goroutine of its own: what hangs in a driver cannot be
// ended, only left behind.
func (d *DecoderDevice) infer(q *openvino.InferRequest) error {
	ended := make(chan error, 1)
	go func() { ended <- q.Infer() }()
	timer := time.NewTimer(d.limit)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
	}
	d.mu.Lock()
	d.hung = true
	d.mu.Unlock()
	go func() {
		<-ended
		q.Close()
		d.mu.Lock()
		d.hung = false
		d.free()
		d.mu.Unlock()
	}()
	return fmt.Errorf("%w: %v", ErrHung, d.limit)
}

// decode generates into g what the processor's decoder would.
func (d *DecoderDevice) decode(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) error {
	d.mu.Lock()
	if d.closed || d.hung {
		d.mu.Unlock()
		return errClosed
	}
	d.users++
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		d.users--
		d.free()
		d.mu.Unlock()
	}()
	return decoder{d.decoder.config, d.decoder}.decode(ctx, turn, cross, source, target, n, g)
}

// Close gives everything back when the last text that it decodes is done.
func (d *DecoderDevice) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return d.free()
}

// free needs the lock.
func (d *DecoderDevice) free() error {
	if !d.closed || d.users > 0 || d.hung || d.weights == nil {
		return nil
	}
	if d.decoder != nil {
		d.decoder.close()
	}
	d.core.Close()
	weights := d.weights
	d.weights = nil
	return weights.Close()
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

// decode uses the device where there is one, else the processor. A text that the
// device fails on is not lost: what the decoder reads is still there.
func (e *Engine) decode(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) error {
	e.decoding.mu.Lock()
	d := e.decoding.device
	e.decoding.mu.Unlock()
	if d == nil {
		return e.decoder.decode(ctx, turn, cross, source, target, n, g)
	}
	began := *g
	err := d.decode(ctx, turn, cross, source, target, n, g)
	if err == nil || ctx.Err() != nil {
		return err
	}
	e.fallDecoder(d, err)
	*g = began
	return e.decoder.decode(ctx, turn, cross, source, target, n, g)
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
