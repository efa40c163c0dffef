package m2m100

import (
	"context"
	"errors"
	"sync"
	"time"

	"dragoman/inference/openvino"
)

// Accelerator is the encoder on a device besides the processor: one graph of
// fixed length for each bucket, all of them ready. It is safe for concurrent
// use; texts take turns.
type Accelerator struct {
	onDevice
	// Imported counts the graphs that came from the store.
	Imported int

	turn    sync.Mutex // of texts
	encoder *staticEncoder
}

// OpenAccelerator takes the encoder's graphs for a device from the store, or
// compiles them and puts them there. limit is how long an inference may take.
// The checkpoint must stay open as long as the accelerator.
func OpenAccelerator(ctx context.Context, o Options, t Target, limit time.Duration, progress func(Step)) (*Accelerator, error) {
	a := &Accelerator{onDevice: onDevice{Target: t, limit: limit}}
	if err := a.open(ctx, o, progress); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.weights.Release()
	return a, nil
}

func (a *Accelerator) open(ctx context.Context, o Options, progress func(Step)) error {
	g, table, err := a.prepare(ctx, o)
	if err != nil {
		return err
	}
	a.encoder = newStaticEncoder(g, o.Checkpoint.Config, table)
	a.close = a.encoder.close
	buckets := bucketsOf(o.Checkpoint.Config)
	for i, size := range buckets {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress(Step{i + 1, len(buckets), size})
		b, err := a.encoder.bucket(ctx, size)
		if err != nil {
			return err
		}
		if b.graph.imported() {
			a.Imported++
		}
		b.graph.release()
	}
	return nil
}

// encode runs a source and packs the outputs into p.
func (a *Accelerator) encode(ctx context.Context, source []int32, p *packing) (encoded, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	if err := a.enter(); err != nil {
		return encoded{}, err
	}
	defer a.leave()
	return a.encoder.encodeInto(ctx, source, p, func(q *openvino.InferRequest) error { return a.infer(q, func() {}) })
}

// Outputs encodes a source: the keys and values of each decoder layer in turn,
// f32 [heads, length, d/heads] each.
func (a *Accelerator) Outputs(ctx context.Context, source []int32) ([][]float32, error) {
	var p packing
	defer p.close()
	out, err := a.encode(ctx, source, &p)
	if err != nil {
		return nil, err
	}
	return copies(out.cross)
}

func copies(tensors []*openvino.Tensor) (all [][]float32, err error) {
	for _, t := range tensors {
		data, err := t.Float32s()
		if err != nil {
			return nil, err
		}
		all = append(all, append([]float32(nil), data...))
	}
	return all, nil
}

// Doubt takes the graphs that this accelerator was opened from out of the store.
func (a *Accelerator) Doubt(reason string) {
	g := a.encoder.graphs
	if g.blobs == nil {
		return
	}
	for size := range a.encoder.ready {
		for _, key := range g.keys(staticEncoderFile(size)) {
			g.blobs.Quarantine(key, reason)
		}
	}
}

// Close waits for the text under way and gives everything back, what a hanging
// inference uses when that ends.
func (a *Accelerator) Close() error {
	a.turn.Lock()
	defer a.turn.Unlock()
	return a.onDevice.Close()
}
